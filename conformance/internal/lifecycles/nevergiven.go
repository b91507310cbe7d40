package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var neverGiven = plan.Mutator{
	Name: "never-given",
	Doc:  "Makes a thing and asks for one whose key no answer gave, because a server may answer such a key with another thing, or an empty one.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Chosen() {
				continue // any key may be in use
			}
			names := contract.Expressions(s.Op.Path)
			path := "path/" + jsontree.EscapePointer(names[len(names)-1])
			out = append(out, about("read", []string{"never-given"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := simplest(g, s.Op)
				m.Set(path, g.Request(s.Op, false).At(path)) // and no longer the value that stands for the key of the thing
				return row(simplest(g, r.Make), m)
			}))
		}
		return out
	},
}
