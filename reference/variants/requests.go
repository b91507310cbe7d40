package variants

import (
	"mime"
	"net/http"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// refusedWhen refuses requests for how they are sent, with a page or with an
// Error under 400.
func refusedWhen(status int, which func(*http.Request, []byte) bool) alter.Change {
	if status == http.StatusBadRequest {
		resp := alter.Instead(reference.Refuse(&reference.Refusal{Kind: reference.Media, Reason: "the request is not understood"}))
		return alter.When(which, alter.Give(&resp))
	}
	return alter.When(which, alter.Give(alter.Page(status)))
}

func header(name string, which func(string) bool) func(*http.Request, []byte) bool {
	return func(r *http.Request, _ []byte) bool { return which(r.Header.Get(name)) }
}

// asked answers a success in another form where a field asks for it.
func asked(field, value string, other reference.Response) alter.Change {
	return func(s *reference.Stages) {
		next := s.Send
		s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
			if resp.Status == http.StatusOK && strings.Contains(r.Header.Get(field), value) {
				resp = other
			}
			next(w, r, resp)
		}
	}
}

// isJSON says whether a media type is JSON, whatever its parameters.
func isJSON(t string) bool {
	media, _, _ := mime.ParseMediaType(t)
	return media == reference.JSON
}

// requests are particular about how a request is sent.
func requests() []Variant {
	chunked := func(r *http.Request, _ []byte) bool { return len(r.TransferEncoding) > 0 }
	return []Variant{
		{Name: "media-type-ignored", Doc: "never looks at the Content-Type of a request", alter: func(s *reference.Stages) {
			s.Media = func(*http.Request) error { return nil }
		}},
		{Name: "media-type-415", Doc: "answers 415 to every request that does not say it is JSON",
			alter: refusedWhen(http.StatusUnsupportedMediaType, header("Content-Type", func(t string) bool { return !isJSON(t) }))},
		{Name: "parameters-refused", Doc: "takes application/json only without parameters",
			alter: refusedWhen(http.StatusUnsupportedMediaType, header("Content-Type", func(t string) bool { return t != reference.JSON }))},
		{Name: "accept-406", Doc: "answers 406 where Accept does not take JSON",
			alter: refusedWhen(http.StatusNotAcceptable, header("Accept", func(t string) bool {
				return t != "" && !strings.Contains(t, "*/*") && !strings.Contains(t, "application/json")
			}))},
		{Name: "accept-html", Doc: "answers with a page where HTML is asked for, as browsable interfaces do",
			alter: asked("Accept", "text/html", reference.Response{Status: http.StatusOK, Type: "text/html", Body: []byte("<h1>a new plant</h1>")})},
		{Name: "prefer-minimal", Doc: "answers 204 where Prefer asks for a minimal answer (RFC 7240, 4.2)", alter: asked("Prefer", "return=minimal", reference.Response{Status: http.StatusNoContent})},
		{Name: "chunked-411", Doc: "answers 411 to chunked requests, as WSGI servers do", alter: refusedWhen(http.StatusLengthRequired, chunked)},
		{Name: "chunked-501", Doc: "answers 501 to chunked requests", alter: refusedWhen(http.StatusNotImplemented, chunked)},
		{Name: "expect-417", Doc: "answers 417 to every Expect, without a body", alter: alter.Handler(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Expect") == "" {
					next.ServeHTTP(w, r)
					return
				}
				reference.Send(w, r, reference.Response{Status: http.StatusExpectationFailed, Header: http.Header{"Connection": {"close"}}})
			})
		})},
		{Name: "body-413", Doc: "answers 413 with a page to bodies above 100 kB, as Express does",
			alter: refusedWhen(http.StatusRequestEntityTooLarge, func(_ *http.Request, b []byte) bool { return len(b) > 100<<10 })},
		{Name: "body-8-kilobytes", Doc: "answers 413 with a page to bodies above 8 KiB",
			alter: refusedWhen(http.StatusRequestEntityTooLarge, func(_ *http.Request, b []byte) bool { return len(b) > 8<<10 })},
		{Name: "body-1100-bytes", Doc: "answers 413 to bodies above 1100 bytes, because plants are small",
			alter: refusedWhen(http.StatusRequestEntityTooLarge, func(_ *http.Request, b []byte) bool { return len(b) > 1100 })},
		{Name: "header-431", Doc: "answers 431 with a page to headers above 4 kB", alter: alter.All(
			func(s *reference.Stages) {
				s.Tune = tuned(s.Tune, func(hs *http.Server) { hs.MaxHeaderBytes = 4 << 10 })
			},
			refusedWhen(http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request, _ []byte) bool {
				for _, values := range r.Header {
					if len(values[0]) > 4<<10 {
						return true
					}
				}
				return false
			}))},
		{Name: "query-refused", Doc: "refuses requests with a query", alter: refusedWhen(http.StatusBadRequest,
			func(r *http.Request, _ []byte) bool { return r.URL.RawQuery != "" })},
		{Name: "catch-all", Doc: "answers 200 with a page to every path that is not spelled /plants, as servers of single-page applications do",
			alter: alter.When(otherPath, alter.Give(alter.Page(http.StatusOK)))},
		{Name: "other-paths-500", Doc: "answers 500 to every path that is not spelled /plants, because its handler for unknown paths is broken",
			alter: alter.When(otherPath, alter.Give(alter.Page(http.StatusInternalServerError)))},
		{Name: "malformed-pages", Doc: "answers transport matters (chunks, media types, large bodies) with 400 and a page in HTML, as servers below frameworks do",
			alter: alter.All(
				transportPage(chunked),
				transportPage(header("Content-Type", func(t string) bool { return !isJSON(t) })),
				transportPage(func(_ *http.Request, b []byte) bool { return len(b) > 64<<10 }))},
	}
}

func transportPage(which func(*http.Request, []byte) bool) alter.Change {
	return alter.When(which, alter.Give(alter.Page(http.StatusBadRequest)))
}

func tuned(before, more func(*http.Server)) func(*http.Server) {
	return func(hs *http.Server) {
		before(hs)
		more(hs)
	}
}

// otherPath reports whether the path is spelled otherwise than the contract does.
func otherPath(r *http.Request, _ []byte) bool {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return path != "/plants"
}
