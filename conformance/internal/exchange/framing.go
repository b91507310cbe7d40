package exchange

import (
	"math"
	"strings"
)

// frame decides how the body ends, its length in bytes where that is stated,
// and whether the connection lives on (RFC 9112, 6.3 and 9.3).
func (resp *Response) frame(method string) (length int, err error) {
	var closes, keeps, coded, stated bool
	var codings string
	length = -1
	for i := range resp.Fields {
		switch f := &resp.Fields[i]; {
		case len(f.Name) == len("Connection") && strings.EqualFold(f.Name, "Connection"):
			closes = closes || hasToken(f.Value, "close")
			keeps = keeps || hasToken(f.Value, "keep-alive")
		case len(f.Name) == len("Content-Length") && strings.EqualFold(f.Name, "Content-Length"):
			if length, err = resp.contentLength(f.Value, length); err != nil {
				return 0, err
			}
			stated = true
		case len(f.Name) == len("Transfer-Encoding") && strings.EqualFold(f.Name, "Transfer-Encoding"):
			if coded {
				codings += ","
			}
			codings += f.Value
			coded = true
		}
	}
	old := resp.Proto == "HTTP/1.0"
	resp.Close = closes || old && !keeps || resp.Status == 101
	switch {
	case method == "HEAD" || resp.Status == 304: // may state what a GET would have
		resp.Framing = None
	case resp.Status < 200 || resp.Status == 204:
		if coded || length > 0 {
			resp.odd(OddFramedNoBody)
		}
		resp.Framing = None
	case coded:
		if !strings.EqualFold(trimOWS(codings), "chunked") {
			return 0, malformed("transfer-encoding other than chunked")
		}
		if stated {
			resp.odd(OddBothLengths)
			resp.Close = true
		}
		if old {
			resp.odd(OddChunkedOld)
			resp.Close = true
		}
		resp.Framing = Chunked
	case stated:
		resp.Framing = Length
	default:
		resp.Framing, resp.Close = UntilClose, true
	}
	return length, nil
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
