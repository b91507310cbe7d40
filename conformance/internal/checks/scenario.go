package checks

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// about makes a class of cases about one thing. It tests requirements of the named
// rules. All its cases come before those of other classes where there is room for few:
// each writes other values.
func about(kind string, rules []string, cases int, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
	return plan.Class{Family: plan.FamilySequence, Kind: kind, Phase: plan.Scenarios, Expected: message.Unstated, Rules: rules,
		Cases: cases, First: cases, Build: build}
}

// judges names the rules whose requirements a class of cases tests.
func judges(list ...requirement.Rule) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

// script makes a resource with the first operation and calls the others about it, each with its
// simplest request.
func script(g *plan.Gen, list ...*openapi.Operation) []plan.Step {
	out := make([]*message.Message, len(list))
	for i, op := range list {
		out[i] = simplest(g, op)
	}
	return row(out...)
}

// row begins with the request that makes a resource. The others are about it.
func row(list ...*message.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		if out[i].Message = m; i > 0 {
			out[i].Kind = plan.About
		}
	}
	return out
}

// next is a step about the resource that the first one made.
func next(m *message.Message) plan.Step { return plan.Step{Message: m, Kind: plan.About} }

// use is such a step with the simplest request of an operation.
func use(g *plan.Gen, op *openapi.Operation) plan.Step { return next(simplest(g, op)) }

// open lets a server refuse a step.
func open(at int, steps []plan.Step) []plan.Step {
	steps[at].Open = true
	return steps
}

// ownList makes a resource in a list of its own: a list that others share may have it on a later page.
func ownList(steps []plan.Step) []plan.Step {
	steps[0].Kind = plan.Own
	return steps
}

// with returns a valid request of an operation: the simplest in the first draw, one with
// all optional members in the second, and then two whose values have more to lose.
func with(g *plan.Gen, op *openapi.Operation, draw int) *message.Message {
	switch draw {
	case 0:
		return simplest(g, op)
	case 1:
		return g.Request(op, true)
	case 2:
		return g.Rich(op)
	}
	return g.Fullest(op)
}

// simplest returns the simplest valid request of an operation.
func simplest(g *plan.Gen, op *openapi.Operation) *message.Message { return g.Request(op, false) }

// accepted reports whether a server must accept a message with this reading.
func mustAccept(r *schema.Reading) bool { return r != nil && r.Kind == schema.MustAccept }

// draws is the number of cases of a class whose requests carry a body.
const draws = 4

// of returns the resources in which an operation has a part that is chosen by a
// function.
func of(s *plan.Space, part func(r *resource.Resource) *openapi.Operation) []*resource.Resource {
	var out []*resource.Resource
	for _, r := range s.Resources {
		if part(r) == s.Op {
			out = append(out, r)
		}
	}
	return out
}

func reads(r *resource.Resource) *openapi.Operation { return r.Read }

// writer returns an operation that changes a resource, or nil.
func writer(r *resource.Resource) *openapi.Operation {
	if r.Replace != nil {
		return r.Replace
	}
	return r.Patch
}

// conditional makes the last step depend on what an earlier one got.
func conditional(steps []plan.Step, on plan.Condition) []plan.Step {
	steps[len(steps)-1].From = on
	return steps
}

// matches reports whether an operation may have a form of tag in If-Match, as far as the
// document says.
func takesTag(op *openapi.Operation, form plan.TagForm) bool {
	return resource.Takes(op, "If-Match", form.Value(`"right"`))
}

// alone keeps the cases of a class apart from all others.
func alone(c plan.Class) plan.Class {
	c.Alone = true
	return c
}

// played returns the request that makes a resource and the steps of an order about it.
func played(g *plan.Gen, r *resource.Resource, o order) []plan.Step {
	out := row(g.Request(r.Make, true))
	full := false
	for _, step := range o.steps {
		one := plan.Step{Kind: plan.About}
		switch step {
		case stepRead:
			one.Message = simplest(g, r.Read)
		case stepPut:
			one.Message = with(g, r.Replace, 1+g.Rand.Intn(2))
			if full {
				one.Message = g.Request(r.Replace, true)
			}
			full = !full
		case stepPatch:
			one.Message = somePatch(g, r.Patch)
		case stepAction:
			one = doing(g, allActions(r)[o.action])
		case stepRefused:
			one.Message, one.Open = corrupted(g, r.Patch), true
		case stepDelete:
			one.Message = simplest(g, r.Delete)
		case stepList:
			one.Message = wholeList(g, r)
		case stepMake:
			one = plan.Step{Message: simplest(g, r.Make), Aside: true, Resource: 1}
		case stepDrop:
			one = plan.Step{Message: simplest(g, r.Delete), Kind: plan.About, Aside: true, Resource: 1}
		}
		out = append(out, one)
	}
	return out
}

