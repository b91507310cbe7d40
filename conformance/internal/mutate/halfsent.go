package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// besideHalf is how many connections a case uses.
const besideHalf = 4

var halfSent = plan.Mutator{
	Name: "half-sent",
	Doc:  "Sends a request in halves while others are sent on other connections, valid ones and refused ones, because a request belongs to its own connection however much of it has come.",
	Classes: func(s *plan.Space) []plan.Class {
		valid := func(*message.Message) {}
		kinds := []spoil{{"valid", valid}}
		if list := spoils(s); len(list) > 0 {
			kinds = append(kinds, spoil{"refused", list[0].apply})
		}
		if wrong := refusals(s); len(wrong) > 0 {
			kinds = append(kinds, spoil{"wrong-credential", func(m *message.Message) { m.Credentials = wrong[len(wrong)-1].All() }})
		}
		var out []plan.Class
		for i, half := range kinds {
			out = append(out, several("half-sent-"+half.kind, plan.ExpectNothing, besideHalf, 1, func(g *generate.Gen, _ int) []plan.Step {
				list := baselines(g, besideHalf)
				list[0].Framing = message.Pieces
				half.apply(list[0])
				for k, m := range list[1:] {
					kinds[(i+1+k)%len(kinds)].apply(m)
				}
				return append(atOnce(list), plan.Step{Message: g.Baseline(), Connection: 1})
			}))
		}
		return out
	},
}
