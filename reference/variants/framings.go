package variants

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// framings has its own idea of versions of HTTP and of messages that are cut wrong.
func framings() []Variant {
	old := func(r *http.Request, _ []byte) bool { return !r.ProtoAtLeast(1, 1) }
	return []Variant{
		{Name: "http-10-505", Doc: "answers 505 to HTTP/1.0", alter: refusedWhen(http.StatusHTTPVersionNotSupported, old)},
		{Name: "http-10-426", Doc: "asks clients of HTTP/1.0 to upgrade, with 426 and a page, as some content networks do", alter: refusedWhen(http.StatusUpgradeRequired, old)},
		{Name: "http-10-500", Doc: "answers 500 to a request of HTTP/1.0 without Host, as Bun does where code builds addresses from it",
			alter: refusedWhen(http.StatusInternalServerError, func(r *http.Request, body []byte) bool { return old(r, body) && r.Host == "" })},
		{Name: "chunks-for-http-10", Doc: "sends chunks to clients of HTTP/1.0, which cannot read them", Warns: []string{"http-strict-framing"}, alter: alter.Wire(
			func(r *http.Request, resp reference.Response) string {
				if !old(r, nil) {
					return ""
				}
				return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
					resp.Status, http.StatusText(resp.Status), resp.Type, len(resp.Body), resp.Body)
			})},
		{Name: "closes-on-broken-framing", Doc: "closes the connection without an answer where lengths or codings are wrong, as servers below frameworks do", alter: alter.Segments(func(b []byte) []byte {
			if r, ok := alter.Whole(b); ok && !sound(&r) {
				return nil
			}
			return b
		})},
		{Name: "first-length-taken", Doc: "takes the first of several lengths", alter: alter.Segments(func(b []byte) []byte {
			r, ok := alter.Whole(b)
			if list := r.Values("Content-Length"); ok && len(list) > 1 {
				r.Set("Content-Length", list[0])
				return r.Bytes()
			}
			return b
		})},
		{Name: "incomplete-500", Doc: "answers 500 where a body ends early, as servers do that find out while the application reads", alter: func(s *reference.Stages) {
			next := s.Read
			s.Read = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Body = &endsEarly{ReadCloser: r.Body}
				b, err := next(w, r)
				if r.Body.(*endsEarly).did {
					return nil, alter.Page(http.StatusInternalServerError)
				}
				return b, err
			}
			alter.Decoded(func(reference.Plant) error { return nil })(s) // lets stages return an answer of their own
		}},
		{Name: "broken-framing-500", Doc: "answers 500 where lengths or codings are wrong, as applications do that catch all errors of reading", alter: alter.All(
			alter.Segments(func(b []byte) []byte {
				r, ok := alter.Whole(b)
				if !ok || sound(&r) {
					return b
				}
				r.Drop("Transfer-Encoding")
				r.Set("Content-Length", "0")
				r.Set(brokenField, "yes")
				r.Set("Connection", "close")
				return r.Bytes()
			}),
			refusedWhen(http.StatusInternalServerError, header(brokenField, func(v string) bool { return v != "" })))},
		{Name: "coding-500", Doc: "answers 500 where the body is not in the coding that Content-Encoding says, as code does that reads through a decoder",
			alter: refusedWhen(http.StatusInternalServerError, header("Content-Encoding", func(v string) bool { return v == "gzip" || v == "deflate" }))},
		{Name: "half-closed-dropped", Doc: "gives up on a request whose client ended its half of the connection, as proxies do",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return alter.Left(r) }, alter.Leave)},
		{Name: "half-closed-cut", Doc: "stops in the middle of its answer where the client ended its half of the connection, as Node does if the rest is written later",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return alter.Left(r) }, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", "13")
				_ = http.NewResponseController(w).Flush() // the client reads an answer without a body then
				alter.Leave(w, r)
			})},
	}
}

// brokenField marks requests that net/http would refuse itself.
const brokenField = "X-Framed-Wrongly"

// endsEarly notes that a body ended before its length or last chunk.
type endsEarly struct {
	io.ReadCloser
	did bool
}

// Read implements [io.Reader].
func (e *endsEarly) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	e.did = e.did || errors.Is(err, io.ErrUnexpectedEOF)
	return n, err
}

// sound reports whether the framing of a request is right and usual.
func sound(r *alter.Request) bool {
	lengths, codings := r.Values("Content-Length"), r.Values("Transfer-Encoding")
	switch {
	case len(codings) > 0:
		return len(codings) == 1 && len(lengths) == 0 && strings.EqualFold(codings[0], "chunked")
	case len(lengths) == 1:
		_, err := strconv.ParseUint(lengths[0], 10, 62)
		return err == nil
	}
	return len(lengths) == 0
}
