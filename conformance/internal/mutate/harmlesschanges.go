package mutate

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// harmlessChange is something harmless next to a defect. A check that looks only at
// ordinary bodies misses the defect there.
type harmlessChange struct {
	name string
	add  func(s *plan.Space, g *generate.Gen, m *message.Message)
}

var harmlessChanges = []harmlessChange{
	{"optional", func(s *plan.Space, g *generate.Gen, m *message.Message) {
		for _, p := range leftOut(s, m) {
			m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
		}
	}},
	{"reversed", func(_ *plan.Space, _ *generate.Gen, m *message.Message) { slices.Reverse(m.Tree.Members) }},
	{"optional-first", func(s *plan.Space, g *generate.Gen, m *message.Message) {
		for _, p := range leftOut(s, m) {
			m.Tree.Members = slices.Insert(m.Tree.Members, 0, jsontree.M(p.Name, g.BaselineValue(p.Schema)))
		}
	}},
	{"indented", func(_ *plan.Space, _ *generate.Gen, m *message.Message) {
		m.Style = jsontree.Style{Indent: "  ", Colon: ": ", After: "\n"}
	}},
	{"spread-out", func(_ *plan.Space, _ *generate.Gen, m *message.Message) {
		m.Style = jsontree.Style{Indent: strings.Repeat(" ", 100), After: "\n"}
	}},
	{"language-object", func(_ *plan.Space, g *generate.Gen, m *message.Message) {
		m.Tree.Set([]string{"__proto__", "constructor"}[g.Rand.Intn(2)], jsontree.NewObject())
	}},
	{"unknown", func(_ *plan.Space, g *generate.Gen, m *message.Message) {
		for range []int{1, 5}[g.Rand.Intn(2)] {
			m.Tree.Set(g.Word(), jsontree.NewBool(true))
		}
	}},
	{"wide-text", widen},
	{"small-number", func(s *plan.Space, g *generate.Gen, m *message.Message) {
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			small := jsontree.NewNumber(strconv.Itoa(1 + g.Rand.Intn(9))) // stores often begin with such ids
			if p.Schema.Type() == "integer" && m.Tree.Get(p.Name) != nil && s.Op.Body.Shape.Matches(p.Schema, small) {
				m.Tree.Set(p.Name, small)
			}
		}
	}},
}

// widen puts text that has fewer characters than bytes into every member that is a text:
// the message of an error may quote it. Optional members get one too.
func widen(s *plan.Space, g *generate.Gen, m *message.Message) {
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Schema.Type() == "string" && !p.Schema.ReadOnly {
			m.Tree.Set(p.Name, jsontree.NewString("植物é"+g.Word()))
		}
	}
}

// wideIfValid is a message with such text, where its schema allows that.
func wideIfValid(s *plan.Space, g *generate.Gen, m *message.Message) *message.Message {
	if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
		return m
	}
	out := m.Clone()
	widen(s, g, out)
	if len(out.Reading().Violations) > 0 {
		return m
	}
	return out
}

// leftOut lists the optional members that a message does not have.
func leftOut(s *plan.Space, m *message.Message) []*openapi.Property {
	return slices.DeleteFunc(s.Op.Body.Shape.Schema.Optional(), func(p *openapi.Property) bool { return m.Tree.Get(p.Name) != nil })
}
