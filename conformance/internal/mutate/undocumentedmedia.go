package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var undocumentedMedia = plan.Mutator{
	Name: "undocumented-media",
	Doc:  "Sends a valid body under a media type that the document does not list, where it lists 415, because that answer is rarely tried: a server may take the body, but what it says of a refusal is documented.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.Refuses415() {
			return nil
		}
		list := slices.DeleteFunc([]string{"application/x-conformance", "text/x-conformance"}, s.Op.Documents)
		return ahead(listed(of(plan.FamilyMayRefuse, transport, "unknown", plan.ExpectMayRefuse), list, func(g *generate.Gen, media string) *message.Message {
			m := g.Baseline()
			m.Fields = append(m.Fields, fieldOf("Content-Type", media)...)
			return m
		}))
	},
}
