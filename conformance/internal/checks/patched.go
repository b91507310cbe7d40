package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var patched = plan.Mutator{
	Name: "patched",
	Doc:  "Makes a thing, reads it, patches some members and reads it again, because a server may lose the patch, or the other members. The values include 0, false, an empty text, and null for a member of an object.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Patch == nil || r.Patch.Body == nil {
				continue
			}
			members := r.Patch.Body.Shape.Schema.Properties
			members = members[:min(len(members), mostPatches)]
			nullable := slices.DeleteFunc(slices.Clone(members), func(p *openapi.Property) bool {
				return !p.Schema.Allows("null") || p.Schema.Type() == "null"
			})
			out = append(out, about("read", []string{"stored-patched", "patch-leaves-rest", "created-readable", "etag-changes", "strong-etag"}, len(members)+1+len(nullable), func(g *generate.Gen, draw int) []plan.Step {
				patch := simplest(g, r.Patch)
				if draw == len(members) {
					return together(g, r, members)
				}
				if draw > len(members) {
					patch.Set("/"+jsontree.EscapePointer(nullable[draw-len(members)-1].Name), jsontree.NewNull())
				} else {
					g.Enrich(patch, members[draw:draw+1])
				}
				return row(g.Request(r.Make, true), simplest(g, s.Op), patch, simplest(g, s.Op))
			}))
			out = append(out, removed(s, r, members)...)
			out = append(out, emptied(s, r, members)...)
		}
		return out
	},
}

// together patches each member alone, which shows that it can change, and then all of them in
// one request.
func together(g *generate.Gen, r *resource.Resource, members []*openapi.Property) []plan.Step {
	steps := row(g.Rich(r.Make), simplest(g, r.Read))
	for i := range members {
		alone := simplest(g, r.Patch)
		g.Enrich(alone, members[i:i+1])
		steps = append(steps, plan.Step{Message: alone, About: true, Open: true})
	}
	return append(steps, plan.Step{Message: g.Request(r.Patch, true), About: true}, plan.Step{Message: simplest(g, r.Read), About: true})
}

// mostPatches is how many members are patched, each in a case of its own.
const mostPatches = 8
