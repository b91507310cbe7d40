package replay

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// mostConnections bounds those of a report.
const mostConnections = 64

// arranged finds the steps of an example that shows a cause. Its requests are those of the
// case, baseline requests, and those of other cases that the report names. Their order,
// their number, and what they are sent at the same time with is the cause.
func (p *Player) arranged(c *plan.Case, r Recorded, id generate.Identity, known []plan.Step, from [][]byte) ([]plan.Step, error) {
	var out []plan.Step
	for i, st := range r.Steps {
		candidates, words := known, from
		if other := p.target.Plan.Find(st.Case); other != nil && other.Op == c.Op && other.Class.Phase != plan.Lifecycle {
			candidates = p.target.Plan.Build(other, id)
			words = sources(p.target.Plan, other, id, candidates)
		}
		best := &DiffersError{Request: i + 1, Ways: []string{"its connection has no valid number"}}
		if st.Connection < 1 || st.Connection > mostConnections {
			return nil, best
		}
		best = nil
		for _, step := range candidates {
			step.Parallel, step.Connection = st.Parallel, st.Connection-1
			got, ways := p.same(c, r, st, step, words)
			if len(ways) == 0 {
				out = append(out, got)
				break
			}
			if best == nil || len(ways) < len(best.Ways) {
				best = &DiffersError{Request: i + 1, Ways: ways}
			}
		}
		if len(out) == i {
			return nil, best
		}
	}
	return out, nil
}
