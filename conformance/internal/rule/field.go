package rule

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/resource"
)

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

// Page returns the answer as one that lists things.
func (g *Answer) Page() resource.Page { return resource.Page{Root: g.Reading.Root(), Field: g.Field} }
