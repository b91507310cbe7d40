package execute

import (
	"context"
	"slices"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// repaired checks at the end of a stage whether a request turned other operations off. If so, it
// forgets what the cases showed since then, and reports whether they can be tried again.
func (run *Run) repaired(ctx context.Context, s stage, cases []*plan.Case, waiting *aside) bool {
	if run.lost.Load() {
		return false
	}
	harm := run.Target.Harmed(ctx, run.refusals(cases), func() { waiting.end(ctx) })
	if harm == nil {
		return false
	}
	if waiting.row != nil && s.phase == plan.Single {
		cases = slices.Concat(cases, waiting.cases)
		waiting.row = nil // they are tried with their stage now
	}
	again := run.Target.Ended == ""
	for _, c := range cases {
		r := run.records.of(c)
		if r == nil || r.State == judge.Inapplicable || r.Why == slowReason || r.Why == postponedReason || r.State == judge.Tried && r.Sent < harm.Since || crashed(r, harm) {
			continue
		}
		if run.turnsOff(c) && len(r.Failures) == 0 {
			continue // it was sent for its own effect
		}
		if len(r.Failures) > 0 {
			run.failed--
		}
		run.done--
		run.records.set(c, nil)
		run.anew[c] = true
	}
	run.stopped.Store(false)
	for _, c := range cases {
		run.stopAt(run.records.of(c))
	}
	return again && !run.stopped.Load()
}

// refusals are the requests of cases that were answered with a server error, or refused although
// they are valid.
func (run *Run) refusals(cases []*plan.Case) (out []explore.Refusal) {
	for _, c := range cases {
		r := run.records.of(c)
		if r == nil || len(r.Failures) == 0 {
			continue
		}
		f := r.Failures[0]
		p := f.Steps[f.Step]
		if p.Exchange.Failure != nil {
			continue
		}
		if status := p.Exchange.Response.Status; status >= 500 || status >= 400 && p.Sent.Expectation() == message.Accept {
			out = append(out, explore.Refusal{Op: p.Step.Message.Op, At: r.Sent})
		}
	}
	return out
}

// crashed reports whether a record has a failure that the harm does not explain: no answer, or a
// server error with another status.
func crashed(r *judge.Record, harm *explore.Harm) bool {
	return slices.ContainsFunc(r.Failures, func(f judge.Failure) bool {
		e := f.Steps[f.Step].Exchange
		return e.Failure != nil || e.Response.Status >= 500 && !slices.Contains(harm.Statuses, e.Response.Status)
	})
}
