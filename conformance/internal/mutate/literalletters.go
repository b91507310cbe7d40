package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// letterChanges replace one letter of a literal with something that a careless
// comparison takes for it.
var letterChanges = []func(c string) string{
	strings.ToUpper,
	func(c string) string { return string(rune(c[0] + 1)) },
	func(c string) string { return string(rune(c[0]) - 'a' + 'ａ') }, // in full width
}

var literalLetters = plan.Mutator{
	Name: "literal-letters",
	Doc:  "Changes one letter of true, false and null in an unknown member, because scanners look at the first letter and the length.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || generate.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
			return nil
		}
		var list []string
		for _, word := range []string{"true", "false", "null"} {
			for i := range word {
				for k, change := range letterChanges {
					if k < 2 || i == len(word)-1 {
						list = append(list, word[:i]+change(word[i:i+1])+word[i+1:])
					}
				}
			}
		}
		var out []plan.Class
		for _, in := range []struct{ kind, before, behind string }{{"member", "", ""}, {"item", "[1,", "]"}} {
			texts := list
			if in.kind == "item" {
				texts = spread(list, len(list)/3)
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, in.kind, plan.ExpectNotJSON), texts, func(g *generate.Gen, text string) *message.Message {
				m := g.Baseline()
				m.Raw = insideObject(m, `"`+stray+`":`+in.before+text+in.behind)
				return m
			})...)
		}
		return out
	},
}
