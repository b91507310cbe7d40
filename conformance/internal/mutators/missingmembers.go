package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const missingEach = 4

var missingMembers = plan.Mutator{
	Name: "missing-members",
	Doc:  "Leaves out one or two required members, because servers often fill in a default for a missing member.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := required(s)
		for i, p := range list {
			out = append(out, invalid(s, p.where(), "missing", make([]int, missingEach), without(p))...)
			for _, q := range list[i+1:] {
				if q.up == p.up {
					out = append(out, invalid(s, p.up.where(), "missing-"+lastPart(p)+"-"+lastPart(q), make([]int, 1), without(p, q))...)
				}
			}
		}
		return out
	},
}

// without returns a baseline request that lacks the members.
func without(list ...*place) func(*generate.Gen, int) *request.Message {
	return func(g *generate.Gen, _ int) *request.Message {
		m := list[0].in(g)
		for _, p := range list {
			if up := p.up.get(m); up != nil {
				up.Remove(p.name)
			}
		}
		return m
	}
}

func lastPart(p *place) string { return p.slug[strings.LastIndexByte(p.slug, '.')+1:] }
