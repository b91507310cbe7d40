package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var listedBelowScenario = plan.Mutator{
	Name: "listed-below",
	Doc:  "Makes a thing below another one and lists what a second one has, up to its last page, because a server may list the things of all.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
			if len(r.Above) == 0 || s.Op.Listing == nil {
				continue
			}
			below := func(g *generate.Gen, made *message.Message, lists ...plan.Step) []plan.Step {
				steps := row(simplest(g, r.Above[0].Make), made)
				steps[1].Makes = true
				steps = append(steps, plan.Step{Message: simplest(g, r.Above[0].Make), Aside: true, Thing: 1})
				for _, list := range lists {
					list.About, list.Thing = true, 1
					steps = append(steps, list)
				}
				return steps
			}
			out = append(out, about("list", []string{"listed-below"}, 2, func(g *generate.Gen, draw int) []plan.Step {
				made := g.Request(r.Make, true)
				list := narrowed(g, s.Op, made)
				if draw == 1 {
					sift(s.Op.Listing, list, made) // it may be on a later page otherwise
				}
				return below(g, made, plan.Step{Message: list})
			}))
			if l := listOf(s); l != nil && len(l.bothEnds(generate.Probe(s.Op))) > 1 {
				// What other cases make meanwhile would be behind it.
				out = append(out, alone(about("last", []string{"listed-below"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					return below(g, g.Request(r.Make, true), l.bothEnds(g)...)
				})))
			}
		}
		return out
	},
}

// sift puts the values of what was made into the filters of a list, as far as they are texts
// of its own.
func sift(l *openapi.Listing, list, made *message.Message) {
	for _, f := range l.Filters {
		v := made.At("/" + jsontree.EscapePointer(f.Member))
		s := f.Schema()
		if f.Bound != openapi.Same || v == nil || s == nil || len(s.Enum) > 0 || s.Items != nil && len(s.Items.Enum) > 0 {
			continue
		}
		more := list.Clone()
		if !more.Set(f.Place(), v.Clone()) {
			continue
		}
		if mustAccept(more.Reading()) {
			*list = *more
		}
	}
}
