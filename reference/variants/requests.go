package variants

import (
	"mime"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/rangetable"

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

// unicode9 is what a library of 2016 calls assigned.
var unicode9 = rangetable.Assigned("9.0.0")

// wideText reads a body in UTF-16 or UTF-32 by its zeros or its mark, as Jackson
// and JSON::PP do; other bodies stay as they are.
func wideText(b []byte) []byte {
	if len(b) < 4 {
		return b
	}
	var units []uint16
	switch {
	case b[0] == 0 && b[1] == 0, b[2] == 0 && b[3] == 0:
		big := b[0] == 0
		var out strings.Builder
		for ; len(b) >= 4; b = b[4:] {
			c := rune(b[3])<<24 | rune(b[2])<<16 | rune(b[1])<<8 | rune(b[0])
			if big {
				c = rune(b[0])<<24 | rune(b[1])<<16 | rune(b[2])<<8 | rune(b[3])
			}
			out.WriteRune(c)
		}
		return []byte(strings.TrimPrefix(out.String(), "\ufeff"))
	case b[0] == 0, b[0] == 0xfe && b[1] == 0xff:
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, uint16(b[0])<<8|uint16(b[1]))
		}
	case b[1] == 0, b[0] == 0xff && b[1] == 0xfe:
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, uint16(b[1])<<8|uint16(b[0]))
		}
	default:
		return b
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"))
}

// headSize is about what the fields of a request take.
func headSize(r *http.Request) int {
	n := 0
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + 4
		}
	}
	return n
}

func longCredential(r *http.Request, _ []byte) bool {
	return len(r.Header.Get("Authorization")) > 1<<10
}

// decided are servers about which the contract and the RFCs left a doubt, decided
// in their favour.
func decided() []Variant {
	newer := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool { return !unicode.Is(unicode9, c) })
	}
	large := headers(http.Header{"X-Policy": {strings.Repeat("p", 200<<10)}})
	return []Variant{
		{Name: "unicode-9", Doc: "refuses characters in names and tags that Unicode 9.0 does not assign, as libraries of 2016 do",
			alter: alter.All(refusesName("has an unassigned character", newer), refusesTag("has an unassigned character", newer))},
		{Name: "utf16-detected", Doc: "takes bodies in UTF-16 and UTF-32, as Jackson and JSON::PP do", alter: alter.Body(wideText)},
		{Name: "only-if-cached-504", Doc: "answers 504 to Cache-Control: only-if-cached, as caches in front do (RFC 9111, 5.2.1.7)",
			alter: refusedWhen(http.StatusGatewayTimeout, header("Cache-Control", func(v string) bool { return v == "only-if-cached" }))},
		{Name: "large-head-closed", Doc: "closes the connection without an answer where the fields of a request take more than 16 KiB",
			alter: alter.All(tune(func(hs *http.Server) { hs.MaxHeaderBytes = 128 << 10 }),
				alter.When(func(r *http.Request, _ []byte) bool { return headSize(r) > 16<<10 }, alter.Leave))},
		{Name: "long-credential-page", Doc: "answers wrong credentials above 1 kB with 400 and a page, as servers with small header buffers do",
			alter: refusedLong(alter.Page(http.StatusBadRequest))},
		{Name: "long-credential-closed", Doc: "closes the connection without an answer to wrong credentials above 1 kB", alter: alter.When(longCredential, alter.Leave)},
		{Name: "large-answer-head", Doc: "answers with 200 KiB of header fields, as long policies and many cookies make", alter: large},
	}
}

// refusedLong answers wrong credentials above 1 kB with a page.
func refusedLong(page *alter.Instead) alter.Change {
	return alter.When(longCredential, alter.Give(page))
}
