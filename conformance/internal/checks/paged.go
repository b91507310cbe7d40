package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

var paged = plan.Mutator{
	Name: "paged",
	Doc:  "Makes things and reads their list in pages of a few items and in a large one, because a server may ignore the limit, or lose or repeat items between two pages.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || l.Limit == nil {
			return nil
		}
		rules := []string{"page-limit"}
		pages := l.Follows() != nil && l.Key != "" && l.Many > l.Few
		if pages {
			rules = append(rules, "pages-disjoint", "pages-complete")
		}
		made := min(int(l.Few+1), mostMade)
		if l.make == nil {
			made = 0
		}
		first := 0
		if pages {
			first = made + 1
		}
		_, last := l.lastCounted(l.page(generate.Probe(l.op), l.Few), first)
		if last || pages && l.Cursor != nil && (l.Total != "" || l.TotalField != "") {
			rules = append(rules, "total")
		}
		return []plan.Class{l.class("pages", rules, func(g *generate.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, made))
			from := len(steps)
			if pages {
				next := l.page(g, l.Few)
				next.Follow = &plan.Follow{From: first}
				begin := l.page(g, l.Few)
				if l.Page != nil {
					begin.Message.Set(l.Page.Place(), jsontree.NewInt(l.First))
				}
				steps = append(steps, l.page(g, l.Many), begin, next)
				if l.Cursor != nil {
					last := next // a server may give fewer items than it is asked for
					last.Message = next.Message.Clone()
					steps = append(steps, last)
				}
				steps = append(steps, l.page(g, l.Many))
			} else {
				steps = append(steps, l.page(g, l.Few))
			}
			if l.Limit.Schema.Default != nil {
				steps = append(steps, l.page(g, 0))
			}
			if last {
				step, _ := l.lastCounted(l.page(g, l.Few), first)
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}
