package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// several makes a class of cases with several requests.
func several(kind string, expected plan.ExpectedClass, connections, cases int, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
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
