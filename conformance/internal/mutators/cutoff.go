package mutators

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

// cut is where a text ends: at the end of a token, or inside it.
type cut struct {
	token  int
	inside bool
	full   bool
}

// mostCuts is the number of places of a body where it is cut, at most.
const mostCuts = 500

var cutOff = plan.Mutator{
	Name: "cut-off",
	Doc:  "A valid body that ends too early: behind each token and inside it.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Body == nil {
			return nil
		}
		var at, within []cut
		for _, isFull := range []bool{false, true} {
			b := cutBase(probe(s), isFull)
			tokens, err := jsontree.Tokens(b)
			if err != nil || isFull && len(b) == len(cutBase(probe(s), false)) {
				continue
			}
			for i, t := range tokens {
				for _, c := range []cut{{i, false, isFull}, {i, true, isFull}} {
					if _, err := jsontree.Parse(c.of(b, t)); err == nil || c.inside && t.End-t.Start < 2 {
						continue
					}
					if c.inside {
						within = append(within, c)
					} else {
						at = append(at, c)
					}
				}
			}
		}
		build := func(g *plan.Gen, c cut) *plan.Message {
			m := g.Mild()
			m.Raw = c.apply(cutBase(g, c.full))
			return m
		}
		return append(listed(s.Slug(familyNotJSON, wholeBody, "cut-off-between"), plan.ClaimNotJSON, spread(at, mostCuts), build),
			listed(s.Slug(familyNotJSON, wholeBody, "cut-off-inside"), plan.ClaimNotJSON, spread(within, mostCuts), build)...)
	},
}

func cutBase(g *plan.Gen, isFull bool) []byte {
	if isFull {
		return full(g).Body()
	}
	return g.Mild().Body()
}

func (c cut) apply(b []byte) []byte {
	tokens, err := jsontree.Tokens(b)
	if err != nil || c.token >= len(tokens) {
		return b
	}
	return c.of(b, tokens[c.token])
}

// of cuts a body at one of its tokens.
func (c cut) of(b []byte, t jsontree.Token) []byte {
	if c.inside {
		return b[:(t.Start+t.End)/2]
	}
	return b[:t.End]
}
