package requirement

import (
	"net/http"
	"strconv"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
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
	// Type is the Content-Type of the answer. Size is the number of bytes of its body as they
	// came, in the content coding Coding.
	Type, Coding string
	Size         int
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
