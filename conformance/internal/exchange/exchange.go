// Package exchange sends one HTTP/1.x request and reads its response, both to
// the byte, within limits that hold whatever the server does.
//
// A [Client] knows a [Target] and its TLS; a [Session] owns at most one
// connection, keeps it where the server allows, and turns a [Request] into an
// [Exchange]. Nothing is added to a request, no redirect is followed, nothing
// is decompressed without saying so: [Response.Body] is what the wire carried,
// [Response.Content] what it means.
//
// The server is hostile until shown otherwise. Every wait and every size has
// its row in [Limits]; what exceeds one ends in a [Failure] that names it.
// The package does not use net/http: that client hides bytes, repairs heads
// and costs more than the work to be done.
package exchange

import (
	"bytes"
	"errors"
	"io"
	"slices"
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
func (e *Exchange) Success() bool { return e.Status()/100 == 2 }

// Status returns the status of the answer. It is 0 if no complete HTTP answer came.
func (e *Exchange) Status() int {
	if e == nil || e.Failure != nil {
		return 0
	}
	return e.Response.Status
}

// Framing says how the end of a body was found (RFC 9112, 6.3).
type Framing int

// The ways to end a body.
const (
	None       Framing = iota // there is no body: HEAD, 1xx, 204, 304
	Length                    // Content-Length
	Chunked                   // Transfer-Encoding: chunked
	UntilClose                // the end of the connection
)

// String returns the framing in words.
func (f Framing) String() string {
	switch f {
	case Length:
		return "length"
	case Chunked:
		return "chunked"
	case UntilClose:
		return "until close"
	}
	return "none"
}

// Response is one response as it came. Where the Exchange has a Failure, the
// body may be incomplete.
type Response struct {
	Proto  string  // HTTP/1.0 or HTTP/1.1
	Status int     // 100 to 999
	Reason string  // may be empty
	Fields []Field // order and spelling as received; white space around values removed
	Head   []byte  // status line and fields with the closing empty line, as received

	Body       []byte // after transfer decoding
	Content    []byte // after content decoding; Body itself where no coding was applied
	Coding     string // the content codings in lower case, "" for none
	ContentErr error  // why Content could not be decoded: unknown coding, corrupt, too large

	// Open says that the body is a stream that went on when it was left: Body and Content are its
	// beginning.
	Open bool

	Framing  Framing
	Close    bool     // the connection ends after this response
	Trailers []Field  // of a chunked body
	Surplus  []byte   // bytes that followed the end in the same breath, the first Limits.Surplus
	Oddities []string // deviations that were tolerated; the Odd constants
}

// The deviations that are tolerated. RFC 9112 lets a recipient do so, or every
// usual client does.
const (
	OddLF            = "line ended by lf alone"
	OddEmptyLine     = "empty line before the status line"
	OddStatusLine    = "status line without a space after the status"
	OddStatusBlanks  = "several blanks in the status line"
	OddControl       = "control character in the head"
	OddFold          = "field folded over several lines"
	OddTwoLengths    = "content-length repeated"
	OddBothLengths   = "both transfer-encoding and content-length"
	OddChunkedOld    = "transfer-encoding in an http/1.0 response"
	OddChunkedFor    = "transfer-encoding for an http/1.0 request"
	OddFramedNoBody  = "length or coding given where no body is allowed"
	OddSurplus       = "bytes after the end of the answer"
	OddNoCloseNotify = "tls ended without close_notify"
	OddEmptyCoding   = "content coding on an empty body"
)

// Get returns the value of the first field of that name in any case, or "".
func (resp *Response) Get(name string) string {
	for i := range resp.Fields {
		if strings.EqualFold(resp.Fields[i].Name, name) {
			return resp.Fields[i].Value
		}
	}
	return ""
}

// Values returns the values of all fields of that name in any case, in order.
func (resp *Response) Values(name string) []string {
	var values []string
	for i := range resp.Fields {
		if strings.EqualFold(resp.Fields[i].Name, name) {
			values = append(values, resp.Fields[i].Value)
		}
	}
	return values
}

// odd notes a tolerated deviation once.
func (resp *Response) odd(text string) {
	if !slices.Contains(resp.Oddities, text) {
		resp.Oddities = append(resp.Oddities, text)
	}
}

// FailureKind says where an exchange ended when no complete answer came.
type FailureKind int

// The kinds of failure. From Unreachable to Local no request byte was sent.
const (
	Unreachable    FailureKind = iota + 1 // nobody listens, no route, no such name
	TLSFailed                             // the handshake failed, or the server ended TLS with an alert
	Local                                 // this machine is out of ports or files: a fault of ours
	Dropped                               // closed or reset before the first byte of an answer
	DroppedWriting                        // the same, while a request of more than one segment was being written
	Truncated                             // closed or reset inside the answer
	TimedOut                              // a time limit passed; Detail names the phase
	Malformed                             // not HTTP/1.x: status line, field, chunk or length (RFC 9112)
	TooLarge                              // more than a limit allows; Detail names what
	Canceled                              // the context ended
)

// largeBody is the detail of a failure of kind TooLarge if the body is above its limit.
const largeBody = "body"

// String returns the kind in words, such as "timed out".
func (k FailureKind) String() string {
	switch k {
	case Unreachable:
		return "unreachable"
	case TLSFailed:
		return "tls failed"
	case Local:
		return "not sent"
	case Dropped:
		return "dropped"
	case DroppedWriting:
		return "dropped while writing"
	case Truncated:
		return "truncated"
	case TimedOut:
		return "timed out"
	case Malformed:
		return "malformed"
	case TooLarge:
		return "too large"
	case Canceled:
		return "canceled"
	}
	return "no failure"
}

// Failure is why an exchange has no complete answer. It implements error.
type Failure struct {
	Kind   FailureKind
	Detail string // short, lower case, the same in every run: no addresses, no ports
	Err    error  // what lies beneath; may be nil, and may differ from run to run
}

// Error returns kind and detail in one line.
func (f *Failure) Error() string {
	if f.Detail == "" {
		return f.Kind.String()
	}
	return f.Kind.String() + ": " + f.Detail
}

// Unwrap returns what lies beneath, for errors.Is and errors.As.
func (f *Failure) Unwrap() error { return f.Err }

func malformed(detail string) *Failure { return &Failure{Kind: Malformed, Detail: detail} }

func tooLarge(detail string) *Failure { return &Failure{Kind: TooLarge, Detail: detail} }

// Unreached reports whether nothing of a request could be sent, because no
// connection came about.
func (f *Failure) Unreached() bool {
	switch f.Kind {
	case Unreachable, TLSFailed, Local:
		return true
	case TimedOut:
		return f.Detail == noConnection || f.Detail == inHandshake
	}
	return false
}
