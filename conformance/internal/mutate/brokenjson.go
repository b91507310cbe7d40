package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var brokenJSON = plan.Mutator{
	Name: "broken-json",
	Doc:  "Sends text that is not JSON where a parameter or a part of a form is JSON, because a handler that drops the error of its parser takes it for nothing.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.holdsJSON(s) {
				return nil
			}
			texts := []string{"{", "x", `{"a":}`, "{'a':1}", "[1,]", "{}}", "nul"}
			return invalid(s, p.where(), "not-json", texts, func(g *generate.Gen, text string) *message.Message {
				return p.with(g, &jsontree.Value{Kind: jsontree.String, Text: text, Raw: text})
			})
		})
	},
}

// holdsJSON reports whether the place is a parameter or a part of a form that is
// written as JSON.
func (p *place) holdsJSON(s *plan.Space) bool {
	if p.up == nil || p.up.up != nil {
		return false
	}
	return s.Op.JSONAt(strings.TrimPrefix(p.up.at, "/") + "/" + jsontree.EscapePointer(p.name))
}
