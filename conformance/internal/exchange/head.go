package exchange

import (
	"slices"
	"strings"
)

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
