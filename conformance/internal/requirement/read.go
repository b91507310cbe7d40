package requirement

import (
	"errors"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

// Read describes the answer of an exchange, or returns nil if there is no complete
// one.
func Read(op *openapi.Operation, e *exchange.Exchange) *Answer {
	if e.Response == nil || e.Failure != nil {
		return nil
	}
	g := ReadAs(op, e, op.Response(e.Response.Status))
	if g.Reading != nil && g.Status/100 == 2 && op.OnlySuccesses() {
		body := g.Reading.Root()
		if body == nil && g.NotJSON && e.Response.ContentErr == nil {
			body = xmlMembers(e.Response.Content)
		}
		g.Told = op.Tells(body)
	}
	return g
}

// ReadAs reads the complete answer of an exchange as a documented one, whatever its status
// is. There may be none.
func ReadAs(op *openapi.Operation, e *exchange.Exchange, documented *openapi.Response) *Answer {
	r := e.Response
	g := &Answer{Status: r.Status, Documented: documented}
	g.Media = mediaOfAll(r.Values("Content-Type"))
	if g.Documented == nil {
		return g
	}
	for _, h := range g.Documented.Headers {
		g.Headers = append(g.Headers, h.Read(r.Values(h.Name)))
	}
	g.NotJSON = !openapi.IsJSON(g.Media)
	g.Form = formOf(g.Documented, g.Media, r.Get("Content-Type"))
	if got := (&openapi.Media{Type: g.Media}); g.Form != nil && g.NotJSON && got.XML() && r.ContentErr == nil && op.Method != "HEAD" {
		g.Reading = readXML(r.Content)
		return g
	}
	if g.Form != nil && g.Form.Shape != nil && r.ContentErr == nil && op.Method != "HEAD" {
		if g.Form.Items {
			g.Reading = readItems(g.Form, g.Media, r)
			return g
		}
		if g.NotJSON {
			g.Reading = readForm(g.Form, g.Media, r.Get("Content-Type"), r.Content)
		} else {
			g.Reading = g.Form.Shape.Read(r.Content)
		}
		if r.Open && g.Reading != nil && g.Reading.Kind != schema.MustAccept {
			g.Reading = nil // the rest may be what is missing
		}
	}
	return g
}

// formOf returns the documented media type that fits best: one with the same
// parameters before one without, a type before a range (OpenAPI 3.1, 4.8.14.1).
func formOf(doc *openapi.Response, media, contentType string) *openapi.Media {
	var best *openapi.Media
	maximum := 0
	for i := range doc.Media {
		m := &doc.Media[i]
		fit := 0
		switch {
		case !mediaMatches(m.Type, media):
			continue
		case m.Type == "*/*":
			fit = 1
		case m.Range():
			fit = 2
		case m.Type == media:
			fit = 4
		case hasParameters(contentType, m.Type):
			fit = 5
		default:
			fit = 3
		}
		if fit > maximum {
			best, maximum = m, fit
		}
	}
	return best
}

// hasParameters reports whether a content type has the parameters of a documented
// one.
func hasParameters(contentType, documented string) bool {
	_, has, err := mime.ParseMediaType(contentType)
	_, want, bad := mime.ParseMediaType(documented)
	for name, value := range want {
		if !strings.EqualFold(has[name], value) {
			return false
		}
	}
	return err == nil && bad == nil
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

// readForm reads a body that is not JSON. It returns nil if it cannot be judged: the
// charset is not known here, or readers read it in different ways.
func readForm(m *openapi.Media, media, contentType string, body []byte) *schema.Reading {
	isText := strings.HasPrefix(media, "text/")
	if !serialize.SupportsForm(media) || !isText && media != "application/x-www-form-urlencoded" && media != "multipart/form-data" {
		return nil // only its own readers can tell
	}
	text := string(body)
	if isText {
		var err error
		if text, err = decoded(contentType, body); err != nil {
			return &schema.Reading{Kind: schema.NotJSON, Syntax: err}
		} else if text == "" && len(body) > 0 {
			return nil
		}
		// The text is decoded.
		contentType = media
	}
	first := readText(m, media, contentType, text)
	if trimmed := strings.TrimRight(text, "\r\n"); isText && trimmed != text && (first == nil || first.Kind != schema.MustAccept) {
		// A line end behind the value does not matter.
		if r := readText(m, media, contentType, trimmed); r != nil && r.Kind == schema.MustAccept {
			return r
		}
	}
	return first
}

func readText(m *openapi.Media, media, contentType, text string) *schema.Reading {
	r := serialize.ReadFormBody(media, m.Shape.Schema, m.Encoding, contentType, []byte(text))
	switch {
	case r.Malformed != nil:
		return &schema.Reading{Kind: schema.NotJSON, Syntax: r.Malformed}
	case r.Ambiguous:
		return nil
	}
	return m.Shape.ReadValue(r.Value, nil, schema.Bindings{})
}

// decoded returns a text in UTF-8, or an empty one if the charset is not known here. A
// text without a charset may be ISO 8859-1 (RFC 2046, 4.1.2; RFC 6657, 4).
func decoded(contentType string, body []byte) (string, error) {
	_, params, _ := mime.ParseMediaType(contentType)
	charset := strings.ToLower(params["charset"])
	switch {
	case charset == "" || charset == "utf-8" || charset == "us-ascii":
		if utf8.Valid(body) {
			return string(body), nil
		}
		if charset != "" {
			return "", errors.New("bytes that are not " + charset)
		}
	case charset != "iso-8859-1":
		return "", nil
	}
	var b strings.Builder
	for _, c := range body {
		b.WriteRune(rune(c))
	}
	return b.String(), nil
}
