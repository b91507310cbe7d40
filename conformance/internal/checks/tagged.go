package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var tagged = plan.Mutator{
	Name: "tagged",
	Doc:  "Reads a thing with If-None-Match, before and after it changed, because a server may ignore the field, compare it with a stale tag, or know one tag in one form alone (RFC 9110, 13.1.2).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if s.Op.Lists(http.StatusNotModified) == nil {
				continue
			}
			for _, as := range []struct {
				kind string
				form plan.TagForm
			}{{"unchanged", plan.AsCame}, {"listed", plan.AsListed}, {"weak", plan.AsOther}, {"any", plan.AsAny}} {
				if as.form == plan.AsCame || resource.Takes(s.Op, "If-None-Match", as.form.Value(`"right"`)) {
					out = append(out, about(as.kind, []string{"if-none-match", "not-modified", "not-modified-fields"}, 1, func(g *generate.Gen, _ int) []plan.Step {
						return inForm(conditional(row(simplest(g, r.Make), simplest(g, s.Op), simplest(g, s.Op)), "If-None-Match", 1), as.form)
					}))
				}
			}
			if change := writer(r); change != nil {
				out = append(out, about("changed", []string{"modified"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return conditional(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, s.Op), simplest(g, s.Op)), "If-None-Match", 1)
				}))
			}
		}
		return out
	},
}
