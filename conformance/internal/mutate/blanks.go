package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// blank are texts of nothing but blanks, where a pattern such as \S allows blanks only beside
// other characters. A server that only checks that a text is not empty accepts them.
func (p *place) blank(s *plan.Space) []plan.Class {
	if !p.patterned() || p.section {
		return nil
	}
	least := 1
	if p.schema.MinLength != nil {
		least = max(least, *p.schema.MinLength)
	}
	alone, shape := strings.Repeat(" ", least), s.Op.Body.Shape
	if !shape.Mismatches(p.schema.Pattern, alone) || shape.Mismatches(p.schema.Pattern, " "+generate.Probe(s.Op).BaselineText(p.schema)) {
		return nil
	}
	return invalid(s, p.where(), "blank", []string{alone, strings.Repeat("\t", least)}, func(g *generate.Gen, text string) *message.Message {
		return p.with(g, jsontree.NewString(text))
	})
}
