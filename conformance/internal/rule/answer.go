package rule

import (
	"net/http"
	"strconv"

	"plantstore/conformance/internal/openapi"
)

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
	Reading *openapi.Reading
	// Headers are the readings of the documented header fields, in their order; nil
	// for a field that is not there or has no schema.
	Headers []*openapi.Reading
	// Told reports whether the body tells that the request is refused: see Operation.Tells.
	Told bool
}

// Success reports whether the answer is 2xx and its body tells no refusal.
func (g *Answer) Success() bool { return g != nil && g.Status/100 == 2 && !g.Told }

// Missing reports whether the answer says that the thing is not there (404 or 410).
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
	case g.Reading != nil && g.Form != nil && g.Form.Shape != nil && g.Form.Shape.Schema.Phrase() != "" && g.Reading.Kind == openapi.MustAccept:
		return out + ", " + g.Form.Shape.Schema.Phrase()
	case g.Media == "":
		return out + ", no media type"
	}
	return out + ", " + g.Media
}
