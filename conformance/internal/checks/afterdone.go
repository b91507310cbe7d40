package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var afterDone = plan.Mutator{
	Name: "after-done",
	Doc:  "Makes a thing, does something with it and then calls each operation that names it, including the same one again, because a server may fail only in a state that it did not expect.",
	Classes: func(s *plan.Space) []plan.Class {
		if drawnFor(s) == 0 {
			return nil
		}
		var out []plan.Class
		for _, r := range naming(s) {
			for _, op := range stateful(r) {
				c := answerClass(s.Op, openapi.Slug(op.Slug), 1, func(g *generate.Gen, _ int) []plan.Step {
					act := doing(g, op)
					act.Ready = true
					return thenNamed(g, r, s.Op, 0, append(row(simplest(g, r.Make)), act)...)
				})
				c.Drawn = true // most failures occur without the steps before
				out = append(out, c)
			}
		}
		return out
	},
}

// stateful lists the actions that may change the state of a thing. Those that only create
// something below it come last.
func stateful(r *resource.Resource) []*openapi.Operation {
	list := slices.DeleteFunc(allActions(r), resource.OnlyAsks)
	slices.SortStableFunc(list, func(a, b *openapi.Operation) int { return creates(a) - creates(b) })
	return list[:min(len(list), mostActions)]
}

// creates is 1 for an operation that makes something, and else 0.
func creates(op *openapi.Operation) int {
	if op.Lists(http.StatusCreated) != nil {
		return 1
	}
	return 0
}
