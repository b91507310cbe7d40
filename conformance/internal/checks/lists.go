package checks

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// mostMade is how many things a case makes for a list.
const mostMade = 5

// list is what the cases about a list are made from. The maker is nil if no operation
// adds to the list.
type list struct {
	*openapi.Listing
	op     *openapi.Operation
	make   *openapi.Operation
	chosen bool // the client chooses the key of a thing
}

// listOf returns the list that an operation reads, or nil.
func listOf(s *plan.Space) *list {
	if s.Op.Listing == nil || s.Op.IsFurther() {
		return nil
	}
	out := &list{Listing: s.Op.Listing, op: s.Op}
	for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
		out.make, out.chosen = r.Make, r.Chosen()
	}
	for _, r := range s.Resources {
		switch post := r.Fills(s.Op); {
		case out.make != nil:
		case r.Make.Method == http.MethodPost && r.Make.Path == s.Op.Path:
			out.make = r.Make
		case post != nil:
			out.make = post
		}
	}
	out.make = cmp.Or(out.make, s.Adder)
	return out
}

// class makes a class of cases about the list. Nothing else changes the list while it is
// read.
func (l *list) class(kind string, rules []string, build func(g *generate.Gen, draw int) []plan.Step) plan.Class {
	c := alone(about(kind, rules, 1, build))
	if len(l.Promised) == 0 && !l.op.Accepted.NewestFirst {
		c.First = 0
	}
	return c
}

// kinds is how many kinds of requests add things to a list.
const kinds = 3

// made returns requests that each add a thing to the list.
func (l *list) made(g *generate.Gen, n int) []*message.Message {
	var out []*message.Message
	for i := range n {
		if l.make != nil {
			out = append(out, with(g, l.make, i%kinds))
		}
	}
	return out
}

// begin makes the first steps: they add to a list of its own, where it belongs to
// another thing.
func (l *list) begin(made []*message.Message) []plan.Step {
	steps := row(made...)
	for i := range steps {
		steps[i].Own = i == 0
		steps[i].About = i > 0 && !l.chosen
	}
	return steps
}

// page makes a step that reads a page of the list that the first steps made.
func (l *list) page(g *generate.Gen, limit int64) plan.Step {
	m := simplest(g, l.op)
	if l.Limit != nil && limit > 0 {
		m.Set(l.Limit.Place(), jsontree.NewInt(limit))
	}
	return plan.Step{Message: m, About: l.make != nil}
}

// wide returns a large limit, or 0 if the list has none.
func (l *list) wide() int64 {
	if l.Limit == nil {
		return 0
	}
	sizes := []int64{100, 50, 20, l.Many}
	i := slices.IndexFunc(sizes, func(n int64) bool { return l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(n)) })
	return sizes[max(i, 0)]
}

// lastCounted makes a step that asks for the last item that the total in the answer
// before counts. It is not ok if no parameter can. From is the step with the first page, or
// 0 if the case has none.
func (l *list) lastCounted(step plan.Step, from int) (last plan.Step, ok bool) {
	if l.Limit == nil || l.Total == "" && l.TotalField == "" || l.Guessed && from == 0 || l.Offset == nil && l.Page == nil {
		return plan.Step{}, false
	}
	limit := l.Few + 1 // shows what is behind it
	if l.Page != nil || limit == l.Many {
		limit = 1 // so that pages are items, or so that it is none of the large pages
	}
	if !l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(limit)) {
		return plan.Step{}, false
	}
	step.Message = step.Message.Clone()
	step.Message.Set(l.Limit.Place(), jsontree.NewInt(limit))
	step.Follow = &plan.Follow{From: from, Last: true}
	return step, true
}

// readAgain makes the reading of a list or a thing begin again at a step, if the last one
// shows a fault or nothing.
func readAgain(steps []plan.Step, from int) []plan.Step {
	steps[len(steps)-1].Again = from
	return steps
}

// give puts values of a member into requests, as far as they stay valid.
func give(made []*message.Message, member string, values ...*jsontree.Value) {
	for i, m := range made {
		more := m.Clone()
		if i >= len(values) || values[i] == nil || !more.Set("/"+jsontree.EscapePointer(member), values[i].Clone()) {
			continue
		}
		if mustAccept(more.Reading()) {
			*m = *more
		}
	}
}

// recent makes a step that reads a large page. What was made last comes first, where a
// parameter does that: a list that others share has it on a later page otherwise.
func (l *list) recent(g *generate.Gen) plan.Step {
	step := l.page(g, l.wide())
	for _, p := range l.op.Parameters {
		if p.In == "query" && p.Schema != nil && newest(p.Schema) != nil {
			step.Message.Set(p.Place(), newest(p.Schema).Clone())
		}
	}
	return step
}

// newest returns the value of a parameter that sorts a list so that what was made last
// comes first, or nil.
func newest(s *openapi.Schema) *jsontree.Value {
	for _, v := range s.Enum {
		text := strings.ToLower(v.Text)
		down := strings.HasPrefix(text, "-") || strings.Contains(text, "desc")
		if v.Kind == jsontree.String && down && (strings.Contains(text, "creat") || strings.Contains(text, "id") || strings.Contains(text, "date")) || text == "newest" {
			return v
		}
	}
	return nil
}

// bothEnds makes steps that read the first page of a list, and its last one, if a total and a
// parameter lead there. What was made last is on one of them in most lists.
func (l *list) bothEnds(g *generate.Gen) []plan.Step {
	first := plan.Step{Message: l.recent(g).Message, About: true}
	last, ok := l.lastCounted(plan.Step{Message: l.page(g, l.wide()).Message, About: true}, 0)
	if !ok {
		return []plan.Step{first}
	}
	return []plan.Step{first, last}
}
