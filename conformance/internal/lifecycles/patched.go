package lifecycles

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var patched = plan.Mutator{
	Name: "patched",
	Doc:  "Makes a thing, reads it, patches one member and reads it again, because a server may lose the patch, or the other members.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Patch == nil || r.Patch.Body == nil {
				continue
			}
			members := generate.Optional(r.Patch)
			out = append(out, about("read", []string{"stored-patched", "patch-leaves-rest", "etag-changes"}, max(1, min(len(members), mostPatches)), func(g *generate.Gen, draw int) []plan.Step {
				patch := simplest(g, r.Patch)
				if draw < len(members) {
					g.Give(patch, members[draw:draw+1])
				}
				return row(g.Request(r.Make, true), simplest(g, s.Op), patch, simplest(g, s.Op))
			}))
		}
		return out
	},
}

// mostPatches is how many members are patched, each alone.
const mostPatches = 6
