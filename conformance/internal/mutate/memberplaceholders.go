package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// mostPlaceholders bounds the members that one text names.
const mostPlaceholders = 3

// placeholders are the forms of template languages and format functions; * stands for the name
// of a member.
var placeholders = []string{"{{*}}", "${*}", "{*}%(*)s"}

var memberPlaceholders = plan.Mutator{
	Name: "member-placeholders",
	Doc:  "Sends strings with placeholders for members of the body, such as {{name}} and %(name)s, because code that replaces one placeholder after the other in a template replaces these too.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var names []string
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			if len(names) < mostPlaceholders {
				names = append(names, p.Name)
			}
		}
		if len(names) == 0 {
			return nil
		}
		var texts []string
		for _, form := range placeholders {
			text := ""
			for _, name := range names {
				text += strings.ReplaceAll(form, "*", name)
			}
			texts = append(texts, text+nonceMark)
		}
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			return sorted(s, p.where(), "placeholders", sampleOf(texts, rank(s, p, (*place).free)), func(g *generate.Gen, text string) *message.Message {
				return p.with(g, jsontree.NewString(fill(g, text)))
			})
		})
	},
}
