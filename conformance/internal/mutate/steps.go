package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// several makes a class of cases with several requests.
func several(kind string, expected plan.ExpectedClass, connections, cases int, build func(g *generate.Gen, draw int) []plan.Step) plan.Class {
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
		return plan.Step{Message: m, Fresh: true}
	case 2:
		return plan.Step{Message: m, Connection: 1}
	}
	return plan.Step{Message: m}
}

// freshPerCase is how many fresh values a sequence may take.
const freshPerCase = 500

// room returns how many baseline requests a case may send; most is the maximum.
func roomFor(s *plan.Space, most int) int {
	scalars := 1
	if m := generate.Probe(s.Op).Baseline(); m.Tree != nil || m.Params != nil {
		scalars = 0
		count := func(_ string, v *jsontree.Value) {
			if v.Kind == jsontree.String || v.Kind == jsontree.Number {
				scalars++
			}
		}
		m.Tree.Walk(count)
		m.Params.Walk(count)
	}
	return max(2, min(most, freshPerCase/max(1, scalars)))
}

// baselines makes n baseline messages.
func baselines(g *generate.Gen, n int) []*message.Message {
	out := make([]*message.Message, n)
	for i := range out {
		out[i] = g.Baseline()
	}
	return out
}
