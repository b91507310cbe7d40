package checks

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
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
			room := maxStates
			for _, state := range states(r) {
				values := valuesOf(state.of.Schema)
				values = values[:min(room, len(values))]
				if room -= len(values); len(values) == 0 {
					break
				}
				c := answerClass(s.Op, openapi.Slug(state.of.Name), len(values), func(g *plan.Gen, draw int) []plan.Step {
					return thenNamed(g, r, s.Op, 0, state.made(g, r, values[draw])...)
				})
				c.Drawn = true
				out = append(out, c)
			}
		}
		return out
	},
}

// maxStates bounds the values that a resource is made with, over all such members. A member with
// more than stateValues values is not taken for a state.
const (
	maxStates   = 4
	stateValues = 6
)

// made returns the steps that make a resource with a value of the member.
func (s state) made(g *plan.Gen, r *resource.Resource, v *jsontree.Value) []plan.Step {
	steps := script(g, r.Make)
	if s.by != r.Make {
		steps = append(steps, use(g, s.by))
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

var inOtherState = plan.Mutator{
	Name: "in-other-state",
	Doc:  "Makes a thing, reads it, does something with it, reads it again and sends what the document or the requirements file says is refused in that state, such as the same action again, because a server may not look at the state.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if !r.Bound(s.Op) {
			return
		}
		for _, act := range actsBefore(r, s.Op) {
			c := about(openapi.Slug(act.Slug), judges(stateRefused), 2, func(g *plan.Gen, draw int) []plan.Step {
				return inAnotherState(g, r, act, s.Op, draw > 0)
			})
			c.Alone, c.Hinted = s.Op.Method == http.MethodDelete, len(s.Op.Accepted.AllowedIn) == 0
			add(c)
		}
		add(inStates(s.Op, r)...)
	},
}

// inStates makes classes for what the requirements file says of states: an operation at a thing as
// it is made, and with each value of a member that the file does not allow.
func inStates(op *openapi.Operation, r *resource.Resource) []plan.Class {
	if len(op.Accepted.AllowedIn) == 0 {
		return nil
	}
	class := func(kind string, made func(g *plan.Gen) []plan.Step) plan.Class {
		c := about(kind, judges(stateRefused), 1, func(g *plan.Gen, _ int) []plan.Step {
			return append(made(g), use(g, r.Read), use(g, op))
		})
		c.Alone = op.Method == http.MethodDelete
		return c
	}
	out := []plan.Class{class("as-made", func(g *plan.Gen) []plan.Step { return script(g, r.Make) })}
	for _, state := range states(r) {
		for _, v := range valuesOf(state.of.Schema) {
			if slices.ContainsFunc(op.Accepted.AllowedIn, func(s openapi.States) bool { return s.Member == state.of.Name && !s.Has(v) }) {
				out = append(out, class(openapi.Slug(state.of.Name+" "+v.Text), func(g *plan.Gen) []plan.Step { return state.made(g, r, v) }))
			}
		}
	}
	return out
}

// actsBefore lists the actions that may bring a resource into a state in which an operation is
// refused: first that operation itself.
func actsBefore(r *resource.Resource, op *openapi.Operation) []*openapi.Operation {
	acts := slices.DeleteFunc(stateful(r), func(o *openapi.Operation) bool { return o == op || !r.IsPart(o) })
	if r.IsPart(op) {
		acts = slices.Insert(acts, 0, op)
	}
	return acts[:min(len(acts), maxActions)]
}

// inAnotherState returns the steps that end with an operation at a resource that an action has
// changed, perhaps behind the actions that the document lists before that one.
func inAnotherState(g *plan.Gen, r *resource.Resource, act, op *openapi.Operation, behindOthers bool) []plan.Step {
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
	first, last := doing(g, act), use(g, op)
	first.Kind = plan.Ready
	if act == op {
		last.Message = first.Message.Clone()
	}
	read := func() plan.Step { return use(g, r.Read) }
	return append(steps, read(), first, read(), last)
}

