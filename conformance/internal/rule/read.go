package rule

import (
	"mime"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
)

// Read describes the answer of an exchange, or returns nil if there is no complete
// one.
func Read(op *contract.Operation, e *exchange.Exchange) *Answer {
	r := e.Response
	if r == nil || e.Failure != nil {
		return nil
	}
	g := &Answer{Status: r.Status, Documented: op.Response(r.Status)}
	g.Media = mediaOfAll(r.Values("Content-Type"))
	if g.Documented == nil {
		return g
	}
	for _, h := range g.Documented.Headers {
		g.Headers = append(g.Headers, h.Read(r.Values(h.Name)))
	}
	for i := range g.Documented.Media {
		m := &g.Documented.Media[i]
		if mediaMatches(m.Type, g.Media) {
			g.Form = m
			break
		}
	}
	if g.Form != nil && g.Form.Shape != nil && r.ContentErr == nil && op.Method != "HEAD" {
		g.Reading = g.Form.Shape.Read(r.Content)
	}
	return g
}

// mediaType returns a content type without parameters. Malformed parameters are
// ignored (RFC 9110, 8.3.1 leaves them to the type).
func mediaType(value string) string {
	if value == "application/json" {
		return value
	}
	media, _, err := mime.ParseMediaType(value)
	if err != nil {
		media, _, _ = strings.Cut(value, ";")
		return strings.ToLower(strings.TrimSpace(media))
	}
	return media
}

// mediaOfAll returns the type that all fields name. If they differ, it returns
// their list, because no client knows which to take (RFC 9110, 5.3 and 8.3).
func mediaOfAll(values []string) string {
	if len(values) == 0 {
		return ""
	}
	first := mediaType(values[0])
	if slices.ContainsFunc(values, func(v string) bool { return mediaType(v) != first }) {
		return strings.ToLower(strings.Join(values, ", "))
	}
	return first
}

// mediaMatches reports whether a media type matches a documented type, which may be
// a range (OpenAPI 3.1, 4.8.14).
func mediaMatches(documented, media string) bool {
	want := mediaType(documented)
	switch {
	case want == media:
		return true
	case want == "*/*":
		return media != ""
	case strings.HasSuffix(want, "/*"):
		return strings.HasPrefix(media, want[:len(want)-1])
	}
	return false
}
