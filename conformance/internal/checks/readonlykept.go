package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var readOnlyKeptScenario = plan.Mutator{
	Name: "read-only-kept",
	Doc:  "Sends values of readOnly members and reads the thing, because a server may bind a whole body to what it stores. It may ignore or refuse them.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, write := range r.TakesReadOnly() {
				out = append(out, about(openapi.Slug(write.Slug), []string{"read-only-kept"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					m, read := withReadOnly(g, write), simplest(g, s.Op)
					if write == r.Make {
						steps := row(m, read)
						steps[0].Open = true
						return steps
					}
					steps := row(simplest(g, r.Make), m, read)
					steps[1].Open = true
					return steps
				}))
			}
		}
		return out
	},
}

// withReadOnly returns a request with values of its own for the readOnly members.
func withReadOnly(g *generate.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	for _, p := range op.ReadOnly() {
		m.Set("/"+jsontree.EscapePointer(p.Name), g.BaselineValue(p.Schema))
	}
	return m
}
