package lifecycles

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var others = plan.Mutator{
	Name: "others",
	Doc:  "Makes a thing and reads, changes or deletes it as another principal, because a server may check who asks and not to whom the thing belongs.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasOther() {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			if r.ForOthers(s.Op) == nil {
				continue
			}
			out = append(out, about("named", []string{"others-kept"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				// What its maker reads shows whether the other one names the same thing.
				steps := row(simplest(g, r.Make), simplest(g, r.Read), simplest(g, r.Read))
				if s.Op != r.Read {
					steps = append(steps, plan.Step{Message: simplest(g, s.Op), About: true})
				}
				for _, st := range steps[2:] {
					st.Message.Other = true
				}
				return steps
			}))
		}
		return out
	},
}
