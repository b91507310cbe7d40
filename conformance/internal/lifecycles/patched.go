package lifecycles

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var patched = plan.Mutator{
	Name: "patched",
	Doc:  "Makes a thing, reads it, patches some members and reads it again, because a server may lose the patch, or the other members.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Patch == nil || r.Patch.Body == nil {
				continue
			}
			members := r.Patch.Body.Shape.Schema.Properties
			members = members[:min(len(members), mostPatches)]
			nullable := slices.DeleteFunc(slices.Clone(members), func(p *contract.Property) bool {
				return !p.Schema.Allows("null") || p.Schema.Type() == "null"
			})
			out = append(out, about("read", []string{"stored-patched", "patch-leaves-rest", "etag-changes"}, len(members)+1+len(nullable), func(g *generate.Gen, draw int) []plan.Step {
				patch := simplest(g, r.Patch)
				if draw == len(members) {
					return row(g.Rich(r.Make), simplest(g, s.Op), g.Request(r.Patch, true), simplest(g, s.Op))
				}
				if draw > len(members) {
					patch.Set("/"+jsontree.EscapePointer(nullable[draw-len(members)-1].Name), jsontree.NewNull())
				} else {
					g.Enrich(patch, members[draw:draw+1])
				}
				return row(g.Request(r.Make, true), simplest(g, s.Op), patch, simplest(g, s.Op))
			}))
		}
		return out
	},
}

// mostPatches is how many members are patched, each in a case of its own.
const mostPatches = 8
