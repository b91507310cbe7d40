package lifecycles

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
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
			path := keyOf(s.Op)
			if path == "" {
				continue
			}
			out = append(out, about("read", []string{"never-given"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := simplest(g, s.Op)
				m.Set(path, g.Request(s.Op, false).At(path)) // and no longer the value that stands for the key of the thing
				return row(simplest(g, r.Make), m)
			}))
		}
		return out
	},
}

// keyOf returns where a request has the key of a thing: the last expression of the path
// that another answer has to fill in. It is empty if there is none.
func keyOf(op *contract.Operation) string {
	names := contract.Expressions(op.Path)
	for i := len(names) - 1; i >= 0; i-- {
		if path := contract.PathPlace(names[i]); slices.Contains(op.Bind, path) {
			return path
		}
	}
	return ""
}
