package mutate

import (
	"cmp"
	"slices"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const (
	mostSlips  = 3
	slipTries  = 32
	slipLetter = "{}[]:,\"\\'0123456789.+-eEtfnulrsa/* \n\x00\t#;=()<>"
)

// slips draws a few random changes of single bytes.
func slips(b []byte) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		out := slices.Clone(b)
		for range 1 + p.Rng.Intn(mostSlips) {
			if len(out) < 2 {
				break
			}
			i := p.Rng.Intn(len(out))
			c := slipLetter[p.Rng.Intn(len(slipLetter))]
			switch p.Rng.Intn(4) {
			case 0:
				out = slices.Delete(out, i, i+1)
			case 1:
				out = slices.Insert(out, i, c)
			case 2:
				out[i] = c
			default:
				j := max(1, i)
				out[j-1], out[j] = out[j], out[j-1]
			}
		}
		return gopter.NewGenResult(out, gopter.NoShrinker)
	}
}

var randomSyntaxErrors = plan.Mutator{
	Name: "random-syntax-errors",
	Doc:  "Changes random characters of a valid body, because a fixed list of syntax errors misses some.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		return []plan.Class{single(of(plan.FamilyNotJSON, wholeBody, "random", plan.ExpectNotJSON), cmp.Or(s.Draws/2, 1),
			func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				b := m.Body()
				m.Raw = append(slices.Clone(b), '}')
				for range slipTries {
					drawn, _ := slips(b)(g.Params()).Retrieve()
					if _, err := jsontree.Parse(drawn.([]byte)); err != nil {
						m.Raw = drawn.([]byte)
						break
					}
				}
				return m
			})}
	},
}
