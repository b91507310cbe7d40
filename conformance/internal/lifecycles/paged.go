package lifecycles

import (
	"plantstore/conformance/internal/generate"
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
		_, last := l.lastCounted(l.page(generate.Probe(l.op), l.Few))
		if last || pages && l.Cursor != nil && (l.Total != "" || l.TotalField != "") {
			rules = append(rules, "total")
		}
		return []plan.Class{l.class("pages", rules, func(g *generate.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, int(min(l.Few+1, mostMade))))
			from := len(steps)
			if pages {
				first := from + 1
				next := l.page(g, l.Few)
				next.Follow = &plan.Follow{From: first}
				steps = append(steps, l.page(g, l.Many), l.page(g, l.Few), next)
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
				step, _ := l.lastCounted(l.page(g, l.Few))
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}
