package lifecycles

import (
	"net/http"

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
				steps := row(simplest(g, r.Make), simplest(g, r.Read))
				if r.IsPart(s.Op) && s.Op.Method == http.MethodGet {
					steps = append(steps, plan.Step{Message: simplest(g, s.Op), About: true, Aside: true})
				}
				theirs := row(nil, simplest(g, r.Read), simplest(g, s.Op))[1:]
				if s.Op == r.Read {
					theirs = theirs[1:]
				}
				for _, st := range theirs {
					st.Message.Other = true
				}
				return append(steps, theirs...)
			}))
		}
		return out
	},
}
