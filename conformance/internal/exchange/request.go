package exchange

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is one header or trailer field line (RFC 9110, 5).
type Field struct{ Name, Value string }

// Request is what goes over the wire, byte for byte. It is only read, so one
// Request may be sent by several sessions at once.
type Request struct {
	Head []byte // request line and fields with the closing empty line
	Body []byte // exactly what follows the head

	// AwaitContinue sends the head alone and the body only after an interim
	// response or Limits.Continue (RFC 9110, 10.1.1); after a final response
	// the body is not sent at all.
	AwaitContinue bool

	// Cuts are the places in Body, ascending, before which the sender pauses, so
	// that what follows travels by itself; 0 parts the head from the body, places
	// below 0 lie in the head, counted from its end.
	Cuts []int
	// Slow makes the pauses long, Long those of a slow request still longer.
	Slow, Long bool
	// Gate, if not nil, holds the last piece back, for Limits.Rest at most.
	Gate *Gate

	// Next are requests that go out in one piece with this one, behind it. Those who send
	// them mark each as Behind: it is not sent again, its answer is the next one on the
	// connection. Where the server closed the connection, none comes.
	Next      []byte
	Followers int // how many there are in Next
	Behind    bool

	// End is when the sender ends its half of the connection.
	End End

	// MayClose says that the bytes give a server a reason to close the connection
	// without an answer, and MayWait that they give it one to wait for more. Nothing
	// follows such a request on its connection.
	MayClose, MayWait bool
	// Alone says that nothing follows the request on its connection.
	Alone bool

	// Err is why these bytes may not be sent: Do answers with a Local failure and
	// writes nothing.
	Err error

	// Case is the id of the case that the request belongs to.
	Case string

	// Keys numbers the credentials that the request was made with, for those who renew
	// them.
	Keys int

	Method    string // reports whether an answer has a body: HEAD has none
	BodyLimit int    // bytes of the answer's body and content; 0: as Limits say
}

// Field returns the first value of a header field, without the blanks around it, or an empty
// text.
func (r *Request) Field(field string) string {
	for line := range strings.SplitSeq(string(r.Head), "\r\n") {
		if name, value, found := strings.Cut(line, ":"); found && strings.EqualFold(name, field) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// End is when a sender ends its half of a connection.
type End uint8

// The ends.
const (
	EndNever     End = iota
	EndAtOnce        // behind the last byte of the request
	EndInSilence     // where no answer came within Limits.Silence
)

// old reports whether the request is of HTTP/1.0.
func (r *Request) old() bool {
	line, _, _ := bytes.Cut(r.Head, []byte("\r\n"))
	return bytes.HasSuffix(line, []byte(" HTTP/1.0"))
}

// last reports whether nothing may follow the request on its connection.
func (r *Request) last() bool { return r.End != EndNever || r.MayClose || r.MayWait || r.Alone }

// Chunk returns body in chunked framing (RFC 9112, 7.1) with chunks of the
// given sizes in bytes; what is left goes into a last one. A size below 1 is
// passed over, one beyond the end is cut.
func Chunk(body []byte, sizes ...int) []byte {
	b := make([]byte, 0, len(body)+12*(len(sizes)+2))
	for _, size := range append(sizes[:len(sizes):len(sizes)], len(body)) {
		size = min(size, len(body))
		if size < 1 {
			continue
		}
		b = strconv.AppendInt(b, int64(size), 16)
		b = append(b, "\r\n"...)
		b = append(b, body[:size]...)
		b = append(b, "\r\n"...)
		body = body[size:]
	}
	return append(b, "0\r\n\r\n"...)
}

// Visible writes bytes on one line: what is no visible character becomes an
// escape in angle brackets, such as <0a> or <U+200B>; the rest stays.
func Visible(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		switch {
		case c == utf8.RuneError && n == 1, c < 0x20, c == 0x7f:
			fmt.Fprintf(&out, "<%02x>", b[0])
		case !unicode.IsPrint(c):
			fmt.Fprintf(&out, "<U+%04X>", c)
		default:
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String()
}

// UsualVersion is the version of every request that does not try another one.
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
