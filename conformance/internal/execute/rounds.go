package execute

import (
	"context"
	"time"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// The rounds of a stage. Each operation has its part of one before any has more of the next,
// so that a run that is cut by its time limit tells something of everything.
const (
	waiting  = iota - 1 // what mostly waits begins before all others
	ofFamily            // the first class of each family: the baseline, one violation, no credential
	ofKind              // the first class of each mutator, and of each kind of wrong credential
	ofClass             // the first case of every class
	further             // all other cases
)

// rounds finds the round of each case.
func rounds(cases []*plan.Case) map[*plan.Case]int {
	type group struct {
		op    *openapi.Operation
		phase plan.Phase
		name  string
	}
	out, seen := map[*plan.Case]int{}, map[group]bool{}
	first := func(c *plan.Case, name string) bool {
		g := group{c.Op, c.Class.Phase, name}
		was := seen[g]
		seen[g] = true
		return !was
	}
	for _, c := range cases {
		family, kind := string(c.Class.Family), c.Class.Mutator
		if c.Class.Family == plan.FamilyCredential {
			kind += " " + c.Class.Subject
		}
		switch {
		case c.Class.Waits > 0:
			out[c] = waiting
		case c.Draw > 0:
			out[c] = further
		case first(c, family):
			first(c, kind)
			out[c] = ofFamily
		case first(c, kind):
			out[c] = ofKind
		default:
			out[c] = ofClass
		}
	}
	return out
}

// reserve returns when a stage stops trying what is not the first of its kind: the stages behind it
// need the rest of the time for that. It is nil if the run has no time limit.
func (run *Run) reserve(ctx context.Context, began time.Time, stage int) *time.Time {
	last, own := stages[len(stages)-1].end(ctx, began), stages[stage].end(ctx, began)
	if last == nil {
		return nil
	}
	answer, _ := run.Target.Pace()
	for _, c := range run.Cases {
		if run.records.of(c) != nil || c.Draw > 0 {
			continue
		}
		for _, later := range stages[stage+1:] {
			if !later.rest && later.has(c) && (run.rounds[c] <= ofKind || c.Class.Phase == plan.Credential) {
				need := time.Duration(c.Steps()) * answer * 3 / 2
				if later.phase == plan.Credential {
					need /= time.Duration(run.AtOnce())
				}
				*last = last.Add(-need)
			}
		}
	}
	if last.Before(*own) {
		return own
	}
	return last
}

// postponed reports whether a case is left for later because those behind it would have no time.
func (run *Run) postponed(c *plan.Case) bool {
	return run.rounds[c] == ofClass && past(run.reserved.Load())
}

const postponedReason = "the run had no time for it (see --max-time): each operation first has one case of each kind"
