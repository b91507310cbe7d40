package exchange

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

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

// A body is still coming if some of it has come in the last eighth of the time, and a tenth of it
// where its length is known. Nothing says how long one without a length is.
const (
	comingPart = 10
	comingLast = 8
)

// coming reports whether a body was still coming.
func (e *Exchange) coming(p *parser) bool {
	if e.Response == nil || len(e.Response.Body) == 0 {
		return false
	}
	whole := comingPart*len(e.Response.Body) >= p.announced
	return whole && comingLast*time.Since(p.last) < time.Since(e.Began)
}
