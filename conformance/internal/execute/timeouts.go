package execute

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// timeouts remembers which requests got no answer in time. A time-out proves nothing
// when it happens, because the machine may be busy. It is confirmed alone, with the
// full --timeout. Until then, and afterwards for similar cases, a run waits as long
// as the pace of the target justifies, and that wait decides no verdict.
type timeouts struct {
	mu      sync.Mutex
	classes map[string]bool          // those with a time-out; true once confirmed
	ops     map[string]confirmed     // by operation
	fresh   int                      // time-outs since the last look
	alarm   int                      // how many of them call for a look
	spent   time.Duration            // waited in vain since the first was confirmed
	slow    map[string]time.Duration // by class: the slowest answer to a case tried alone
	looked  map[string]int           // further classes tried alone, by operation
	vain    map[string]int           // time-outs by trait, as alike says
	came    map[string]int           // answers by trait
	alone   int                      // those that were answered when they were sent alone
	last    *plan.Case               // the last of them
}

// trait is what some cases have in common. If enough of them get no answer, for each one
// that gets an answer, the rest would show nothing new.
type trait struct {
	name   string
	enough int
}

// alike names what a case has in common with others: their mutator, and its kind too.
// A wrong credential may be answered before a valid body and not before an invalid one.
// A target that answers no refusal does not answer any case that expects one.
func alike(c *plan.Case) []trait {
	by := c.Op.Slug + " " + c.Class.Mutator
	out := []trait{{by, limits.VainTimeouts}, {by + " " + c.Class.Kind, limits.VainTimeouts}}
	switch e := c.Class.Expected; e {
	case message.RefuseNotJSON, message.Refuse, message.RefuseCredential:
		out = append(out, trait{c.Op.Slug + ": " + e.String(), limits.VainAnswers})
	}
	return out
}

// answers records that a case was answered.
func (h *timeouts) answers(c *plan.Case) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.came == nil {
		h.came = map[string]int{}
	}
	for _, by := range alike(c) {
		h.came[by.name]++
	}
}

// confirmed is a time-out that happened again, alone, while controls were answered.
type confirmed struct {
	caseID      string
	requirement string // that it breaks
}

// timedOut counts an answer that did not come within wait. The workers wait in
// parallel, so each adds only its share of the time.
func (h *timeouts) timedOut(c *plan.Case, wait time.Duration, workers int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.classes == nil {
		h.classes = map[string]bool{}
	}
	if _, known := h.classes[c.Class.Slug]; !known {
		h.classes[c.Class.Slug] = false
	}
	if h.vain == nil {
		h.vain = map[string]int{}
	}
	for _, by := range alike(c) {
		h.vain[by.name]++
	}
	h.fresh++
	if len(h.ops) > 0 {
		h.spent += wait / time.Duration(max(workers, 1))
	}
}

// confirm records a confirmed time-out.
func (h *timeouts) confirm(c *plan.Case, requirement string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ops == nil {
		h.ops = map[string]confirmed{}
	}
	h.classes[c.Class.Slug] = true
	if _, known := h.ops[c.Op.Slug]; !known {
		h.ops[c.Op.Slug] = confirmed{c.ID, requirement}
	}
}

// timeout returns how long the first try of a case waits; whole is the --timeout.
func (h *timeouts) timeout(c *plan.Case, whole, pace time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, before := h.classes[c.Class.Slug]
	_, known := h.ops[c.Op.Slug]
	minimum := limits.FirstWait
	switch {
	case known && h.spent > 2*limits.HangTime && len(h.classes) >= limits.Widespread:
		minimum = limits.ConfirmedWait / 8
	case known && h.spent > limits.HangTime && len(h.classes) >= limits.Widespread:
		minimum = limits.ConfirmedWait / 2
	case known && (before || len(h.classes) >= limits.Widespread):
		minimum = limits.ConfirmedWait
	case known || before || len(h.classes) >= limits.Widespread:
		minimum = limits.DoubtfulWait
	}
	return min(whole, max(minimum, pace, limits.SlowFactor*h.slow[c.Class.Slug]))
}

// answered records how long the answers to a case that was tried alone took. Its
// class is slow, and nothing more.
func (h *timeouts) answered(class string, list []judge.Played) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.slow == nil {
		h.slow = map[string]time.Duration{}
	}
	for i := range list {
		h.slow[class] = max(h.slow[class], list[i].Exchange.Took)
	}
}

// cleared counts a case that got no answer beside others, and one alone.
func (h *timeouts) cleared(c *plan.Case, before, again *judge.Record) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if before.Hung && again.State == judge.Tried && len(again.Failures) == 0 {
		h.alone++
		h.last = c
	}
}

// starving returns the last such case, once, if there are enough of them for a probe.
func (h *timeouts) starving() *plan.Case {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.alone < limits.FlakyDrops {
		return nil
	}
	c := h.last
	h.alone, h.last = math.MinInt, nil
	return c
}

// pressing reports whether so many answers are missing that one of these cases
// should be tried alone before waiting for more.
func (h *timeouts) pressing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.fresh >= max(h.alarm, limits.HangAlarm) && len(h.ops) == 0
}

