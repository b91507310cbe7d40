package causes

import (
	"slices"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// Rounds sends several times n requests at the same time, each on a connection of its
// own, and counts the rounds in which one fails. The first is the request that fails;
// beside makes the others.
func (l *Lab) Rounds(n, rounds int, beside func() plan.Step) Tally {
	var steps []plan.Step
	for range rounds {
		for i := range n {
			st := l.Request()
			if i > 0 {
				st = beside()
			}
			st.Connection, st.Parallel = i, true
			steps = append(steps, st)
		}
	}
	own := l.Session()
	defer own.Close()
	played, failures := l.send(own, steps)
	var out Tally
	for from := 0; from+n <= len(played); from += n {
		i := slices.IndexFunc(failures[from:from+n], func(f *judge.Failure) bool { return f != nil })
		if i < 0 {
			out.Passed++
			continue
		}
		out.Failed++
		if out.Example == nil {
			out.Example = failedTogether(failures[from+i], from, n, played)
		}
	}
	out.Cut = out.Failed == 0 && len(played) < len(steps)
	return out
}

// together makes an example of n steps at once. The one that fails comes last, as they
// have no order.
func failedTogether(f *judge.Failure, from, n int, played []judge.Played) *judge.Failure {
	out := *f
	out.Steps = nil
	for i := from; i < from+n; i++ {
		if i != f.Step {
			out.Steps = append(out.Steps, played[i])
		}
	}
	out.Steps = append(out.Steps, played[f.Step])
	out.Step = n - 1
	return &out
}