// stateRefused: what the document says is refused in a state is refused there.
var stateRefused = requirement.Rule{
	Name:        "state-refused",
	Rank:        requirement.History,
	Category:    report.Leniency,
	Means:       "an action is carried out in a state that forbids it",
	Line:        "allowedIn",
	Doc:         "If an action changed a member of the thing that has few values, as reads before and after it show, and a sentence of the document says that the request is refused in the new state, or in every state but the one before, the request is no success. If the requirements file says with allowedIn in which states the request is allowed, it is no success in any other state that the last read shows. A state that a server leaves by itself, such as running, belongs to those that allowedIn has. Where only a sentence speaks of states, it is not judged.",
	Explanation: "If the requirements file or a description says in which states a request is refused, the server refuses it there: a plan that is published is not published again.",
	Fix:         "Read the state in the transaction that changes it, and answer with the documented refusal if it is not the right one.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !s.Resource.Bound(s.Op) {
			return nil
		}
		return s.Suspect(s.Op.Bound.Said(), "In the states in which the request is not allowed, it is refused.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if len(p.Op.Accepted.AllowedIn) > 0 {
			return allowedIn(p, at)
		}
		if by == nil || by == p.Made() || !by.Got.Success() {
			return requirement.None
		}
		before, after := lastReadOf(p, 0, at), lastReadOf(p, at+1, len(p.History))
		if before == nil || after == nil {
			return requirement.None
		}
		was, is := resourceIn(p, answerOf(before)), resourceIn(p, answerOf(after))
		if was == nil || is == nil || is.Kind != jsontree.Object {
			return requirement.None
		}
		for _, m := range is.Members {
			old := was.Get(m.Name)
			if old == nil || old.Kind != jsontree.String || m.Value.Kind != jsontree.String || hints.Passes(m.Value.Text) {
				continue
			}
			q := propertyIn(after.Got, m.Name)
			if q == nil {
				continue
			}
			if said := p.Op.Bound.RefusedIn(openapi.StateValues(q.Schema), old.Text, m.Value.Text, by.Op == p.Op); said != "" {
				return verdictOf(!p.Got.Success(), p, fmt.Sprintf("a refusal, because %s is %s now: %q", m.Name, shown(p, m.Value), said))
			}
		}
		return requirement.None
	},
}

// allowedIn judges a request by the state that the last read behind the last change showed.
func allowedIn(p *requirement.Input, at int) requirement.Outcome {
	read := lastReadOf(p, at+1, len(p.History))
	if at < 0 || read == nil {
		return requirement.None
	}
	is := resourceIn(p, answerOf(read))
	for _, allowed := range p.Op.Accepted.AllowedIn {
		v := is.Get(allowed.Member)
		if v != nil && scalar(v) && !allowed.Has(v) {
			return verdictOf(!p.Got.Success(), p, fmt.Sprintf("a refusal, because %s is %s, and allowedIn does not have that", allowed.Member, shown(p, v)))
		}
	}
	return requirement.None
}

// state is a member that holds the state of a resource, and the operation that sets it.
type state struct {
	of *schema.Property
	by *openapi.Operation
}

// states lists such members of the request that makes a resource, or else of one that changes it.
// Those whose names suggest a state come first.
func states(r *resource.Resource) []state {
	var out []state
	for _, op := range []*openapi.Operation{r.Make, r.Patch, r.Replace} {
		if op == nil || op.Body == nil || op == r.Patch && !patches(r) {
			continue
		}
		for _, p := range membersOf(op.Body.Shape.Schema) {
			known := slices.ContainsFunc(out, func(one state) bool { return one.of.Name == p.Name })
			if !known && !p.Schema.ReadOnly && !p.Schema.Never && len(valuesOf(p.Schema)) > 0 {
				out = append(out, state{p, op})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b state) int { return cmp.Compare(rankOf(a.of), rankOf(b.of)) })
	return out
}

// membersOf lists the members of a body: its own, or those of the alternative that the
// simplest request has.
func membersOf(s *schema.Schema) []*schema.Property {
	for _, list := range [][]*schema.Schema{s.OneOf, s.AnyOf} {
		if len(s.Properties) == 0 && len(list) > 0 {
			return membersOf(list[0])
		}
	}
	return s.Properties
}

// rankOf orders members: the lowest rank is the most likely to hold a state.
func rankOf(p *schema.Property) int {
	if hints.Means(p.Name, hints.State) {
		return 0
	}
	if p.Schema.Enum == nil {
		return 1 // frozen, archived, active
	}
	return 2
}

// valuesOf returns the values of a member that has few of them, the last one first: it is often
// the final state.
func valuesOf(s *schema.Schema) []*jsontree.Value {
	if s.Type() == "boolean" && s.Enum == nil && s.Const == nil {
		return []*jsontree.Value{jsontree.NewBool(true), jsontree.NewBool(false)}
	}
	text := func(v *jsontree.Value) bool { return v.Kind == jsontree.String }
	list := slices.DeleteFunc(slices.Clone(s.Enum), func(v *jsontree.Value) bool { return !text(v) })
	if len(list) < 2 || len(list) > stateValues {
		return nil
	}
	slices.Reverse(list)
	return list
}
