package exchange

import (
	"math"
	"strings"
)

// framingFields is what the fields of a head say about its body.
type framingFields struct {
	closes, keeps bool
	codings       string // of Transfer-Encoding, if there are any
	coded         bool
	length        int // of Content-Length; -1 where none is stated
}

func (resp *Response) framingFields() (said framingFields, err error) {
	said.length = -1
	for i := range resp.Fields {
		switch f := &resp.Fields[i]; {
		case named(f, "Connection"):
			said.closes = said.closes || hasToken(f.Value, "close")
			said.keeps = said.keeps || hasToken(f.Value, "keep-alive")
		case named(f, "Content-Length"):
			if said.length, err = resp.contentLength(f.Value, said.length); err != nil {
				return said, err
			}
		case named(f, "Transfer-Encoding"):
			if said.coded {
				said.codings += ","
			}
			said.codings += f.Value
			said.coded = true
		}
	}
	return said, nil
}

// named compares lengths first, because nearly all fields differ there.
func named(f *Field, name string) bool {
	return len(f.Name) == len(name) && strings.EqualFold(f.Name, name)
}

// frame decides how the body ends, how long it is if that is stated, and whether the
// connection stays open (RFC 9112, 6.3 and 9.3).
func (resp *Response) frame(r *Request) (length int, err error) {
	said, err := resp.framingFields()
	if err != nil {
		return 0, err
	}
	old, asked := resp.Proto == "HTTP/1.0", r.old()
	resp.Close = said.closes || (old || asked) && !said.keeps || resp.Status == 101
	switch {
	case r.Method == "HEAD" || resp.Status == 304: // may state what a GET would have
		resp.Framing = None
	case resp.Status < 200 || resp.Status == 204:
		if said.coded || said.length > 0 {
			resp.odd(OddFramedNoBody)
		}
		resp.Framing = None
	case said.coded:
		if !strings.EqualFold(trimOWS(said.codings), "chunked") {
			return 0, malformed("transfer-encoding other than chunked")
		}
		if said.length >= 0 {
			resp.odd(OddBothLengths)
			resp.Close = true
		}
		if old {
			resp.odd(OddChunkedOld)
			resp.Close = true
		}
		if asked {
			resp.odd(OddChunkedFor)
		}
		resp.Framing = Chunked
	case said.length >= 0:
		resp.Framing = Length
	default:
		resp.Framing, resp.Close = UntilClose, true
	}
	return said.length, nil
}

// contentLength reads one Content-Length field, a list included, and compares
// it with the one before; before is -1 where there was none.
func (resp *Response) contentLength(value string, before int) (int, error) {
	for more := true; more; {
		var item string
		item, value, more = strings.Cut(value, ",")
		n, err := decimal(trimOWS(item))
		switch {
		case err != nil:
			return 0, err
		case before >= 0 && n != before:
			return 0, malformed("content-lengths that differ")
		case before >= 0:
			resp.odd(OddTwoLengths)
		}
		before = n
	}
	return before, nil
}

// decimal reads 1*DIGIT.
func decimal(s string) (int, error) {
	if s == "" {
		return 0, malformed("bad content-length")
	}
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, malformed("bad content-length")
		}
	}
	for i := range len(s) {
		if n > (math.MaxInt-9)/10 {
			return 0, tooLarge("content-length")
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, nil
}

// hasToken reports whether the comma-separated list holds token in any case.
func hasToken(list, token string) bool {
	for more := true; more; {
		var item string
		item, list, more = strings.Cut(list, ",")
		if strings.EqualFold(trimOWS(item), token) {
			return true
		}
	}
	return false
}
