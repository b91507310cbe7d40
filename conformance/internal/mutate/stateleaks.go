package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

const leakRounds = 4

var stateLeaks = plan.Mutator{
	Name: "state-leaks",
	Doc:  "Sends requests whose responses must contain nothing of the request before, because servers reuse buffers and objects.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			switch {
			case p.Schema.Never || p.Schema.ReadOnly:
			case !p.Required:
				out = append(out, several(openapi.NameSlug(p.Name)+"-then-absent", plan.ExpectMustAccept, 2, 1, func(g *generate.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						with := g.Baseline()
						with.Tree.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
						steps = append(steps, plan.Step{Message: with}, follow(g.Baseline(), way))
					}
					return steps
				}))
				out = append(out, several("refused-"+openapi.NameSlug(p.Name)+"-then-absent", plan.ExpectMustAccept, 2, 1, func(g *generate.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						with := g.Baseline()
						with.Tree.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
						nullify(s, with)
						steps = append(steps, plan.Step{Message: with}, follow(g.Baseline(), way))
					}
					return steps
				}))
			case free(p.Schema):
				out = append(out, several("long-"+openapi.NameSlug(p.Name)+"-then-short", plan.ExpectMustAccept, 2, 1, func(g *generate.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						long := g.Baseline()
						w := g.Word()
						long.Tree.Set(p.Name, jsontree.NewString(strings.Repeat("e", longText-len(w))+w))
						steps = append(steps, plan.Step{Message: long}, follow(g.Baseline(), way))
					}
					return steps
				}))
			}
		}
		list := spoils(s)
		if len(list) == 0 {
			return out
		}
		// Each refused request leaves its values behind; the last answer must
		// carry none of them.
		return append(out, several("after-many-refused", plan.ExpectMustAccept, 2, ways, func(g *generate.Gen, draw int) []plan.Step {
			var steps []plan.Step
			for i := range min(len(list), roomFor(s, 40)-1) {
				if list[i].kind == "large" || list[i].kind == "huge" {
					continue
				}
				m := g.Baseline()
				list[i].apply(m)
				steps = append(steps, plan.Step{Message: m})
			}
			return append(steps, follow(g.Baseline(), draw))
		}))
	},
}

// nullify makes a body invalid and keeps what else it says: a required member
// becomes null.
func nullify(s *plan.Space, m *message.Message) {
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Required && !p.Schema.Allows("null") {
			m.Tree.Set(p.Name, jsontree.NewNull())
			return
		}
	}
}
