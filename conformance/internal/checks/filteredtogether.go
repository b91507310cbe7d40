package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var filteredTogether = plan.Mutator{
	Name: "filtered-together",
	Doc:  "Reads a list with two filters at once, and the second page of a list with one, because a server may apply only one of them, or only to the first page.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil {
			return nil
		}
		var out []plan.Class
		add := func(kind string, f openapi.Filter, build func(g *generate.Gen) []plan.Step) {
			if build(generate.Probe(l.op)) == nil {
				return
			}
			c := l.class(kind, []string{"filtered"}, func(g *generate.Gen, _ int) []plan.Step { return build(g) })
			c.First = 1 // also where there is room for few cases
			c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
			out = append(out, c)
		}
		var before *openapi.Filter
		for _, f := range l.Filters {
			if f.Bound != openapi.Same || l.names(f) {
				continue
			}
			add("second-page", f, func(g *generate.Gen) []plan.Step { return l.secondPage(g, f) })
			if other := before; other != nil {
				add("two", f, func(g *generate.Gen) []plan.Step { return l.filteredByTwo(g, *other, f) })
			}
			before = &f
		}
		return out
	},
}

// filteredByTwo makes the steps that read a list with two filters: with a value of the first that
// most things have, and one of the second that few have. Of three things, one has both, and each of
// the others one. The steps are nil if no values are known.
func (l *list) filteredByTwo(g *generate.Gen, a, b openapi.Filter) []plan.Step {
	made := l.full(g)
	one, two := l.values(g, a, made), l.values(g, b, made)
	if len(one) == 0 || len(two) == 0 {
		return nil
	}
	rare := len(two) - 1
	if len(made) > rare {
		common, few := made[0].At(inBody(b)), made[rare].At(inBody(b))
		give(made[1:], a.Member, made[0].At(inBody(a)))
		give(made, b.Member, few, common, few)
	}
	steps := l.begin(made)
	from := len(steps)
	step := l.recent(g)
	ask(step.Message, a, one[0])
	ask(step.Message, b, two[rare])
	return readAgain(append(steps, l.recent(g), step), from)
}

// secondPage makes the steps that read two pages of a list with a filter that has an enum, and with
// a value that few things have but two of those that are made. The steps are nil if the list has no
// such pages.
func (l *list) secondPage(g *generate.Gen, f openapi.Filter) []plan.Step {
	if len(f.Parameter.Schema.Enum) == 0 || l.Limit == nil || l.Follows() == nil || l.Guessed {
		return nil
	}
	limit := l.Few
	if l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(1)) {
		limit = 1
	}
	made := l.full(g)
	values := l.values(g, f, made)
	if len(values) == 0 {
		return nil
	}
	rare := values[len(values)-1] // most requests have the first value of an enum
	if len(made) > 0 {
		// The two are apart: a second page that forgets the filter has what is between them.
		give(made[:1], f.Member, made[2].At(inBody(f)))
	}
	steps := l.begin(made)
	from := len(steps)
	first, second := l.page(g, limit), l.page(g, limit)
	ask(first.Message, f, rare.Clone())
	ask(second.Message, f, rare)
	second.Follow = &plan.Follow{From: from + 1}
	return readAgain(append(steps, l.recent(g), first, second), from)
}
