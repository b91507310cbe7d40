package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// similarCases are on one connection and on a fresh one.
const similarCases = 2

// similarText makes two texts from one that careless code takes for the same.
type similarText struct {
	kind     string
	one, two func(string) string
	optional bool // also for optional members
}

var similarTexts = []similarText{
	{"same", asItIs, asItIs, false},
	{"upper", asItIs, strings.ToUpper, true},
	{"accents", func(t string) string { return t + "é" }, func(t string) string { return t + "e" }, true},
	{"blanks", asItIs, func(t string) string { return " " + t + " " }, false},
	{"longer", asItIs, func(t string) string { return t + "x" }, false},
	{"reversed", asItIs, func(t string) string {
		b := []byte(t)
		slices.Reverse(b)
		return string(b)
	}, false},
}

func asItIs(t string) string { return t }

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
			slug := openapi.NameSlug(name)
			for _, k := range similarTexts {
				if k.kind != "same" && !free(p.Schema) {
					continue
				}
				out = append(out, similar(name, k, optional))
			}
			out = append(out, several(slug+"-at-once", plan.ExpectNothing, parallelConnections, parallelCases, func(g *plan.Gen, _ int) []plan.Step {
				return rounds(g, 2, func() []*message.Message {
					list := make([]*message.Message, parallelConnections)
					for i := range list {
						list[i] = tellingOptional(g, optional)
						list[i].Tree.Set(name, list[0].Tree.Get(name).Clone())
					}
					return list
				})
			}))
		}
		for _, k := range similarTexts {
			if k.optional {
				out = append(out, similar(optional[0].Name, k, optional))
			}
		}
		return append(out, joinedKeys(s, optional)...)
	},
}

// similar sends one request after the other, with similar texts in a member.
func similar(name string, k similarText, optional []*schema.Property) plan.Class {
	return several(openapi.NameSlug(name)+"-"+k.kind, plan.ExpectNothing, 2, similarCases, func(g *plan.Gen, draw int) []plan.Step {
		one, two := tellingOptional(g, optional), tellingOptional(g, optional)
		v := one.Tree.Get(name)
		first, second := v.Clone(), v.Clone()
		first.Text, second.Text = k.one(v.Text), k.two(v.Text)
		one.Tree.Set(name, first)
		two.Tree.Set(name, second)
		return []plan.Step{{Message: one}, follow(two, draw)}
	})
}

// joins stand between the parts of a key that is made of several texts.
var joinSigns = []string{"", "|", ":", "-", ",", "/"}

// joinedKeys are pairs of requests whose texts are the same, one after the other.
func joinedKeys(s *plan.Space, optional []*schema.Property) []plan.Class {
	for _, name := range scalars(s) {
		p := s.Op.Body.Shape.Schema.Property(name)
		if p == nil || !free(p.Schema) || !p.Required {
			continue
		}
		return []plan.Class{several(openapi.NameSlug(name)+"-joined", plan.ExpectNothing, 1, len(joinSigns), func(g *plan.Gen, draw int) []plan.Step {
			one, two := g.Baseline(), g.Baseline()
			first, between, last := g.Word(), g.Word(), g.Word()
			one.Tree.Set(name, jsontree.NewString(first))
			one.Tree.Set(optional[0].Name, jsontree.NewString(between+joinSigns[draw]+last))
			two.Tree.Set(name, jsontree.NewString(first+joinSigns[draw]+between))
			two.Tree.Set(optional[0].Name, jsontree.NewString(last))
			return row(one, two)
		})}
	}
	return nil
}

// told lists the optional members that take any text.
func told(s *plan.Space) []*schema.Property {
	var out []*schema.Property
	for _, p := range s.Op.Body.Shape.Schema.Optional() {
		if free(p.Schema) && !p.Schema.ReadOnly && !p.Schema.Never {
			out = append(out, p)
		}
	}
	return out
}

// telling is a baseline request with a fresh text in each optional member, so that its
// answer is told from others.
func tellingOptional(g *plan.Gen, optional []*schema.Property) *message.Message {
	m := g.Baseline()
	for _, p := range optional {
		m.Tree.Set(p.Name, jsontree.NewString(g.Word()))
	}
	return m
}

// repeatCases are on one connection, on a fresh one and on two.
const repeatCases = ways

var repeats = plan.Mutator{
	Name: "repeats",
	Doc:  "Sends the same request twice, and two requests with the same value of one member, because the document does not say whether values are unique.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{several("same-request", plan.ExpectNothing, 2, repeatCases, func(g *plan.Gen, draw int) []plan.Step {
			m := g.Baseline()
			return []plan.Step{{Message: m}, follow(m.Clone(), draw)}
		})}
		for _, name := range scalars(s) {
			out = append(out, several("same-"+openapi.NameSlug(name), plan.ExpectNothing, 2, repeatCases, func(g *plan.Gen, draw int) []plan.Step {
				one, two := g.Baseline(), g.Baseline()
				two.Tree.Set(name, one.Tree.Get(name).Clone())
				return []plan.Step{{Message: one}, follow(two, draw)}
			}))
		}
		return out
	},
}

// maxCorrupted is how many members one case corrupts.
const maxCorrupted = 12

var corruptedRepeats = plan.Mutator{
	Name: "spoiled-repeats",
	Doc:  "Sends a request that is accepted, and then again with a member that is missing or of another type, because a server may remember by a key what it has checked.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		list := memberCorruptions(s)
		if len(list) == 0 {
			return nil
		}
		list = list[:min(len(list), roomFor(s, maxCorrupted))]
		return []plan.Class{several("spoiled-request", plan.ExpectNothing, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
			m := g.Request(s.Op, true)
			steps := []plan.Step{{Message: m}}
			for _, corrupt := range list {
				again := m.Clone()
				corrupt(again)
				steps = append(steps, plan.Step{Message: again})
			}
			return steps
		})}
	},
}

// memberCorruptions lists ways to corrupt one member each. Optional members come first: a cache seldom
// has them in its key.
func memberCorruptions(s *plan.Space) []func(*message.Message) {
	var optional, required, missing []func(*message.Message)
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Schema.ReadOnly || p.Schema.Never {
			continue
		}
		wrong := jsontree.NewArray()
		if p.Schema.Allows("array") {
			wrong = jsontree.NewBool(true)
		}
		mistype := func(m *message.Message) { m.Tree.Set(p.Name, wrong.Clone()) }
		if !p.Required {
			optional = append(optional, mistype)
			continue
		}
		required = append(required, mistype)
		missing = append(missing, func(m *message.Message) { m.Tree.Remove(p.Name) })
	}
	return slices.DeleteFunc(slices.Concat(optional, required, missing), func(corrupt func(*message.Message)) bool {
		m := plan.Probe(s.Op).Request(s.Op, true)
		corrupt(m)
		return m.Reading().Kind != schema.Invalid
	})
}
