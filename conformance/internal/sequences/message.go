package sequences

import (
	"math/rand"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

const family = "sequence"

// several makes a class of cases with several requests.
func several(s *plan.Space, kind string, claim plan.Claim, connections, cases int, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
	return plan.Class{Slug: s.Slug(family, kind), Phase: plan.Sequence, Claim: claim, Connections: connections,
		Cases: cases, Build: build}
}

// row sends messages one after the other on the same connection.
func row(list ...*plan.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m}
	}
	return out
}

// ways are how a following request travels: on the same connection, on a fresh
// one, on another one.
const ways = 3

func follow(m *plan.Message, way int) plan.Step {
	switch way % ways {
	case 1:
		return plan.Step{Message: m, Fresh: true}
	case 2:
		return plan.Step{Message: m, Connection: 1}
	}
	return plan.Step{Message: m}
}

// spoil makes a mild message into one that must be refused.
type spoil struct {
	kind  string
	apply func(m *plan.Message)
}

// spoils lists ways to spoil a body, those that drop a member or change its
// type first, so that the other values of the message stay in it.
func spoils(s *plan.Space) []spoil {
	if s.Op.Body == nil {
		return nil
	}
	var list []spoil
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Required {
			list = append(list,
				spoil{"invalid", func(m *plan.Message) { m.Tree.Remove(p.Name) }},
				spoil{"invalid", func(m *plan.Message) { m.Tree.Set(p.Name, jsontree.NewArray()) }})
		}
	}
	list = append(list,
		spoil{"invalid", func(m *plan.Message) { m.Tree = jsontree.NewString("x") }},
		spoil{"not-json", func(m *plan.Message) { m.Raw = cut(m, 1) }},
		spoil{"not-json", func(m *plan.Message) { m.Raw = cut(m, 2) }},
		spoil{"not-json", func(m *plan.Message) { m.Raw = append(m.Body(), "}{"...) }},
		spoil{"empty", func(m *plan.Message) { m.Raw = []byte{} }},
		spoil{"large", func(m *plan.Message) { m.Raw = append(cut(m, 1), strings.Repeat(" ", 100<<10)...) }},
		spoil{"huge", func(m *plan.Message) { m.Raw = append(cut(m, 1), strings.Repeat(" ", 400<<10)...) }})
	kept := list[:0]
	for _, c := range list {
		if c.kind == "large" || c.kind == "huge" {
			kept = append(kept, c) // cut off, whatever the document
			continue
		}
		m := probe(s).Mild()
		c.apply(m)
		if s.Op.Body.Shape.Read(m.Body()).Kind >= contract.Invalid && (c.kind != "empty" || s.Op.Body.Required) {
			kept = append(kept, c)
		}
	}
	return kept
}

// cut is the first part of a body that has so many.
func cut(m *plan.Message, part int) []byte {
	b := m.Body()
	if part == 1 {
		return b[:len(b)-1]
	}
	return b[:len(b)/part]
}

// probe gives a generator for what is looked at and never sent.
func probe(s *plan.Space) *plan.Gen {
	return &plan.Gen{Op: s.Op, Space: s, Rand: rand.New(new(steady))}
}

// steady is a source of chance that costs nothing to make.
type steady struct{ n uint64 }

func (s *steady) Int63() int64 {
	s.n = s.n*6364136223846793005 + 1442695040888963407
	return int64(s.n >> 1)
}

func (s *steady) Seed(n int64) { s.n = uint64(n) }

// freshPerCase is how many fresh values a sequence may take.
const freshPerCase = 500

// room is how many mild messages a case may send, at most so many.
func room(s *plan.Space, most int) int {
	scalars := 1
	if m := probe(s).Mild(); m.Tree != nil {
		scalars = 0
		m.Tree.Walk(func(_ string, v *jsontree.Value) {
			if v.Kind == jsontree.String || v.Kind == jsontree.Number {
				scalars++
			}
		})
	}
	return max(2, min(most, freshPerCase/max(1, scalars)))
}

// milds makes n mild messages.
func milds(g *plan.Gen, n int) []*plan.Message {
	out := make([]*plan.Message, n)
	for i := range out {
		out[i] = g.Mild()
	}
	return out
}
