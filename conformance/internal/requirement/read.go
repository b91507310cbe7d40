package requirement

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
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

// Answer describes an answer. It is nil if there is none.
type Answer struct {
	Status int
	// Media is the content type without parameters, lower case.
	Media string
	// Documented is the documented answer for the status, Form the documented media
	// type that matches; nil if there is none.
	Documented *openapi.Response
	Form       *openapi.Media
	// NotJSON reports whether the media type is another than JSON.
	NotJSON bool
	// Reading is the body as the exact judge reads it; nil if no schema applies.
	Reading *schema.Reading
	// Headers are the readings of the documented header fields, in their order; nil
	// for a field that is not there or has no schema.
	Headers []*schema.Reading
	// Told reports whether the body tells that the request is refused: see Operation.Tells.
	Told bool
}

// Success reports whether the answer is 2xx and its body tells no refusal.
func (g *Answer) Success() bool { return g != nil && g.Status/100 == 2 && !g.Told }

// Missing reports whether the answer says that the resource is not there (404 or 410).
func (g *Answer) Missing() bool {
	return g != nil && (g.Status == http.StatusNotFound || g.Status == http.StatusGone)
}

// Redirect reports whether the answer is a redirect (3xx) that the document lists.
func (g *Answer) Redirect() bool {
	return g != nil && g.Status/100 == 3 && g.Documented != nil && g.Documented.Matches(g.Status)
}

// Accepts reports whether the answer accepts a valid request: a success, or a
// documented redirect.
func (g *Answer) Accepts() bool { return g.Success() || g.Redirect() }

// Refusal reports whether the answer is 4xx, or its body tells a refusal.
func (g *Answer) Refusal() bool { return g != nil && (g.Status/100 == 4 || g.Told) }

// String names an answer without the values that differ from one request to the
// next: "400 Bad Request, an Error".
func (g *Answer) String() string {
	out := strconv.Itoa(g.Status)
	if t := http.StatusText(g.Status); t != "" {
		out += " " + t
	}
	switch {
	case g.Reading != nil && g.Form != nil && g.Form.Shape != nil && g.Form.Shape.Schema.Phrase() != "" && g.Reading.Kind == schema.MustAccept:
		return out + ", " + g.Form.Shape.Schema.Phrase()
	case g.Media == "":
		return out + ", no media type"
	}
	return out + ", " + g.Media
}

// Field returns the value of a documented header field of the answer, or nil.
func (g *Answer) Field(name string) *jsontree.Value {
	if g == nil || g.Documented == nil {
		return nil
	}
	for i, h := range g.Documented.Headers {
		if strings.EqualFold(h.Name, name) && i < len(g.Headers) {
			return g.Headers[i].Root()
		}
	}
	return nil
}

// Page returns the answer as one that lists resources.
func (g *Answer) Page() resource.Page { return resource.Page{Root: g.Reading.Root(), Field: g.Field} }

// TraceStep is a request of the same case that was sent before, with its answer.
type TraceStep struct {
	Op   *openapi.Operation
	Sent *message.Sent
	Got  *Answer
	// Key is the value that names the resource in the path, as the request has it; nil for
	// the request that made it.
	Key *jsontree.Value
	// Tag is the entity tag of the answer, as it came; Modified is its Last-Modified.
	Tag, Modified string
	// Repeated are the fields of the answer that an answer 304 repeats, in their order.
	Repeated []string
	// Type is the Content-Type of the answer. Body has the bytes as they came, in the content coding
	// Coding.
	Type, Coding string
	Body         []byte
	// Cached reports whether the answer came from a cache, and may be older than it (RFC
	// 9111, 5.1).
	Cached bool
	// Aside says that the request is about a part of the resource, does something with it, or
	// is about another resource: what it changes is not known.
	Aside bool
}

// Repeated lists the fields of an answer that 304 repeats, of those that say something of a
// representation or of how to keep it (RFC 9110, 15.4.5).
func Repeated(r *exchange.Response) []string {
	var out []string
	for _, name := range []string{"ETag", "Content-Location", "Cache-Control", "Expires", "Vary"} {
		if r.Get(name) != "" {
			out = append(out, name)
		}
	}
	return out
}

// Reads reports whether the request only reads.
func (e *TraceStep) Reads() bool {
	return e.Op.Method == http.MethodGet || e.Op.Method == http.MethodHead || e.Op.Method == http.MethodOptions
}

// Deleted reports whether a request before this one deleted the resource that the case is
// about.
func (p *Input) Deleted() bool {
	for _, e := range p.History {
		if e.Op.Method == http.MethodDelete && !e.Aside && e.Got.Success() {
			return true
		}
	}
	return false
}

// Made returns the request that made the resource, or nil if no case is about one.
func (p *Input) Made() *TraceStep {
	if len(p.History) == 0 {
		return nil
	}
	return &p.History[0]
}

// Retagged reports whether the last request that read the resource got another entity tag
// than the first one: the resource changed in between.
func (p *Input) Retagged() bool {
	last := p.Last(http.MethodGet)
	for _, e := range p.History {
		if e.Op.Method == http.MethodGet {
			return e.Tag != "" && last.Tag != "" && e.Tag != last.Tag
		}
	}
	return false
}

// Last returns the last request before this one with a method, or nil. It is about the
// thing as a whole.
func (p *Input) Last(method string) *TraceStep {
	for i := len(p.History) - 1; i >= 0; i-- {
		if e := &p.History[i]; e.Op.Method == method && !e.Aside {
			return e
		}
	}
	return nil
}

// Wrote returns the last request before this one that does not only read, and its place in
// the history. It is nil if there is none.
func (p *Input) Wrote() (*TraceStep, int) {
	for i := len(p.History) - 1; i >= 0; i-- {
		if e := &p.History[i]; !e.Reads() {
			return e, i
		}
	}
	return nil, -1
}
