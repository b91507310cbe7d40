package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var inState = plan.Mutator{
	Name: "in-state",
	Doc:  "Makes a thing with each value of a member that has few values, such as a status, and calls each operation that names it, because a server may fail in only one of these states.",
	Classes: func(s *plan.Space) []plan.Class {
		if drawnFor(s) == 0 {
			return nil
		}
		var out []plan.Class
		for _, r := range naming(s) {
			room := mostStates
			for _, state := range states(r) {
				values := valuesOf(state.of.Schema)
				values = values[:min(room, len(values))]
				if room -= len(values); len(values) == 0 {
					break
				}
				c := answerClass(s.Op, openapi.Slug(state.of.Name), len(values), func(g *generate.Gen, draw int) []plan.Step {
					return thenNamed(g, r, s.Op, 0, state.made(g, r, values[draw])...)
				})
				c.Drawn = true
				out = append(out, c)
			}
		}
		return out
	},
}

// mostStates bounds the values that a thing is made with, over all such members. A member with
// more than stateValues values is not taken for a state.
const (
	mostStates  = 4
	stateValues = 6
)

// made returns the steps that make a thing with a value of the member.
func (s state) made(g *generate.Gen, r *resource.Resource, v *jsontree.Value) []plan.Step {
	steps := row(simplest(g, r.Make))
	if s.by != r.Make {
		steps = append(steps, plan.Step{Message: simplest(g, s.by), About: true})
	}
	last := &steps[len(steps)-1]
	last.Message = having(last.Message, s.of.Name, v)
	return steps
}

// having returns the request with a value of a member, or as it was if that is not valid.
func having(m *message.Message, name string, v *jsontree.Value) *message.Message {
	out := m.Clone()
	if !out.Set("/"+jsontree.EscapePointer(name), v.Clone()) {
		return m
	}
	if out.Bind(); !mustAccept(out.Reading()) {
		return m // the value belongs to another alternative of the body
	}
	return out
}
