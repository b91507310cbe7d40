package mutate

import (
	"cmp"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const (
	leastSteps     = 4
	mostSteps      = 12
	mostConnection = 3
)

// interleaving draws valid, refused, unauthenticated and repeated requests over
// a few connections.
func interleaving(g *generate.Gen, bad []spoil, wrong []message.Attempt) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		n := leastSteps + r.Intn(mostSteps-leastSteps+1)
		used := 1 + r.Intn(mostConnection)
		steps := make([]plan.Step, 0, n)
		for range n {
			m := g.Baseline()
			switch k := r.Intn(10); {
			case k < 3 && len(bad) > 0:
				bad[r.Intn(min(len(bad), 6))].apply(m)
			case k == 3 && len(wrong) > 0:
				m.Credentials = wrong[0].Presented
			case k == 4 && len(steps) > 0:
				m = steps[r.Intn(len(steps))].Message.Clone()
			}
			steps = append(steps, plan.Step{Message: m, Connection: r.Intn(used), Fresh: r.Intn(8) == 0})
		}
		// Some neighbours on distinct connections go at once, in pairs apart.
		for i := 1; i < len(steps); i++ {
			if (i < 2 || !steps[i-2].Parallel) && steps[i].Connection != steps[i-1].Connection && !steps[i-1].Parallel && r.Intn(3) == 0 {
				steps[i-1].Parallel, steps[i].Parallel = true, true
			}
		}
		return gopter.NewGenResult(steps, gopter.NoShrinker)
	}
}

var randomInterleavings = plan.Mutator{
	Name: "random-interleavings",
	Doc:  "Sends random sequences of valid, refused, unauthenticated and repeated requests over one to three connections, because fixed sequences miss some orders.",
	Classes: func(s *plan.Space) []plan.Class {
		bad, wrong := spoils(s), refusals(s)
		if len(bad)+len(wrong) == 0 {
			return nil
		}
		return []plan.Class{several("random", plan.ExpectNothing, mostConnection, cmp.Or(s.Draws/16, 1),
			func(g *generate.Gen, _ int) []plan.Step {
				drawn, _ := interleaving(g, bad, wrong)(g.Params()).Retrieve()
				return drawn.([]plan.Step)
			})}
	},
}
