package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// cut is a place where a text is cut off: at the end of a token, or inside it.
type cut struct {
	token  int
	inside bool
	full   bool
}

// mostCuts is the maximum number of places at which a body is cut off.
const mostCuts = 500

var truncatedBody = plan.Mutator{
	Name: "truncated-body",
	Doc:  "Cuts a valid body off after each token and inside it, because parsers accept the beginning of a text.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var at, within []cut
		for _, isFull := range []bool{false, true} {
			b := cutBase(s, generate.Probe(s.Op), isFull)
			tokens, err := jsontree.Tokens(b)
			if err != nil || isFull && len(b) == len(cutBase(s, generate.Probe(s.Op), false)) {
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
		build := func(g *generate.Gen, c cut) *message.Message {
			m := g.Baseline()
			m.Raw = c.apply(cutBase(s, g, c.full))
			return m
		}
		return append(listed(of(plan.FamilyNotJSON, wholeBody, "cut-off-between", plan.ExpectNotJSON), spread(at, mostCuts), build),
			listed(of(plan.FamilyNotJSON, wholeBody, "cut-off-inside", plan.ExpectNotJSON), spread(within, mostCuts), build)...)
	},
}

func cutBase(s *plan.Space, g *generate.Gen, isFull bool) []byte {
	if isFull {
		return full(s, g).Body()
	}
	return g.Baseline().Body()
}

// apply cuts a body where it was planned, or at the next token at which that breaks it: the target
// may take other lists than those that were planned.
func (c cut) apply(b []byte) []byte {
	tokens, err := jsontree.Tokens(b)
	for i := 0; err == nil && i < len(tokens); i++ {
		short := c.of(b, tokens[(c.token+i)%len(tokens)])
		if _, err := jsontree.Parse(short); err != nil && len(short) > 0 {
			return short
		}
	}
	return b
}

// of cuts a body at one of its tokens.
func (c cut) of(b []byte, t jsontree.Token) []byte {
	if c.inside {
		return b[:(t.Start+t.End)/2]
	}
	return b[:t.End]
}
