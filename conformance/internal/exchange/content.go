package exchange

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// decoder undoes content codings. Its pool keeps gzip's 40 KiB of state.
type decoder struct{ gzips sync.Pool }

// The reasons in Response.ContentErr; it may wrap them with the coding's name.
var (
	ErrUnknownCoding   = errors.New("unknown content coding")
	ErrCorruptContent  = errors.New("content does not match its coding")
	ErrContentTooLarge = errors.New("content above the limit")
)

// decode sets Coding, Content and ContentErr (RFC 9110, 8.4).
func (d *decoder) decode(resp *Response, limit, layers int) {
	resp.Content = resp.Body
	var codings []string
	for i := range resp.Fields {
		f := &resp.Fields[i]
		if len(f.Name) != len("Content-Encoding") || !strings.EqualFold(f.Name, "Content-Encoding") {
			continue
		}
		for item := range strings.SplitSeq(f.Value, ",") {
			if item = strings.ToLower(trimOWS(item)); item != "" && item != "identity" {
				codings = append(codings, item)
			}
		}
	}
	if len(codings) == 0 {
		return
	}
	resp.Coding = strings.Join(codings, ", ")
	if len(resp.Body) == 0 {
		if resp.Framing != None {
			resp.odd(OddEmptyCoding)
		}
		return
	}
	if len(codings) > layers {
		resp.Content, resp.ContentErr = nil, fmt.Errorf("%w: %d codings in a row", ErrUnknownCoding, len(codings))
		return
	}
	for i := len(codings) - 1; i >= 0 && resp.ContentErr == nil; i-- { // applied in order, undone from the last
		resp.Content, resp.ContentErr = d.undo(codings[i], resp.Content, limit)
	}
}

// undo decodes one coding to at most limit bytes.
func (d *decoder) undo(coding string, in []byte, limit int) ([]byte, error) {
	var src io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		z, _ := d.gzips.Get().(*gzip.Reader)
		if z == nil {
			z = new(gzip.Reader)
		}
		defer d.gzips.Put(z)
		src, err = z, z.Reset(bytes.NewReader(in))
	case "deflate": // zlib by the letter (RFC 9110, 8.4.1.2), raw by habit
		if len(in) > 1 && in[0]&0x0f == 8 && (int(in[0])<<8|int(in[1]))%31 == 0 {
			src, err = zlib.NewReader(bytes.NewReader(in))
		} else {
			src = flate.NewReader(bytes.NewReader(in))
		}
	default:
		return nil, fmt.Errorf("%w %q", ErrUnknownCoding, coding)
	}
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrCorruptContent, coding, err)
	}
	out, err := io.ReadAll(io.LimitReader(src, int64(limit)+1))
	switch {
	case len(out) > limit:
		return nil, ErrContentTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w %s: %w", ErrCorruptContent, coding, err)
	}
	return out, nil
}

// fail sets the failure for an error met while reading an answer: a Failure
// stands, everything else is named by how much had come.
func (e *Exchange) fail(ctx context.Context, p *parser, err error) {
	if e.Response == nil {
		rest := p.buffered()
		e.Received = append([]byte(nil), rest[:min(len(rest), p.limits.Received)]...)
	}
	var f *Failure
	if errors.As(err, &f) {
		e.Failure = f
		return
	}
	e.Failure = e.broken(ctx, p, err)
}

// broken names an error of the connection.
func (e *Exchange) broken(ctx context.Context, p *parser, err error) *Failure {
	var remote *net.OpError
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case isTimeout(err):
		e.Coming = e.coming(p)
		return &Failure{TimedOut, e.phase(p, "no answer"), err}
	case errors.As(err, &remote) && (remote.Op == "remote error" || remote.Op == "local error"):
		return &Failure{TLSFailed, tlsDetail(err), err} // how crypto/tls marks alerts
	case !p.any && e.Request.size() > p.limits.Segment && e.Written < e.Request.size():
		return &Failure{DroppedWriting, "connection closed while the request was being written", err}
	case !p.any:
		return dropped(err)
	}
	return &Failure{Truncated, "connection closed " + e.phase(p, "before the answer"), err}
}

// phase says how far the answer had come; none stands for no byte at all.
func (e *Exchange) phase(p *parser, none string) string {
	switch {
	case e.Response != nil:
		return "inside the body"
	case len(p.buffered()) > 0 || p.empty > 0:
		return "inside the head"
	case len(e.Interim) > 0:
		return "after an interim response"
	}
	return none
}

// addInterim keeps a 1xx response, or fails above the limits.
func (e *Exchange) addInterim(resp *Response, l *Limits) *Failure {
	if len(e.Interim) >= l.Interim {
		return tooLarge("number of interim responses")
	}
	size := len(resp.Head)
	for i := range e.Interim {
		size += len(e.Interim[i].Head)
	}
	if size > l.Head {
		return tooLarge("interim responses")
	}
	e.Interim = append(e.Interim, *resp)
	return nil
}

func (r *Request) size() int { return len(r.Head) + len(r.Body) + len(r.Next) }

func canceled(ctx context.Context) *Failure {
	return &Failure{Canceled, "the run was stopped", context.Cause(ctx)}
}

func dropped(err error) *Failure {
	return &Failure{Dropped, "connection closed before the first byte of the answer", err}
}

