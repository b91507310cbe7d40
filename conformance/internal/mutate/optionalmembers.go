package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var optionalMembers = plan.Mutator{
	Name: "optional-members",
	Doc:  "Adds optional members, each alone and several together, because a server must neither require nor refuse what the document lists as optional.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := optional(s)
		for _, p := range list {
			out = append(out, sorted(s, p.where(), "present", make([]int, givenEach),
				func(g *generate.Gen, _ int) *message.Message { return p.in(g) })...)
			if words := p.domain(s).Examples; p.schema.Type() == "string" {
				out = append(out, listed(of(plan.FamilyMayRefuse, p.where(), "example", plan.ExpectNothing), words,
					func(g *generate.Gen, w string) *message.Message { return p.with(g, jsontree.NewString(w)) })...)
			}
		}
		if len(list) < 2 {
			return out
		}
		return append(out, sorted(s, wholeBody, "present-together", subsets(len(list)),
			func(g *generate.Gen, set uint64) *message.Message {
				m := g.Baseline()
				for i, p := range list {
					if set>>i&1 == 1 {
						p.ensure(g, m)
					}
				}
				return m
			})...)
	},
}

// combinations bounds the sets of optional members that are tried.
const combinations = 16

// subsets returns sets of at least two of n things, all of them first.
func subsets(n int) []uint64 {
	n = min(n, 60)
	all := uint64(1)<<n - 1
	out := []uint64{all}
	for i := range n {
		if n > 2 {
			out = append(out, all&^(1<<i))
		}
	}
	for i := 0; i+1 < n && n > 3; i++ {
		out = append(out, 3<<i)
	}
	return out[:min(len(out), combinations)]
}
