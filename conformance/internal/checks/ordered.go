package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
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
			made := l.made(g, kinds)
			for _, o := range l.Orders {
				spread(made, o.Member)
			}
			steps := l.begin(made)
			from := len(steps)
			for _, o := range l.Orders[:min(len(l.Orders), mostOrders)] {
				step := l.page(g, l.wide())
				step.Message.Set(o.Parameter.Place(), o.Value.Clone())
				if o.Direction != nil {
					step.Message.Set(o.Direction.Place(), o.Way.Clone())
				}
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}

// mostOrders is how many orders of a list are tried.
const mostOrders = 6

// apart gives texts of things first letters that every language sorts in one order. The
// things are in that order neither as they are made nor backwards.
func spread(made []*message.Message, member string) {
	letters := []string{"m", "b", "t"}
	for i, m := range made {
		v := m.At("/" + jsontree.EscapePointer(member))
		if v == nil || v.Kind != jsontree.String || len(v.Text) < len(letters) {
			continue
		}
		give(made[i:i+1], member, jsontree.NewString(letters[i%len(letters)]+v.Text[1:]))
	}
}