func isTimeout(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// A body is still coming if some of it has come in the last eighth of the time, or if its silence is
// shorter than twice the longest pause so far, as between events. Where its length is known, a tenth of
// it has come. Nothing says how long one without a length is.
const (
	comingPart  = 10
	comingLast  = 8
	comingPause = 2
)

// coming reports whether a body was still coming.
func (e *Exchange) coming(p *parser) bool {
	if e.Response == nil || len(e.Response.Body) == 0 {
		return false
	}
	whole := comingPart*len(e.Response.Body) >= p.announced
	silent := time.Since(p.last)
	return whole && (comingLast*silent < time.Since(e.Began) || silent < comingPause*p.pause)
}

// Limits is the table of every wait and every size of an exchange. A zero row
// takes its value from [DefaultLimits].
//
// None of the waits decides a verdict. Answer bounds a whole exchange, dialling
// included; an exchange that takes longer is TimedOut, which is never judged when
// it happens (see package limits). Dial bounds probes that send no request. After
// Continue the body is sent anyway (RFC 9110, 10.1.1). After Silence and Left nothing
// more is expected of a request that is broken, and nothing judged. Pause separates the pieces
// of a request and does not change its bytes.
type Limits struct {
	Dial     time.Duration // connecting without a request, including the TLS handshake
	Answer   time.Duration // a whole exchange, from Do to the last byte, dialling included
	Continue time.Duration // waiting for an answer to a head alone before the body follows
	Silence  time.Duration // before the sender of a broken request ends its half of the connection
	Left     time.Duration // before it leaves, where the server may wait for more
	Pause    time.Duration // between the pieces of a request that is cut
	Rest     time.Duration // the same, of a request that comes slowly
	LongRest time.Duration // the same, of one that comes very slowly
	Stream   time.Duration // from the head of a stream to its first part
	More     time.Duration // and from there on: a stream that is short ends

	Head       int // bytes of one response head, of all interim ones, and of the trailers
	Fields     int // fields of one head, and of the trailers
	Interim    int // 1xx responses before the final one
	EmptyLines int // empty lines tolerated before a status line

	Body       int // bytes of a body as on the wire, for an empty request
	BodyFactor int // further body bytes for each byte of the request (an echo in escapes takes 6)
	Framing    int // bytes of chunk lines in one body
	ChunkLine  int // bytes of one chunk line with its extensions
	Content    int // bytes of a body after decoding; BodyFactor is added to it too
	Codings    int // content codings applied one over the other

	Surplus  int // bytes kept of what follows the end of an answer
	Received int // bytes kept of a head that did not become one

	Segment int // bytes of a request that go out in one write
	Inline  int // bytes of a request written before reading; more are written while reading
}

// DefaultLimits returns the limits of a run: 10 s for an answer, 256 KiB of
// head, 1 MiB of body and 6 bytes more for each byte of the request.
func DefaultLimits() Limits {
	return Limits{
		Dial:     5 * time.Second,
		Answer:   10 * time.Second,
		Continue: time.Second,
		Silence:  100 * time.Millisecond,
		Left:     time.Second,
		Pause:    10 * time.Millisecond,
		Rest:     250 * time.Millisecond,
		LongRest: 2 * time.Second,
		Stream:   time.Second,
		More:     50 * time.Millisecond,

		Head:       256 << 10,
		Fields:     4000,
		Interim:    100,
		EmptyLines: 2,

		Body:       1 << 20,
		BodyFactor: 6,
		Framing:    8 << 20,
		ChunkLine:  4 << 10,
		Content:    1 << 20,
		Codings:    3,

		Surplus:  4 << 10,
		Received: 1 << 10,

		Segment: 64 << 10,
		Inline:  16 << 10, // fits the smallest usual send buffer, so the write cannot block
	}
}

// withDefaults fills the rows that are zero or below.
func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, row := range [...]struct{ have, want *time.Duration }{
		{&l.Dial, &d.Dial}, {&l.Answer, &d.Answer}, {&l.Continue, &d.Continue}, {&l.Silence, &d.Silence}, {&l.Left, &d.Left}, {&l.Pause, &d.Pause}, {&l.Rest, &d.Rest}, {&l.LongRest, &d.LongRest}, {&l.Stream, &d.Stream}, {&l.More, &d.More},
	} {
		if *row.have <= 0 {
			*row.have = *row.want
		}
	}
	for _, row := range [...]struct{ have, want *int }{
		{&l.Head, &d.Head}, {&l.Fields, &d.Fields}, {&l.Interim, &d.Interim},
		{&l.EmptyLines, &d.EmptyLines}, {&l.Body, &d.Body}, {&l.BodyFactor, &d.BodyFactor},
		{&l.Framing, &d.Framing}, {&l.ChunkLine, &d.ChunkLine}, {&l.Content, &d.Content},
		{&l.Codings, &d.Codings}, {&l.Surplus, &d.Surplus}, {&l.Received, &d.Received},
		{&l.Segment, &d.Segment}, {&l.Inline, &d.Inline},
	} {
		if *row.have <= 0 {
			*row.have = *row.want
		}
	}
	return l
}

// sizes returns the most bytes of body and of content that r may be answered
// with.
func (l *Limits) sizes(r *Request) (body, content int) {
	extra := l.BodyFactor * (len(r.Head) + len(r.Body))
	body, content = l.Body+extra, l.Content+extra
	if r.BodyLimit > 0 {
		body, content = r.BodyLimit, r.BodyLimit
	}
	return body, content
}
