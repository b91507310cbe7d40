package lifecycles

import (
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var likeGiven = plan.Mutator{
	Name: "like-given",
	Doc:  "Makes a thing, reads it, and reads it by a key that is a little different, because a server that reads only the beginning of a key, or takes no heed of its letters, finds the thing under keys that no answer gave.",
	Classes: func(s *plan.Space) []plan.Class {
		path := keyOf(s.Op)
		schema := lastOf(s.Op)
		if path == "" || schema == nil {
			return nil
		}
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Chosen() {
				continue // any key may be in use
			}
			for _, l := range likes() {
				if !l.fits(schema) {
					continue
				}
				out = append(out, about(l.name, []string{"never-given"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					m := simplest(g, s.Op)
					if other := l.of(m.At(path).Text); other != "" {
						m.Set(path, jsontree.NewString(other))
					}
					steps := row(simplest(g, r.Make), simplest(g, s.Op), m)
					steps[2].Alike = &plan.Alike{Of: l.of, Invalid: l.invalid}
					return steps
				}))
			}
		}
		return out
	},
}

// lastOf returns the schema of the last expression of a path, if that is all of its segment,
// or nil.
func lastOf(op *contract.Operation) *contract.Schema {
	segment := op.Path[strings.LastIndexByte(op.Path, '/')+1:]
	for _, p := range op.Parameters {
		if p.In == "path" && segment == "{"+p.Name+"}" && p.Style == "simple" && p.Media == "" && p.Schema != nil && keyOf(op) == contract.PathPlace(p.Name) {
			return p.Schema
		}
	}
	return nil
}
