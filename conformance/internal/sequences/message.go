package sequences

import (
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

const family = "sequence"

// several makes a class of cases with several requests.
func several(s *plan.Space, kind string, claim plan.Claim, connections, cases int, build func(g *generate.Gen, draw int) []plan.Step) plan.Class {
	return plan.Class{Slug: s.Slug(family, kind), Phase: plan.Sequence, Claim: claim, Connections: connections,
		Cases: cases, Build: build}
}

// row sends messages one after the other on the same connection.
func row(list ...*request.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m}
	}
	return out
}

// ways are how a following request travels: on the same connection, on a fresh
// one, on another one.
const ways = 3

func follow(m *request.Message, way int) plan.Step {
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
	apply func(m *request.Message)
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
				spoil{"invalid", func(m *request.Message) { m.Tree.Remove(p.Name) }},
				spoil{"invalid", func(m *request.Message) { m.Tree.Set(p.Name, jsontree.NewArray()) }})
		}
	}
	list = append(list,
		spoil{"invalid", func(m *request.Message) { m.Tree = jsontree.NewString("x") }},
		spoil{"not-json", func(m *request.Message) { m.Raw = cut(m, 1) }},
		spoil{"not-json", func(m *request.Message) { m.Raw = cut(m, 2) }},
		spoil{"not-json", func(m *request.Message) { m.Raw = append(m.Body(), "}{"...) }},
		spoil{"empty", func(m *request.Message) { m.Raw = []byte{} }},
		spoil{"large", func(m *request.Message) { m.Raw = append(cut(m, 1), strings.Repeat(" ", 100<<10)...) }},
		spoil{"huge", func(m *request.Message) { m.Raw = append(cut(m, 1), strings.Repeat(" ", 400<<10)...) }})
	kept := list[:0]
	for _, c := range list {
		if c.kind == "large" || c.kind == "huge" {
			kept = append(kept, c) // cut off, whatever the document
			continue
		}
		m := generate.Probe(s.Op).Mild()
		c.apply(m)
		if s.Op.Body.Shape.Read(m.Body()).Kind >= contract.Invalid && (c.kind != "empty" || s.Op.Body.Required) {
			kept = append(kept, c)
		}
	}
	return kept
}

// cut is the first part of a body that has so many.
func cut(m *request.Message, part int) []byte {
	b := m.Body()
	if part == 1 {
		return b[:len(b)-1]
	}
	return b[:len(b)/part]
}

// freshPerCase is how many fresh values a sequence may take.
const freshPerCase = 500

// room is how many mild messages a case may send, at most so many.
func room(s *plan.Space, most int) int {
	scalars := 1
	if m := generate.Probe(s.Op).Mild(); m.Tree != nil {
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
func milds(g *generate.Gen, n int) []*request.Message {
	out := make([]*request.Message, n)
	for i := range out {
		out[i] = g.Mild()
	}
	return out
}
