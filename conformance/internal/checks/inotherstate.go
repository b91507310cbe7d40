package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var inOtherState = plan.Mutator{
	Name: "in-other-state",
	Doc:  "Makes a thing, reads it, does something with it, reads it again and sends what the document or the requirements file says is refused in that state, such as the same action again, because a server may not look at the state.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			if !r.Bound(s.Op) {
				continue
			}
			for _, act := range actsBefore(r, s.Op) {
				c := about(openapi.Slug(act.Slug), []string{"state-refused"}, 2, func(g *generate.Gen, draw int) []plan.Step {
					return inAnotherState(g, r, act, s.Op, draw > 0)
				})
				c.Alone, c.Hinted = s.Op.Method == http.MethodDelete, len(s.Op.Accepted.AllowedIn) == 0
				out = append(out, c)
			}
			out = append(out, inStates(s.Op, r)...)
		}
		return out
	},
}

// inStates makes classes for what the requirements file says of states: an operation at a thing as
// it is made, and with each value of a member that the file does not allow.
func inStates(op *openapi.Operation, r *resource.Resource) []plan.Class {
	if len(op.Accepted.AllowedIn) == 0 {
		return nil
	}
	class := func(kind string, made func(g *generate.Gen) []plan.Step) plan.Class {
		c := about(kind, []string{"state-refused"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			return append(made(g), plan.Step{Message: simplest(g, r.Read), About: true}, plan.Step{Message: simplest(g, op), About: true})
		})
		c.Alone = op.Method == http.MethodDelete
		return c
	}
	out := []plan.Class{class("as-made", func(g *generate.Gen) []plan.Step { return row(simplest(g, r.Make)) })}
	for _, state := range states(r) {
		for _, v := range valuesOf(state.of.Schema) {
			if slices.ContainsFunc(op.Accepted.AllowedIn, func(s openapi.States) bool { return s.Member == state.of.Name && !s.Has(v) }) {
				out = append(out, class(openapi.Slug(state.of.Name+" "+v.Text), func(g *generate.Gen) []plan.Step { return state.made(g, r, v) }))
			}
		}
	}
	return out
}

// actsBefore lists the actions that may bring a thing into a state in which an operation is
// refused: first that operation itself.
func actsBefore(r *resource.Resource, op *openapi.Operation) []*openapi.Operation {
	acts := slices.DeleteFunc(stateful(r), func(o *openapi.Operation) bool { return o == op || !r.IsPart(o) })
	if r.IsPart(op) {
		acts = slices.Insert(acts, 0, op)
	}
	return acts[:min(len(acts), mostActions)]
}

// inAnotherState returns the steps that end with an operation at a thing that an action has
// changed, perhaps behind the actions that the document lists before that one.
func inAnotherState(g *generate.Gen, r *resource.Resource, act, op *openapi.Operation, behindOthers bool) []plan.Step {
	steps := row(g.Request(r.Make, true))
	if behindOthers {
		for _, before := range r.Actions() {
			if before == act {
				break
			}
			if !resource.OnlyAsks(before) {
				steps = append(steps, doing(g, before))
			}
		}
	}
	first, last := doing(g, act), plan.Step{Message: simplest(g, op), About: true}
	first.Ready = true
	if act == op {
		last.Message = first.Message.Clone()
	}
	read := func() plan.Step { return plan.Step{Message: simplest(g, r.Read), About: true} }
	return append(steps, read(), first, read(), last)
}
