package exchange

import (
	"slices"
	"strings"
)

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