// calm starts a new count. If nothing was confirmed, it takes more time-outs until
// the next check.
func (h *timeouts) calm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fresh, h.alarm = 0, max(h.alarm, limits.HangAlarm)*4
}

// given returns the confirmed time-out of an operation, if known. It sets enough if
// a case of this class, or like many of which none is answered, would show nothing new,
// and the time for such cases is spent.
func (h *timeouts) given(c *plan.Case) (by confirmed, known, enough bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	by, known = h.ops[c.Op.Slug]
	_, before := h.classes[c.Class.Slug]
	for _, by := range alike(c) {
		before = before || h.vain[by.name] >= by.enough*(1+h.came[by.name])
	}
	return by, known, known && before && h.spent > limits.HangTime
}

// additional counts the classes of an operation that are tried alone after one was
// confirmed. It returns false if there are enough.
func (h *timeouts) additional(op string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.looked == nil {
		h.looked = map[string]int{}
	}
	h.looked[op]++
	return h.looked[op] <= limits.AdditionalTimeouts
}

func (h *timeouts) isConfirmed(class string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.classes[class]
}

// count returns how many operations have a confirmed time-out.
func (h *timeouts) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ops)
}

// Timeouts reports whether a request of the operation was confirmed to get no answer.
func (run *Run) Timeouts(op *openapi.Operation) bool {
	run.timeouts.mu.Lock()
	defer run.timeouts.mu.Unlock()
	_, known := run.timeouts.ops[op.Slug]
	return known
}

// stalled reports whether a whole answer did not come for longer than a first try waits.
// Many servers close a connection that stays open after some seconds, in the middle of an
// answer that is too short: the end of the connection is no answer either.
func stalled(e *exchange.Exchange) bool {
	return Hung(e) || transport(e) && e.Took >= limits.FirstWait
}

// unanswered returns the record of a case without an answer in time, if a similar
// case was confirmed to get none: what the case tests is suppressed by that
// failure.
func (run *Run) unanswered(c *plan.Case, by confirmed) *judge.Record {
	r := run.Judge.TriedRecord(c.Op)
	r.Suppressed.Union(run.Judge.Covers(c))
	r.SuppressedBy = by.requirement
	return r
}

// Hung reports whether an exchange timed out.
func Hung(e *exchange.Exchange) bool {
	return e != nil && e.Failure != nil && e.Failure.Kind == exchange.TimedOut && !e.Excused()
}

// look sends the first case without an answer again, alone, before the run waits for more
// of them. If it is answered on a new connection but not on a kept one, each later case
// gets a new connection: the cases of several requests show whether the target stops
// answering after one of them.
func (run *Run) look(ctx context.Context, cases []*plan.Case) {
	run.timeouts.calm()
	at := slices.IndexFunc(cases, func(c *plan.Case) bool {
		r := run.records.of(c)
		return r != nil && r.State == judge.ToRetry && r.Hung
	})
	if at >= 0 && ctx.Err() == nil {
		kept := run.records.of(cases[at]).Kept
		again := run.alone(ctx, cases[at])
		run.timeouts.cleared(cases[at], run.records.of(cases[at]), again)
		run.records.set(cases[at], again)
		if kept && again.State == judge.Tried && len(again.Failures) == 0 {
			run.wary.Store(true)
		}
	}
}

// waits counts how often a rule failed after the whole time that a target may take to show
// something, and knows the requirements that did. Many cases may fail at the same time.
type waits struct {
	mu     sync.Mutex
	vain   map[*requirement.Rule]int
	waited map[*judge.Bound]bool
}

// wholeWaits is how many cases of a rule wait that long; after them only the first case of each of
// its requirements does. A target that stores nothing costs seconds, not minutes.
const wholeWaits = 3

// settle returns how long the target may take to show what a requirement looks for.
func (run *Run) settle(late *judge.Bound) time.Duration {
	run.waits.mu.Lock()
	defer run.waits.mu.Unlock()
	if run.waits.vain[late.Rule] >= wholeWaits && run.waits.waited[late] {
		return run.Settle / 16
	}
	return run.Settle
}

// noted counts a requirement that failed in the end.
func (w *waits) noted(late *judge.Bound) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.vain == nil {
		w.vain, w.waited = map[*requirement.Rule]int{}, map[*judge.Bound]bool{}
	}
	w.vain[late.Rule]++
	w.waited[late] = true
}

// asTaken returns a step whose unusual values must be accepted, because the step before it has
// the same ones and was accepted. If the target is not known to accept repeated values there, the
// step is like any other.
func (run *Run) asTaken(step plan.Step, before *judge.Played) plan.Step {
	if step.From != (plan.Taken{}) {
		return step
	}
	m := step.Message
	known, facts, r := *m, run.Target.Facts.Of(m.Op), m.Reading()
	step.From = nil
	if r == nil || !explore.Accepted(m.Op, before.Exchange) {
		return step
	}
	places := slices.Clone(r.Unusual)
	for _, why := range r.Reasons {
		places = append(places, why.Path)
	}
	for _, path := range places {
		v, was := m.At(path), before.Step.Message.At(path)
		if v == nil || was == nil || !jsontree.Equal(v, was) || !facts.TakesAgain(path) {
			return step
		}
		known.Given(path, v)
	}
	step.From, step.Message = plan.Taken{}, &known
	return step
}
