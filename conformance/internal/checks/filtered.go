package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var filteredScenario = plan.Mutator{
	Name: "filtered",
	Doc:  "Makes things that differ in a member and reads their list with the parameter of that name, or with one that bounds it, because a server may ignore it, or count what it keeps out.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil {
			return nil
		}
		var out []plan.Class
		for i, f := range l.Filters {
			steps := func(g *generate.Gen, _ int) []plan.Step { return l.filtered(g, f, i == 0) }
			if steps(generate.Probe(l.op), 0) == nil {
				continue
			}
			rules := []string{"filtered"}
			if _, last := l.lastCounted(l.page(generate.Probe(l.op), l.Few), 0); last && i == 0 {
				rules = append(rules, "total")
			}
			c := l.class("values", rules, steps)
			c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
			out = append(out, c)
		}
		return out
	},
}

// filtered makes the steps of a case about a filter. They are nil if no value for it is
// known.
func (l *list) filtered(g *generate.Gen, f openapi.Filter, counts bool) []plan.Step {
	made := l.full(g)
	values := l.values(g, f, made)
	if f.Bound != openapi.Same {
		values = l.bounds(g, f, made)
	}
	if len(values) == 0 {
		return nil
	}
	steps := l.begin(made)
	from := len(steps)
	steps = append(steps, l.recent(g))
	if l.Limit != nil && len(made) > 0 && f.Bound == openapi.Same {
		// Few items without the filter may be none with it.
		for _, v := range []*jsontree.Value{values[0], values[len(values)-1]} {
			step := l.page(g, l.Few)
			ask(step.Message, f, v.Clone())
			steps = append(steps, step)
		}
	}
	for _, v := range append(values, l.together(f, values)...) {
		step := l.recent(g)
		ask(step.Message, f, v)
		step.Open = l.names(f) // a key that no thing has may be refused
		steps = append(steps, step)
	}
	if last, ok := l.lastCounted(steps[len(steps)-1], 0); ok && counts {
		steps = append(steps, last)
	}
	return readAgain(steps, from)
}
