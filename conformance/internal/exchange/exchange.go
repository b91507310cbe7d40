package exchange

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"
)

// Exchange is one request and what came of it. Failure is nil exactly where
// Response is complete.
type Exchange struct {
	Request  *Request
	Interim  []Response // the 1xx responses, in order
	Response *Response  // nil where no complete final head came
	Failure  *Failure   // nil where the answer is complete

	Fresh   bool // the connection was dialled for this request
	Retried bool // sent first on a kept connection that turned out dead; only the second counts

	// After is the case of the request before this one on its connection, "" on a fresh one.
	After string

	// Ended says that no answer had begun after Limits.Silence, and that the client then ended its
	// half of the connection.
	Ended bool

	// Coming says that a body was still coming, slowly, when the time was up.
	// The rest might have come.
	Coming bool

	// Unasked are bytes that lay on the kept connection before this request
	// was sent, other than a 408: the answer before was too long. That
	// connection was given up and this request sent on a fresh one.
	Unasked []byte

	// Received is the beginning of what came where Response is nil.
	Received []byte

	Written int           // request bytes handed to the kernel
	Began   time.Time     // when Do was called
	Took    time.Duration // until the answer was complete or given up
}

// Excused reports whether the request is a reason for the server to give no answer, or none
// that ends: it is broken, its head is large, its sender ended the connection, it uses HTTP/1.0
// and asks to keep the connection open, or it was sent in one piece with another one and the
// server closed the connection, so that a client has to send it again (RFC 9112, 9.3.2). Then
// nothing is judged.
func (e *Exchange) Excused() bool {
	r, f := e.Request, e.Failure
	if r == nil || f == nil {
		return false
	}
	// An answer is lost where a connection is reset with unread bytes (RFC 9112, 9.6). Who
	// takes the end of one half for that of both stops in the middle of an answer too.
	reset := !errors.Is(f.Err, io.EOF)
	switch f.Kind {
	case Dropped, DroppedWriting:
		return r.MayClose || r.Behind || e.Ended || len(r.Next) > 0
	case Truncated:
		return r.End != EndNever || (r.MayClose || r.Behind || len(r.Next) > 0) && reset
	case TimedOut:
		return r.MayWait && !f.Unreached() && (e.Response == nil && len(e.Received) == 0 || e.refuses()) || e.kept()
	case Malformed:
		return len(r.Head) > LargeHead && bytes.HasPrefix(bytes.TrimSpace(e.Received), []byte("<"))
	}
	return false
}

// LargeHead is the size in bytes above which a server may give up a head: it closes the connection
// without an answer if it stays alive, or answers before it knows the version, as HTTP::Daemon
// (Perl) does with a page and no status line, as in HTTP/0.9.
const LargeHead = 16 << 10

// kept reports whether an answer without a length came to an HTTP/1.0 client that asked to
// keep the connection open: some servers, such as aiohttp, keep it, and nothing says where the answer
// ends.
func (e *Exchange) kept() bool {
	return e.Request.old() && strings.EqualFold(e.Request.Field("Connection"), "keep-alive") && e.Response != nil && e.Response.Framing == UntilClose
}

// Unread reports whether the answer was given up because its body is above the limit that the
// request has of its own. Then nothing is judged.
func (e *Exchange) Unread() bool {
	f := e.Failure
	return f != nil && f.Kind == TooLarge && f.Detail == largeBody && e.Request.BodyLimit > 0
}

// refuses reports whether what came begins with a client error. Some servers then wait for
// the rest of the request before they end their answer.
func (e *Exchange) refuses() bool {
	begin := e.Received
	if e.Response != nil {
		begin = e.Response.Head
	}
	_, status, found := bytes.Cut(begin, []byte(" "))
	return found && bytes.HasPrefix(begin, []byte("HTTP/1.")) && len(status) > 0 && status[0] == '4'
}

// Success reports whether there is a complete answer with a status of 2xx. A nil
// exchange is none.
func (e *Exchange) Success() bool {
	return e != nil && e.Failure == nil && e.Response.Status/100 == 2
}
