// Package causes finds out what a failure needs besides its own request: a request before
// it, several at the same time, or a number of them. Find asks one hypothesis of List
// after the other. Each makes its experiments with a Lab, which bounds them.
//
// A cause only explains. It changes no verdict.
package causes

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// List gives every hypothesis, those first that fewer requests confirm and that others
// would be confused with.
func List() []Hypothesis {
	return []Hypothesis{
		mistakenRepeat, repeatedValue, sinceThen, requestBefore, sentBefore, sameLength, passedEarlier, placeOnConnection, everyNth, fieldCache,
		behindAnother, theOneBefore, someConnections, aMoment, afterAPause, atFirst, inFlight, counter, nowAndThen,
	}
}

// ordinal writes a number as 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	end := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}

// Hypothesis is one thing that a failure may need.
type Hypothesis struct {
	Name string
	Doc  string // one sentence: what is sent, and what that shows
	// Settled reports whether it is asked about failures that come every time, too: what
	// they need may have happened for good. It sends few requests or none.
	Settled bool
	// Requests is how many it may send even if the others have used up those of a failure.
	Requests int
	// Find makes the experiments. It returns nil if they do not confirm the hypothesis.
	Find func(l *Lab) *Cause
}

// Cause is what a failure needs.
type Cause struct {
	Name     string // of the hypothesis
	Sentence string
	// Past reports whether it is about nothing but when, in the run, requests failed. Since,
	// if not 0, is how many had been sent when it began for good.
	Past  bool
	Since int
	// Failure is an example with the steps that matter; nil if one request shows it.
	Failure *judge.Failure
}

// Budget bounds the experiments of a run. The zero value is a whole one.
type Budget struct{ end time.Time }

// Find returns what a failure needs, or nil if that is not known. Best is the smallest
// example of the failure f. If that is stable, only the settled hypotheses are asked, unless
// the request passes at times.
func (b *Budget) Find(ctx context.Context, run *execute.Run, list []Hypothesis, c *plan.Case, f, best *judge.Failure, stable bool) *Cause {
	if len(list) == 0 || !worthwhile(ctx, run, c, f) {
		return nil
	}
	now := time.Now()
	if b.end.IsZero() {
		b.end = now.Add(limits.CauseTotal)
	}
	l := &Lab{run: run, Case: c, failure: f, example: best, left: limits.CauseRequests, ctx: ctx}
	if l.end = now.Add(limits.CauseTime); l.end.After(b.end) {
		l.end = b.end
	}
	for i := range list {
		l.left = max(l.left, list[i].Requests)
		switch {
		case list[i].Settled:
		case l.spent():
			continue // another one may have requests of its own
		case stable && l.Alone().Passed == 0 || l.needsNothing():
			return nil
		}
		if found := list[i].Find(l); found != nil {
			found.Name = list[i].Name
			return found
		}
	}
	return nil
}

// needsNothing reports whether the request fails by itself, also when whatever came
// before it is long over.
func (l *Lab) needsNothing() bool {
	if !l.Alone().Always(limits.CauseAlone) || l.late {
		return false
	}
	l.late = true
	l.Pause(limits.CausePause)
	var late Tally
	l.Once([]plan.Step{l.Request()}, &late)
	l.late = late.Passed > 0
	return !l.late
}

// worthwhile reports whether experiments can explain a failure. What several requests
// about one thing show is explained by them, and a time-out takes too long.
func worthwhile(ctx context.Context, run *execute.Run, c *plan.Case, f *judge.Failure) bool {
	bound := run.Judge.Bound[f.At].Rule
	return ctx.Err() == nil && !run.Lost() && c.Class.Phase != plan.Scenarios && !bound.AnyPass && bound.Rank != requirement.History &&
		!slices.ContainsFunc(f.Steps, func(p judge.Played) bool { return execute.Hung(p.Exchange) })
}

// History is when, in the run, cases like the failing one failed and passed.
type History struct {
	Failed, Passed []When
}

// When is how many requests had been sent when a case ended, and how many of them the
// target had refused.
type When struct{ Sent, Refused int }

// History lists the cases of the run that the requirement was judged in and that are
// expected to be what the failing one is.
func (l *Lab) History() History { return l.HistoryOf(l.Case.Class.Expected) }

// HistoryOf is History of cases with another expectation.
func (l *Lab) HistoryOf(expected message.Expectation) History {
	var out History
	for c, r := range l.run.Records() {
		if !l.judged(c, r) || c.Class.Expected != expected {
			continue
		}
		switch when := (When{r.Sent, r.Refused}); {
		case r.FailedAt(l.failure.At):
			out.Failed = append(out.Failed, when)
		case r.Passed.Has(l.failure.At):
			out.Passed = append(out.Passed, when)
		}
	}
	return out
}

// Sent is how many requests of the run had been sent when the last case was judged.
func (l *Lab) Sent() int {
	out := 0
	for _, r := range l.run.Records() {
		out = max(out, r.Sent)
	}
	return out
}

// First returns the earliest of a list.
func First(list []When) When {
	return slices.MinFunc(list, func(a, b When) int { return cmp.Compare(a.Sent, b.Sent) })
}

// Last returns the latest of a list.
func Last(list []When) When {
	return slices.MaxFunc(list, func(a, b When) int { return cmp.Compare(a.Sent, b.Sent) })
}
