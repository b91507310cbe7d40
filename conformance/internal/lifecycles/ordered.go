package lifecycles

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var ordered = plan.Mutator{
	Name: "ordered",
	Doc:  "Makes things and reads their list in each order that the document lists, because a server may ignore the parameter, or its direction.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || len(l.Orders) == 0 {
			return nil
		}
		return []plan.Class{l.class("orders", []string{"sorted"}, func(g *generate.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, draws))
			from := len(steps)
			for _, o := range l.Orders[:min(len(l.Orders), mostOrders)] {
				step := l.page(g, l.wide())
				step.Message.Set(o.Parameter.QueryPlace(), o.Value.Clone())
				if o.Direction != nil {
					step.Message.Set(o.Direction.QueryPlace(), o.Way.Clone())
				}
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}

// mostOrders is how many orders of a list are tried.
const mostOrders = 6
