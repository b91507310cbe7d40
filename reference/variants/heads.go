package variants

import (
	"net/http"
	"net/url"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
