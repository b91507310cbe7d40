package variants

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

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

// heads looks at what others ignore in the head of a request.
func heads() []Variant {
	given := func(name string) func(*http.Request, []byte) bool {
		return func(r *http.Request, _ []byte) bool { return len(r.Header[http.CanonicalHeaderKey(name)]) > 0 }
	}
	return []Variant{
		{Name: "queries-refused", Doc: "answers 403 to a query, 404 to one with a bad escape, and 414 to a long one", alter: alter.All(
			refusedWhen(http.StatusNotFound, func(r *http.Request, _ []byte) bool { _, err := url.ParseQuery(r.URL.RawQuery); return err != nil }),
			refusedWhen(http.StatusRequestURITooLong, func(r *http.Request, _ []byte) bool { return len(r.RequestURI) > 1000 }),
			refusedWhen(http.StatusForbidden, func(r *http.Request, _ []byte) bool { return r.URL.RawQuery != "" }))},
		{Name: "preconditions-412", Doc: "checks conditions, partial content and codings, and answers 412, 400 and 415", alter: alter.All(
			refusedWhen(http.StatusPreconditionFailed, given("If-Match")),
			refusedWhen(http.StatusPreconditionFailed, given("If-Unmodified-Since")),
			refusedWhen(http.StatusBadRequest, given("Content-Range")),
			refusedWhen(http.StatusUnsupportedMediaType, given("Content-Encoding")))},
		{Name: "another-host", Doc: "redirects requests that came to another host or without TLS",
			alter: alter.When(func(r *http.Request, _ []byte) bool {
				proto := r.Header.Get("X-Forwarded-Proto")
				return r.Header.Get("X-Forwarded-Host") != "" || proto != "" && !strings.HasPrefix(proto, "https")
			}, func(w http.ResponseWriter, r *http.Request) {
				reference.Send(w, r, reference.Response{Status: http.StatusPermanentRedirect, Header: http.Header{"Location": {"https://a.example/plants"}}})
			})},
		{Name: "old-states", Doc: "answers 226 to A-IM and a redirect to Accept-Datetime (RFC 3229 and 7089)", alter: alter.All(
			asked("A-Im", "feed", reference.Response{Status: http.StatusIMUsed, Type: "application/atom+xml", Body: []byte("<feed/>")}),
			asked("Accept-Datetime", "GMT", reference.Response{Status: http.StatusFound, Header: http.Header{"Location": {"/2024/plants"}}}))},
	}
}

// sizes have limits of their own where the contract has none, and keep to them.
func sizes() []Variant {
	const field, quoted, members, items, text = 255, 60, 64, 100, 1000
	return []Variant{
		{Name: "fields-of-255-bytes", Doc: "answers 431 to a field above 255 bytes that is no credential, and 414 to a query above them", alter: alter.All(
			refusedWhen(http.StatusRequestURITooLong, func(r *http.Request, _ []byte) bool { return len(r.URL.RawQuery) > field }),
			refusedWhen(http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request, _ []byte) bool {
				for name, values := range r.Header {
					if name != "Authorization" && len(values[0]) > field {
						return true
					}
				}
				return false
			}))},
		{Name: "message-quotes-value", Doc: "quotes the first 60 characters of a body in the message of a refusal",
			alter: alter.Undecoded(func(b []byte, why *reference.Refusal) (reference.Plant, error) {
				quote := []rune(strings.ToValidUTF8(string(b), "\ufffd"))
				return reference.Plant{}, &reference.Refusal{Kind: why.Kind, At: why.At, Reason: why.Reason + " in " + string(quote[:min(len(quote), quoted)])}
			})},
		{Name: "json-limits", Doc: "refuses objects of more than 64 members, lists of more than 100 items, and names and unknown texts above 1000 bytes, as parsers with limits do",
			alter: alter.Looked(func(b []byte) error {
				pairs, _ := alter.Object(b, jsontext.AllowDuplicateNames(true))
				if len(pairs) > members {
					return alter.Bad("", "has too many members")
				}
				for _, p := range pairs {
					if p.Name == "id" || p.Name == "name" || p.Name == "tag" {
						continue
					}
					if len(p.Name) > text || len(p.Value) > text || strings.Count(p.Value, ",") >= items {
						return alter.Bad("", "has a member that is too large")
					}
				}
				return nil
			})},
		{Name: "body-in-small-blocks", Doc: "reads the body in blocks of seven bytes", alter: func(s *reference.Stages) {
			next := s.Read
			s.Read = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
				r.Body = struct {
					io.Reader
					io.Closer
				}{smallBlocks{r.Body}, r.Body}
				return next(w, r)
			}
		}},
	}
}

// smallBlocks never reads more than seven bytes at once.
type smallBlocks struct{ io.Reader }

// Read implements [io.Reader].
func (s smallBlocks) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), 7)]) }

// marks treats what cannot be seen in texts in ways of its own.
func marks() []Variant {
	invisible := func(c rune) bool {
		return unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Co, c) || unicode.Is(unicode.Noncharacter_Code_Point, c)
	}
	refuse := func(text string) bool { return strings.ContainsFunc(text, invisible) }
	return []Variant{
		{Name: "invisible-refused", Doc: "refuses format characters, private use and noncharacters in names and tags, as profiles of PRECIS do",
			alter: alter.All(refusesName("has a character that cannot be seen", refuse), refusesTag("has a character that cannot be seen", refuse))},
		{Name: "direction-marks-lost", Doc: "drops marks of direction from names, to keep texts from being shown in another order", Warns: []string{"echo-may-refuse"},
			alter: alter.Name(func(n string) string {
				return strings.Map(func(c rune) rune {
					if unicode.Is(unicode.Bidi_Control, c) {
						return -1
					}
					return c
				}, n)
			})},
	}
}
