package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var unlistedScenario = plan.Mutator{
	Name: "unlisted",
	Doc:  "Makes a thing, lists its collection, deletes it and lists the collection again, also its last page and with each filter, or searches for it, because a server may leave it in an index.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			if r.Delete == nil || r.List != s.Op && !r.Searches(s.Op) {
				continue
			}
			rules := []string{"unlisted"}
			out = append(out, alone(about("list", rules, 1, func(g *generate.Gen, _ int) []plan.Step {
				made := g.Request(r.Make, true)
				steps := row(made, narrowed(g, s.Op, made), simplest(g, r.Delete), narrowed(g, s.Op, made))
				steps[0].Own = true // a list that others share may have it on a later page
				return steps
			})))
			l := listOf(s)
			if l == nil {
				continue
			}
			if len(l.bothEnds(generate.Probe(s.Op))) > 1 {
				out = append(out, alone(about("last", rules, 1, func(g *generate.Gen, _ int) []plan.Step {
					return deletedBetween(g, r, g.Request(r.Make, true), func() []plan.Step { return l.bothEnds(g) })
				})))
			}
			for _, f := range l.Filters {
				if len(l.shownBy(generate.Probe(s.Op), f, imagined(s, r))) == 0 {
					continue
				}
				c := alone(about("filtered", rules, 1, func(g *generate.Gen, _ int) []plan.Step {
					made := g.Request(r.Make, true)
					return deletedBetween(g, r, made, func() []plan.Step { return l.shownBy(g, f, made) })
				}))
				c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
				out = append(out, c)
			}
		}
		return out
	},
}

// imagined returns a request that makes a thing and is never sent.
func imagined(s *plan.Space, r *resource.Resource) *message.Message {
	return generate.Probe(s.Op).Request(r.Make, true)
}

// deletedBetween makes steps that make a thing, list it, delete it and list again.
func deletedBetween(g *generate.Gen, r *resource.Resource, made *message.Message, lists func() []plan.Step) []plan.Step {
	read := func() []plan.Step {
		steps := lists()
		for _, s := range steps {
			demanded(s.Message, made)
		}
		return steps
	}
	steps := append(row(made), read()...)
	steps[0].Own = true
	steps = append(steps, plan.Step{Message: simplest(g, r.Delete), About: true})
	from := len(steps)
	return readAgain(append(steps, read()...), from)
}

// shownBy makes steps that each read the list with a value of a filter that a thing may have:
// the one that it is made with, or those of a member that the server sets.
func (l *list) shownBy(g *generate.Gen, f openapi.Filter, made *message.Message) []plan.Step {
	s := f.Parameter.Schema
	if f.Bound != openapi.Same || f.At != "" || s == nil {
		return nil
	}
	values := []*jsontree.Value{made.At("/" + jsontree.EscapePointer(f.Member))}
	if values[0] == nil {
		values = slices.Clone(s.Enum[:min(len(s.Enum), mostValues)])
	}
	var out []plan.Step
	for _, v := range values {
		if v.Kind == jsontree.Array && s.Type() != "array" && len(v.Items) > 0 {
			v = v.Items[0]
		} else if v.Kind != jsontree.Array && s.Type() == "array" {
			v = jsontree.NewArray(v.Clone())
		}
		if len(l.valid(f, []*jsontree.Value{v})) > 0 {
			step := plan.Step{Message: l.recent(g).Message, About: true}
			ask(step.Message, f, v.Clone())
			out = append(out, step)
		}
	}
	return out
}
