package exchange

import (
	"fmt"
	"strings"
)

// BuildHead returns the head of an HTTP/1.1 request: request line, fields in
// their order, closing empty line. It is the one place where a head is made, and
// refuses what would break out of its line: a method or name that is no token
// (RFC 9110, 5.6.2), a target that is not in origin form (RFC 9112, 3.2.1) or
// holds a blank, a control character or #, a value with CR, LF or NUL (RFC 9110,
// 5.5). Other odd bytes of a value, which cases send on purpose, stay. The error
// does not show the value.
func BuildHead(method, target string, fields []Field) ([]byte, error) {
	switch {
	case !isToken(method):
		return nil, fmt.Errorf("method %s is not a token", Visible([]byte(method)))
	case !strings.HasPrefix(target, "/") || strings.ContainsFunc(target, breaksTarget):
		return nil, fmt.Errorf("request target %s is not a path", Visible([]byte(target)))
	}
	n := len(method) + len(target) + len("  HTTP/1.1\r\n\r\n")
	for _, f := range fields {
		switch {
		case !isToken(f.Name):
			return nil, fmt.Errorf("field name %s is not a token", Visible([]byte(f.Name)))
		case strings.ContainsAny(f.Value, "\r\n\x00"):
			return nil, fmt.Errorf("the value of field %s contains CR, LF or NUL", f.Name)
		}
		n += len(f.Name) + len(f.Value) + len(": \r\n")
	}
	b := make([]byte, 0, n)
	b = append(b, method...)
	b = append(b, ' ')
	b = append(b, target...)
	b = append(b, " HTTP/1.1\r\n"...)
	for _, f := range fields {
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, f.Value...)
		b = append(b, "\r\n"...)
	}
	return append(b, "\r\n"...), nil
}

func breaksTarget(c rune) bool { return c <= ' ' || c == 0x7f || c == '#' }

// IsToken reports whether a name of a field or a method is one (RFC 9110, 5.6.2).
func IsToken(s string) bool { return isToken(s) }
