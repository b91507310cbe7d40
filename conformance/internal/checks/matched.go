package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var matched = plan.Mutator{
	Name: "matched",
	Doc:  "Writes a thing with a list of tags in If-Match that has the current one, with an asterisk, and with the current one as a weak tag, because a server may compare the field as one text, or cut off W/ (RFC 9110, 13.1.1).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			writes := s.Op == r.Replace || s.Op == r.Patch || s.Op == r.Delete
			if !writes || r.Read == nil || s.Op.Lists(http.StatusPreconditionFailed) == nil {
				continue
			}
			// The first write shows what the target makes of the plain form.
			build := func(g *generate.Gen, first, then plan.TagForm) []plan.Step {
				steps := inForm(conditional(row(simplest(g, r.Make), simplest(g, r.Read), simplest(g, s.Op)), "If-Match", 1), first)
				steps[2].Open = first == plan.AsForeign
				steps = append(steps, row(nil, simplest(g, r.Read), simplest(g, s.Op))[1:]...)
				return inForm(conditional(steps, "If-Match", 3), then)
			}
			if s.Op != r.Delete && takesTag(s.Op, plan.AsListed) {
				out = append(out, about("listed", []string{"match-listed"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return build(g, plan.AsCame, plan.AsListed)
				}))
			}
			if s.Op != r.Delete && takesTag(s.Op, plan.AsAny) {
				out = append(out, about("any", []string{"match-existing"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return build(g, plan.AsCame, plan.AsAny)
				}))
			}
			if takesTag(s.Op, plan.AsForeign) && takesTag(s.Op, plan.AsWeak) {
				out = append(out, about("weak", []string{"match-weak"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return build(g, plan.AsForeign, plan.AsWeak)
				}))
			}
		}
		return out
	},
}
