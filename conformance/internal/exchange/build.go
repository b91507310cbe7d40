package exchange

import (
	"fmt"
	"strings"
)

// UsualVersion is that of all requests but those that try another one.
const UsualVersion = "HTTP/1.1"

// BuildHead returns the head of a request of a version: request line, fields in
// their order, closing empty line. It is the one place where a head is made, and
// refuses what would break out of its line: a method or name that is no token
// (RFC 9110, 5.6.2), a target that is not in origin form (RFC 9112, 3.2.1) or
// holds a blank, a control character or #, a value with CR, LF or NUL (RFC 9110,
// 5.5). Other odd bytes of a value, which cases send on purpose, stay. The error
// does not show the value.
func BuildHead(version, method, target string, fields []Field) ([]byte, error) {
	switch {
	case !isVersion(version):
		return nil, fmt.Errorf("version %s is none of HTTP", Visible([]byte(version)))
	case !isToken(method):
		return nil, fmt.Errorf("method %s is not a token", Visible([]byte(method)))
	case !strings.HasPrefix(target, "/") || strings.ContainsFunc(target, breaksTarget):
		return nil, fmt.Errorf("request target %s is not a path", Visible([]byte(target)))
	}
	n := len(method) + len(target) + len(version) + len("  \r\n\r\n")
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
	b = append(b, ' ')
	b = append(b, version...)
	b = append(b, "\r\n"...)
	for _, f := range fields {
		b = append(b, f.Name...)
		b = append(b, ": "...)
		b = append(b, f.Value...)
		b = append(b, "\r\n"...)
	}
	return append(b, "\r\n"...), nil
}

// isVersion reports whether s is a version of HTTP (RFC 9112, 2.3).
func isVersion(s string) bool {
	digits, is := strings.CutPrefix(s, "HTTP/")
	return is && len(digits) == 3 && isDigit(digits[0]) && digits[1] == '.' && isDigit(digits[2])
}

func breaksTarget(c rune) bool { return c <= ' ' || c == 0x7f || c == '#' }

// IsToken reports whether a name of a field or a method is one (RFC 9110, 5.6.2).
func IsToken(s string) bool { return isToken(s) }
