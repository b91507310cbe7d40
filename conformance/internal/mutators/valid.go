package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const mildCases = 24

var mild = plan.Mutator{
	Name: "mild",
	Doc:  "The plainest valid request: required members only, small numbers, short ASCII words.",
	Classes: func(s *plan.Space) []plan.Class {
		return []plan.Class{single(s.Slug(familyValid, wholeBody, "mild"), plan.ClaimPlain, mildCases,
			func(g *generate.Gen, _ int) *request.Message { return g.Mild() })}
	},
}

const (
	givenEach    = 4
	combinations = 16
)

var given = plan.Mutator{
	Name: "given",
	Doc:  "Optional members are given: each by itself, and several together.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := optional(s)
		for _, p := range list {
			out = append(out, sorted(s, p.label(), "given", make([]int, givenEach),
				func(g *generate.Gen, _ int) *request.Message { return p.in(g) })...)
			if words := s.Op.Body.Shape.Domains[p.path].Examples; p.schema.Type() == "string" {
				out = append(out, listed(s.Slug(familyEdge, p.label(), "example"), plan.ClaimNothing, words,
					func(g *generate.Gen, w string) *request.Message { return p.with(g, jsontree.NewString(w)) })...)
			}
		}
		if len(list) < 2 {
			return out
		}
		return append(out, sorted(s, wholeBody, "given-together", subsets(len(list)),
			func(g *generate.Gen, set uint64) *request.Message {
				m := g.Mild()
				for i, p := range list {
					if set>>i&1 == 1 {
						p.ensure(g, m.Tree)
					}
				}
				return m
			})...)
	},
}

// optional lists the members that may be left out.
func optional(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if p.member && !p.needed {
			out = append(out, p)
		}
	}
	return out
}

// subsets gives sets of at least two of n things, all of them first.
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

// full gives a message with every optional member, or as many as a plain body
// has room for.
func full(s *plan.Space, g *generate.Gen) *request.Message {
	m := g.Mild()
	for _, p := range optional(s) {
		if strings.Count(p.at, "/") >= 4 {
			continue
		}
		if p.ensure(g, m.Tree); m.Tree.Size() > generate.MostBody {
			p.remove(m.Tree)
		}
	}
	return m
}
