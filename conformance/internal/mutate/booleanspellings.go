package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var (
	// Texts that lenient readers take for true or false: a server may do so too.
	booleanTexts = []string{"1", "0", "TRUE", "True", "yes", "on", "t", "FALSE", "no", "off", "F"}
	// Texts that are no boolean for any of them.
	noBooleanTexts = []string{"2", "10", "truex", "tru", "-1", "enabled", "true,false", "00"}
)

var booleanSpellings = plan.Mutator{
	Name: "boolean-spellings",
	Doc:  "Sends text such as 1, TRUE, yes or truex where a parameter or a form has a boolean, because code that reads it takes any text for true, or fails at what it does not know.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "boolean" || p.schema.Enum != nil || p.schema.Const != nil || !p.section && (s.Op.Body == nil || !s.Op.Body.Form()) {
				return nil
			}
			build := func(g *generate.Gen, text string) *message.Message {
				return p.with(g, jsontree.NewString(text))
			}
			return slices.Concat(
				mayRefuse(s, p.where(), "another-spelling", booleanTexts, build),
				ahead(invalid(s, p.where(), "no-boolean", noBooleanTexts, build)))
		})
	},
}
