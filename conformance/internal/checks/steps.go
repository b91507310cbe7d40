package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// about makes a class of cases about one thing. It tests requirements of the named
// rules. All its cases come before those of other classes where there is room for few:
// each writes other values.
func about(kind string, rules []string, cases int, build func(g *generate.Gen, draw int) []plan.Step) plan.Class {
	return plan.Class{Family: plan.FamilySequence, Kind: kind, Phase: plan.Lifecycle, Expected: plan.ExpectNothing, Rules: rules,
		Cases: cases, First: cases, Build: build}
}

// row begins with the request that makes a thing. The others are about it.
func row(list ...*message.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m, About: i > 0}
	}
	return out
}

// with returns a valid request of an operation: the simplest in the first draw, one with
// all optional members in the second, and then two whose values have more to lose.
func with(g *generate.Gen, op *openapi.Operation, draw int) *message.Message {
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
func simplest(g *generate.Gen, op *openapi.Operation) *message.Message { return g.Request(op, false) }

// accepted reports whether a server must accept a message with this reading.
func mustAccept(r *openapi.Reading) bool { return r != nil && r.Kind == openapi.MustAccept }

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

// writer returns an operation that changes a thing, or nil.
func writer(r *resource.Resource) *openapi.Operation {
	if r.Replace != nil {
		return r.Replace
	}
	return r.Patch
}

// conditional makes the last step depend on the entity tag that an earlier one got.
func conditional(steps []plan.Step, field string, tag int) []plan.Step {
	steps[len(steps)-1].Condition = &plan.Condition{Field: field, Step: tag}
	return steps
}

// older makes the last step depend on a time a day before that of an earlier one.
func older(steps []plan.Step) []plan.Step {
	steps[len(steps)-1].Condition.Older = true
	return steps
}

// inForm writes the entity tag in the condition of the last step in another form.
func inForm(steps []plan.Step, form plan.TagForm) []plan.Step {
	steps[len(steps)-1].Condition.As = form
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