// doing is a step that does something with the resource, which may be refused.
func doing(g *plan.Gen, op *openapi.Operation) plan.Step {
	return plan.Step{Message: g.Request(op, true), Kind: plan.About, Aside: true, Open: true}
}

// thenRead is played with a read of the resource at the end.
func thenRead(g *plan.Gen, r *resource.Resource, o order) []plan.Step {
	return append(played(g, r, o), use(g, r.Read))
}

// wholeList returns a request for the list that shows what was made last, without filters.
func wholeList(g *plan.Gen, r *resource.Resource) *message.Message {
	return narrowed(g, r.List, simplest(g, r.List))
}

// somePatch returns a patch of one or two members.
func somePatch(g *plan.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	_, of := envelope(op.Body)
	for range 1 + g.Rand.Intn(2) {
		enrich(g, m, of.Properties[g.Rand.Intn(len(of.Properties))])
	}
	return m
}

// allActions are the actions, and the operations elsewhere that a link ties to the resource.
func allActions(r *resource.Resource) []*openapi.Operation {
	out := r.Actions()
	for _, op := range r.Linked {
		if op.Method == "POST" || op.Method == "PUT" || op.Method == "PATCH" {
			out = append(out, op)
		}
	}
	return out
}

// maxActions is how many of the operations that do something with a resource have cases of
// their own.
const maxActions = 3

// naming returns the resources that an operation is about: it reads, changes, deletes or lists
// their resources, does something with one or below one, or makes a resource that refers to one.
func naming(s *plan.Space) []*resource.Resource {
	var out []*resource.Resource
	for _, r := range s.Resources {
		own := []*openapi.Operation{r.Read, r.Head, r.Replace, r.Patch, r.Delete, r.List}
		if slices.Contains(own, s.Op) || r.IsPart(s.Op) || slices.Contains(allActions(r), s.Op) || r.NamedBy(s.Op) != nil {
			out = append(out, r)
		}
	}
	return out
}

// thenNamed adds a request that names the resource with this number. Only what holds in every
// state is judged: the request may be refused, but must not end in a server error.
func thenNamed(g *plan.Gen, r *resource.Resource, op *openapi.Operation, res int, before ...plan.Step) []plan.Step {
	last := plan.Step{Kind: plan.About, Resource: res}
	last.Message = simplest(g, op)
	if place := r.NamedBy(op); place != nil {
		last.Message, last.Kind = giving(g, op, place), plan.Refers
	} else if op == r.List {
		last.Message = wholeList(g, r)
	}
	return append(before, last)
}

// answers makes a class of cases whose last request must be answered, in a documented form. They
// run alone if they may delete.
func answerClass(op *openapi.Operation, kind string, cases int, build func(g *plan.Gen, draw int) []plan.Step) plan.Class {
	c := about(kind, judges(answered), cases, build)
	c.Alone = op.Method == "DELETE"
	return c
}

// beside makes a resource below another one and reads it, then makes and reads a second one of
// those above it.
func beside(g *plan.Gen, r, above *resource.Resource) []plan.Step {
	steps := row(simplest(g, r.Above[0].Make), g.Request(r.Make, true), simplest(g, r.Read))
	steps[1].Kind = plan.Below
	return append(steps,
		plan.Step{Message: simplest(g, above.Make), Aside: true, Resource: 1},
		plan.Step{Message: simplest(g, above.Read), Kind: plan.About, Aside: true, Resource: 1})
}

// only returns a request whose body has this member and, if the schema allows that, no others.
func only(g *plan.Gen, op *openapi.Operation, path string, v *jsontree.Value) *message.Message {
	m := simplest(g, op)
	whole := m.Tree
	m.Tree = jsontree.NewObject()
	if m.Set(path, v.Clone()); !mustAccept(m.Reading()) {
		m.Tree = whole
		m.Set(path, v.Clone())
	}
	return m
}
