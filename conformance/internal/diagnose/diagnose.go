// Package diagnose finds the causes of the failures of a run. Diagnose groups
// failures, reports each group under one requirement, tries it again, shrinks it,
// and suppresses what follows from another failure. Results returns the verdict on
// every requirement.
package diagnose

import (
	"context"
	"time"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// Diagnosis holds the findings of a run and the verdicts on its requirements.
type Diagnosis struct {
	// Known, if not nil, reports whether a requirement is expected to fail. What its failure
	// hides does not make the run incomplete.
	Known func(id string) bool
	// Shard is nil if the run has the whole plan.
	Shard *Shard

	target  *explore.Target
	judge   *judge.Judge
	run     *execute.Run
	tallies []tally
	// suppressors has, for each requirement, how much speaks for each other one that
	// suppresses it. hidden has the one whose failure explains those of a requirement.
	suppressors []map[string]int
	hidden      map[int]string
	// odd has the requirements for which only values were tried that may be refused for what
	// they are. Another shard may show that ordinary words are refused alike.
	odd map[int]bool
	// vain counts the cases of an operation that another one may have disturbed, and that fail
	// alone too.
	vain map[*openapi.Operation]int
	// steady says whether requests that were refused are accepted alone, again and again.
	steady map[refusal]bool
	// stored has the texts of invalid requests that were accepted, with their operations.
	stored map[string]*openapi.Operation
	// lists says, for each operation, for which members the target may allow only a
	// list of values, and how to name one.
	lists map[*openapi.Operation]map[string]string
}

// Finding is one way in which a requirement fails.
type Finding struct {
	At int // the requirement, in Judge.Bound
	// Case is the one that shows it best. Failure is its outcome, as small as it
	// got.
	Case    *plan.Case
	Failure *judge.Failure
	// Stable reports whether it happened again. NotTriedAgain says why it was not
	// tried.
	Stable        bool
	NotTriedAgain string
	// Minimal reports whether nothing smaller fails in the same way.
	Minimal bool
	// Baseline reports whether a single baseline request shows it.
	Baseline bool
	// Also are the other requirements, in Judge.Bound, that state the same clause and
	// fail in the same way.
	Also []int
	// Unchecked is the media type of which every invalid body is accepted, if others of
	// the operation are checked.
	Unchecked string
	// AsSuccess reports whether the answers are refusals with the status of a success.
	AsSuccess bool
	// Cause is what it needs besides its last request; nil if nothing, or not known.
	Cause *causes.Cause
	group *group
}

// Failed reports whether a case failed in this way.
func (f *Finding) Failed(c *plan.Case) bool { return f.group.failures[c] != nil }

// Cases returns the cases that failed in this way, in the order of the plan.
func (f *Finding) Cases() []*plan.Case { return f.group.cases }

// Diagnose rechecks failures that may have another cause, reports each under one
// requirement, tries it again, shrinks it, and suppresses what follows from
// another. For those that need more than one request it asks the hypotheses what. The
// findings are in the order in which they were examined.
func Diagnose(ctx context.Context, run *execute.Run, causes ...causes.Hypothesis) (*Diagnosis, []Finding) {
	return Watched(ctx, run, nil, causes...)
}

// Watched is like Diagnose, and calls seen, if it is not nil, with each finding after it
// was tried again. Some findings are suppressed later.
func Watched(ctx context.Context, run *execute.Run, seen func(*Finding), causes ...causes.Hypothesis) (*Diagnosis, []Finding) {
	d := &Diagnosis{target: run.Target, judge: run.Judge, run: run, vain: map[*openapi.Operation]int{}, steady: map[refusal]bool{}}
	d.stored = d.storedTexts() // before they are tried again, with other texts
	d.settle()
	d.waver(ctx)
	d.recheck(ctx)
	d.strengthen(ctx)
	groups := d.attribute(ctx, joinDrawn(d.groups()))
	d.tallies = d.tally()
	var found []Finding
	var end time.Time
	for _, g := range few(d.worstFirst(groups)) {
		found = append(found, d.look(ctx, g, &end))
		if seen != nil {
			seen(&found[len(found)-1])
		}
	}
	found = d.suppressUnchecked(d.suppressShared(d.suppressAsSuccess(d.suppressStored(d.suppressLives(d.suppressDrawn(d.suppressCredentials(d.suppressExchanged(d.suppressInside(d.suppressMembers(d.suppressMisread(found)))))))))))
	return d, d.causes(ctx, found, causes)
}

// look tries a failure again with fresh values and shrinks it.
func (d *Diagnosis) look(ctx context.Context, g *group, end *time.Time) Finding {
	c, f := g.simplest()
	out := Finding{At: g.at, Case: c, Failure: f, group: g}
	out.Stable, out.NotTriedAgain = d.confirm(ctx, c, g, f)
	if s := g.sequences(); !out.Stable && out.NotTriedAgain == "" && len(f.Steps) == 1 && s != nil {
		// What failed after other requests may need them to fail again.
		longer, failure := s.simplest()
		if again, _ := d.confirm(ctx, longer, g, failure); again {
			c, f, out.Case, out.Failure, out.Stable = longer, failure, longer, failure, true
		}
	}
	if out.Stable && !f.Beside {
		s := NewShrinker(ctx, d.run, c, f)
		if end.IsZero() {
			*end = time.Now().Add(limits.ShrinkTotal)
		}
		s.Within(limits.ShrinkTime, *end)
		out.Minimal = s.Shrink()
		out.Failure = &s.Best
		s.Own.Close()
	}
	last := &out.Failure.Steps[len(out.Failure.Steps)-1]
	out.Baseline = len(out.Failure.Steps) == 1 && d.judge.IsBaseline(last)
	return out
}
