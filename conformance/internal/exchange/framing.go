package exchange

import (
	"math"
	"slices"
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

// parseHead reads a head as [reader.head] found it (RFC 9112, 4 and 5).
func parseHead(raw []byte, l *Limits) (*Response, error) {
	resp := &Response{Head: slices.Clone(raw)}
	text := string(raw)
	line, rest := cutLine(text, resp)
	if err := resp.statusLine(line); err != nil {
		return nil, err
	}
	fields, err := parseFields(rest, l.Fields, resp)
	if err != nil {
		return nil, err
	}
	resp.Fields = fields
	return resp, nil
}

// cutLine returns the first line of text without its end, and what follows.
func cutLine(text string, resp *Response) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1], rest
	}
	resp.odd(OddLF)
	return line, rest
}

// statusLine reads "HTTP/1.1 200 OK" (RFC 9112, 4).
func (resp *Response) statusLine(line string) error {
	proto, rest, blank := strings.Cut(line, " ")
	if len(proto) != len("HTTP/1.1") || !strings.HasPrefix(proto, "HTTP/1.") || !isDigit(proto[7]) || !blank {
		return malformed("bad status line")
	}
	code := strings.TrimLeft(rest, " ")
	if len(code) != len(rest) {
		resp.odd(OddStatusBlanks)
	}
	code, reason, blank := strings.Cut(code, " ")
	if len(code) != 3 || !isDigit(code[0]) || !isDigit(code[1]) || !isDigit(code[2]) || code[0] == '0' {
		return malformed("bad status code")
	}
	if !blank {
		resp.odd(OddStatusLine)
	}
	if err := resp.plainText(reason, "bad status line"); err != nil {
		return err
	}
	resp.Proto = proto
	resp.Status = int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0')
	resp.Reason = reason
	return nil
}

// parseFields reads field lines up to the empty one (RFC 9112, 5).
func parseFields(text string, limit int, resp *Response) ([]Field, error) {
	lines := strings.Count(text, "\n")
	if lines > limit+1 {
		return nil, tooLarge("number of fields")
	}
	fields := make([]Field, 0, max(lines-1, 0))
	for text != "" {
		var line string
		if line, text = cutLine(text, resp); line == "" {
			break
		}
		if line[0] == ' ' || line[0] == '\t' { // obs-fold (RFC 9112, 5.2)
			if len(fields) == 0 {
				return nil, malformed("white space before the first field")
			}
			resp.odd(OddFold)
			line = trimOWS(line)
			if err := resp.plainText(line, "bad field value"); err != nil {
				return nil, err
			}
			last := &fields[len(fields)-1]
			last.Value = trimOWS(last.Value + " " + line)
			continue
		}
		name, value, colon := strings.Cut(line, ":")
		switch {
		case !colon:
			return nil, malformed("field without a colon")
		case !isToken(name):
			return nil, malformed("bad field name")
		}
		value = trimOWS(value)
		if err := resp.plainText(value, "bad field value"); err != nil {
			return nil, err
		}
		fields = append(fields, Field{name, value})
	}
	return fields, nil
}

// plainText refuses CR and NUL (RFC 9110, 5.5) and notes other controls.
func (resp *Response) plainText(s, detail string) error {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= ' ' && c != 0x7f || c == '\t':
		case c == '\r' || c == 0:
			return malformed(detail)
		default:
			resp.odd(OddControl)
		}
	}
	return nil
}

func trimOWS(s string) string { return strings.Trim(s, " \t") }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isToken reports whether s is a token (RFC 9110, 5.6.2).
func isToken(s string) bool {
	const (
		marks = 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.' | 0x3ff<<'0'
		upper = 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('|'-64) | 1<<('~'-64) | 0x7fffffe | 0x7fffffe<<32
	)
	for i := range len(s) {
		c := s[i]
		if c < 64 && uint64(marks)>>c&1 == 0 || c >= 64 && (c >= 128 || uint64(upper)>>(c-64)&1 == 0) {
			return false
		}
	}
	return s != ""
}

// body reads what the framing promises; what came before an error is kept.
func (rd *reader) body(resp *Response, length, limit int, l *Limits) (err error) {
	switch resp.Framing {
	case Length:
		if length > limit {
			return tooLarge(largeBody)
		}
		rd.announced = length
		resp.Body, err = rd.take(make([]byte, 0, min(length, bodyStep)), length)
	case Chunked:
		resp.Body, err = rd.chunks(resp, limit, l)
	case UntilClose:
		resp.Body, err = rd.rest(nil, limit)
	}
	return err
}

// chunks reads a chunked body and its trailers (RFC 9112, 7.1).
func (rd *reader) chunks(resp *Response, limit int, l *Limits) (body []byte, err error) {
	body = []byte{}
	for framing := 0; ; {
		line, bare, err := rd.bodyLine(l.ChunkLine, "chunk line")
		if err != nil {
			return body, err
		}
		if bare {
			resp.odd(OddLF)
		}
		if framing += len(line); framing > l.Framing {
			return body, tooLarge("chunk lines")
		}
		size, err := chunkSize(line)
		switch {
		case err != nil:
			return body, err
		case size == 0:
			return body, rd.trailers(resp, l)
		case size > limit-len(body):
			return body, tooLarge(largeBody)
		}
		if body, err = rd.take(body, size); err != nil {
			return body, err
		}
		if rd.part != nil {
			rd.part(body)
		}
		// a chunk ends in an empty line; two bytes are enough to know
		line, bare, err = rd.bodyLine(2, "")
		switch _, failed := err.(*Failure); {
		case failed || err == nil && len(line) != 0:
			return body, malformed("chunk longer than its size")
		case err != nil:
			return body, err
		case bare:
			resp.odd(OddLF)
		}
	}
}

// chunkSize reads 1*HEXDIG and passes over extensions.
func chunkSize(line []byte) (int, error) {
	size, i := 0, 0
	for ; i < len(line); i++ {
		digit, ok := hexDigit(line[i])
		if !ok {
			break
		}
		if size > math.MaxInt>>4 {
			return 0, tooLarge("chunk size")
		}
		size = size<<4 | digit
	}
	rest := line[i:]
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		rest = rest[1:]
	}
	if i == 0 || len(rest) > 0 && rest[0] != ';' {
		return 0, malformed("bad chunk size")
	}
	return size, nil
}

func hexDigit(c byte) (int, bool) {
	switch {
	case isDigit(c):
		return int(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10, true
	}
	return 0, false
}

// trailers reads the trailer section (RFC 9112, 7.1.2) under the limits of a
// head.
func (rd *reader) trailers(resp *Response, l *Limits) error {
	var text []byte
	for {
		line, bare, err := rd.bodyLine(l.Head-len(text), "trailers")
		switch {
		case err != nil:
			return err
		case bare:
			resp.odd(OddLF)
		}
		if len(line) == 0 {
			break
		}
		text = append(append(text, line...), "\r\n"...)
	}
	if len(text) == 0 {
		return nil
	}
	fields, err := parseFields(string(text)+"\r\n", l.Fields, resp)
	resp.Trailers = fields
	return err
}
