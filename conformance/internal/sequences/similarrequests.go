package sequences

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// similarCases are on one connection and on a fresh one.
const similarCases = 2

// similarTexts make a text that careless code takes for the same.
var similarTexts = []struct {
	kind string
	of   func(string) string
}{
	{"same", func(t string) string { return t }},
	{"upper", strings.ToUpper},
	{"blanks", func(t string) string { return " " + t + " " }},
	{"longer", func(t string) string { return t + "x" }},
	{"reversed", func(t string) string {
		b := []byte(t)
		slices.Reverse(b)
		return string(b)
	}},
}

var similarRequests = plan.Mutator{
	Name: "similar-requests",
	Doc:  "Sends a request behind or beside one whose member looks the same, both with optional members of their own, because a cache that looks at too little gives the answer to the first.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		optional := told(s)
		if len(optional) == 0 {
			return nil
		}
		var out []plan.Class
		for _, name := range scalars(s) {
			p := s.Op.Body.Shape.Schema.Property(name)
			if p == nil {
				continue
			}
			slug := contract.NameSlug(name)
			for _, k := range similarTexts {
				if k.kind != "same" && !free(p.Schema) {
					continue
				}
				out = append(out, several(slug+"-"+k.kind, plan.ExpectNothing, 2, similarCases, func(g *generate.Gen, draw int) []plan.Step {
					one, two := telling(g, optional), telling(g, optional)
					v := one.Tree.Get(name).Clone()
					v.Text = k.of(v.Text)
					two.Tree.Set(name, v)
					return []plan.Step{{Message: one}, follow(two, draw)}
				}))
			}
			out = append(out, several(slug+"-at-once", plan.ExpectNothing, parallelConnections, parallelCases, func(g *generate.Gen, _ int) []plan.Step {
				return rounds(g, 2, func() []*request.Message {
					list := make([]*request.Message, parallelConnections)
					for i := range list {
						list[i] = telling(g, optional)
						list[i].Tree.Set(name, list[0].Tree.Get(name).Clone())
					}
					return list
				})
			}))
		}
		return append(out, joinedKeys(s, optional)...)
	},
}

// joins stand between the parts of a key that is made of several texts.
var joins = []string{"", "|", ":", "-", ",", "/"}

// joinedKeys are pairs of requests whose texts are the same, one after the other.
func joinedKeys(s *plan.Space, optional []*contract.Property) []plan.Class {
	for _, name := range scalars(s) {
		p := s.Op.Body.Shape.Schema.Property(name)
		if p == nil || !free(p.Schema) || !p.Required {
			continue
		}
		return []plan.Class{several(contract.NameSlug(name)+"-joined", plan.ExpectNothing, 1, len(joins), func(g *generate.Gen, draw int) []plan.Step {
			one, two := g.Baseline(), g.Baseline()
			first, between, last := g.Word(), g.Word(), g.Word()
			one.Tree.Set(name, jsontree.NewString(first))
			one.Tree.Set(optional[0].Name, jsontree.NewString(between+joins[draw]+last))
			two.Tree.Set(name, jsontree.NewString(first+joins[draw]+between))
			two.Tree.Set(optional[0].Name, jsontree.NewString(last))
			return row(one, two)
		})}
	}
	return nil
}

// told lists the optional members that take any text.
func told(s *plan.Space) []*contract.Property {
	var out []*contract.Property
	for _, p := range s.Op.Body.Shape.Schema.Optional() {
		if free(p.Schema) && !p.Schema.ReadOnly && !p.Schema.Never {
			out = append(out, p)
		}
	}
	return out
}

// telling is a baseline request with a fresh text in each optional member, so that its
// answer is told from others.
func telling(g *generate.Gen, optional []*contract.Property) *request.Message {
	m := g.Baseline()
	for _, p := range optional {
		m.Tree.Set(p.Name, jsontree.NewString(g.Word()))
	}
	return m
}
