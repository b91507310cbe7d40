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

// several makes a class of cases with several requests.
func several(kind string, expected message.Expectation, connections, cases int, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
	return plan.Class{Family: plan.FamilySequence, Kind: kind, Phase: plan.Sequence, Expected: expected, Connections: connections,
		Cases: cases, Build: build}
}

// row sends messages one after the other on the same connection.
func row(list ...*message.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m}
	}
	return out
}

// ways are how a following request travels: on the same connection, on a fresh
// one, on another one.
const ways = 3

func follow(m *message.Message, way int) plan.Step {
	switch way % ways {
	case 1:
		return plan.Step{Message: m, Sending: plan.Sending{Fresh: true}}
	case 2:
		return plan.Step{Message: m, Sending: plan.Sending{Connection: 1}}
	}
	return plan.Step{Message: m}
}

// freshPerCase is how many fresh values a sequence may take.
const freshPerCase = 500

// room returns how many baseline requests a case may send; most is the maximum.
func roomFor(s *plan.Space, maximum int) int {
	scalars := 1
	if m := plan.Probe(s.Op).Baseline(); m.Tree != nil || m.Params != nil {
		scalars = 0
		count := func(_ string, v *jsontree.Value) {
			if v.Kind == jsontree.String || v.Kind == jsontree.Number {
				scalars++
			}
		}
		m.Tree.Walk(count)
		m.Params.Walk(count)
	}
	return max(2, min(maximum, freshPerCase/max(1, scalars)))
}

// baselines makes n baseline messages.
func baselines(g *plan.Gen, n int) []*message.Message {
	out := make([]*message.Message, n)
	for i := range out {
		out[i] = g.Baseline()
	}
	return out
}

const (
	parallelConnections = 8
	parallelRounds      = 6
	parallelCases       = 2
	crowdConnections    = 32
)

// atOnce sends messages at the same time, each on a connection of its own.
func atOnce(list []*message.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m, Sending: plan.Sending{Connection: i + 1, Parallel: true}}
	}
	return out
}

// rounds sends several groups at once, a baseline request between them.
func rounds(g *plan.Gen, n int, group func() []*message.Message) []plan.Step {
	var out []plan.Step
	for range n {
		out = append(append(out, atOnce(group())...), plan.Step{Message: g.Baseline()})
	}
	return out
}

// scalars names the members whose values tell one request from another.
func scalars(s *plan.Space) []string {
	var out []string
	for _, m := range message.Values(s.Op, plan.Probe(s.Op).Baseline().Tree) {
		out = append(out, m.Name)
	}
	return slices.Compact(out)
}

// longText is the length of a long text.
const longText = 60

// free reports whether a schema takes any text.
func free(s *schema.Schema) bool {
	return s.Type() == "string" && s.AnyText() && (s.MaxLength == nil || *s.MaxLength >= longText) && s.Not == nil
}

// corruption makes a baseline message into one that must be refused.
type corruption struct {
	kind  string
	apply func(m *message.Message)
}

// corruptions lists ways to corrupt a body, those that drop a member or change its
// type first, so that the other values of the message stay in it.
func corruptions(s *plan.Space) []corruption {
	if !s.Op.HasJSON() {
		return nil
	}
	var list []corruption
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Required {
			list = append(list,
				corruption{"invalid", func(m *message.Message) { m.Tree.Remove(p.Name) }},
				corruption{"invalid", func(m *message.Message) { m.Tree.Set(p.Name, jsontree.NewArray()) }})
		}
	}
	list = append(list,
		corruption{"invalid", func(m *message.Message) { m.Tree = jsontree.NewString("x") }},
		corruption{"not-json", func(m *message.Message) { m.Raw = cutBody(m, 1) }},
		corruption{"not-json", func(m *message.Message) { m.Raw = cutBody(m, 2) }},
		corruption{"not-json", func(m *message.Message) { m.Raw = append(m.Body(), "}{"...) }},
		corruption{"empty", func(m *message.Message) { m.Raw = []byte{} }},
		corruption{"large", func(m *message.Message) { m.Raw = append(cutBody(m, 1), strings.Repeat(" ", 100<<10)...) }},
		corruption{"huge", func(m *message.Message) { m.Raw = append(cutBody(m, 1), strings.Repeat(" ", 400<<10)...) }})
	kept := list[:0]
	for _, c := range list {
		if c.kind == "large" || c.kind == "huge" {
			kept = append(kept, c) // cut off, whatever the document
			continue
		}
		m := plan.Probe(s.Op).Baseline()
		c.apply(m)
		if m.Reading().Kind >= schema.Invalid && (c.kind != "empty" || s.Op.Body.Required) {
			kept = append(kept, c)
		}
	}
	return kept
}

// cut returns the first of so many equal parts of a body.
func cutBody(m *message.Message, part int) []byte {
	b := m.Body()
	if part == 1 {
		return b[:len(b)-1]
	}
	return b[:len(b)/part]
}

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
			out = append(out, several(slug+"-at-once", message.Unstated, parallelConnections, parallelCases, func(g *plan.Gen, _ int) []plan.Step {
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
	return several(openapi.NameSlug(name)+"-"+k.kind, message.Unstated, 2, similarCases, func(g *plan.Gen, draw int) []plan.Step {
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
		return []plan.Class{several(openapi.NameSlug(name)+"-joined", message.Unstated, 1, len(joinSigns), func(g *plan.Gen, draw int) []plan.Step {
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
		out := []plan.Class{several("same-request", message.Unstated, 2, repeatCases, func(g *plan.Gen, draw int) []plan.Step {
			m := g.Baseline()
			return []plan.Step{{Message: m}, follow(m.Clone(), draw)}
		})}
		for _, name := range scalars(s) {
			out = append(out, several("same-"+openapi.NameSlug(name), message.Unstated, 2, repeatCases, func(g *plan.Gen, draw int) []plan.Step {
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
		return []plan.Class{several("spoiled-request", message.Unstated, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
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
