// Package diagnose finds the causes of the failures of a run. Diagnose groups
// failures, reports each group under one requirement, tries it again, shrinks it,
// and suppresses what follows from another failure. Results returns the verdict on
// every requirement.
//
// A Shrinker makes a failing case smaller while it fails in the same way and keeps its
// expectation. An Explainer describes failures for people: what was sent, what was
// expected, what came back, and what the failing cases have in common.
package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Diagnosis holds the findings of a run and the verdicts on its requirements.
type Diagnosis struct {
	// Known, if not nil, marks the results that are expected to fail. What their failures hide
	// does not make the run incomplete.
	Known func(results []report.Result)
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
// findings are in the order in which they were examined. It calls seen, if it is not nil, with each
// finding after it was tried again. Some findings are suppressed later.
func Diagnose(ctx context.Context, run *execute.Run, seen func(*Finding), causes ...causes.Hypothesis) (*Diagnosis, []Finding) {
	d := &Diagnosis{target: run.Target, judge: run.Judge, run: run, vain: map[*openapi.Operation]int{}, steady: map[refusal]bool{}}
	d.stored = d.storedTexts() // before they are tried again, with other texts
	d.settle(ctx)
	d.waver(ctx)
	d.full(ctx)
	d.recheck(ctx)
	d.strengthen(ctx)
	groups := d.attribute(ctx, joinDrawn(d.groups()))
	d.tallies = d.tally()
	found := d.absorb(d.lookAt(ctx, few(d.worstFirst(groups)), seen))
	found = d.explained(found, explanations()...)
	return d, d.causes(ctx, found, causes)
}

// lookAt tries each failure again, one of each kind first: time may end. The findings are in the
// order of the list.
func (d *Diagnosis) lookAt(ctx context.Context, list []*group, seen func(*Finding)) []Finding {
	ways, place := map[int]int{}, map[*group]int{}
	for i, g := range list {
		ways[g.at]++
		place[g] = i
	}
	var found []Finding
	var end time.Time
	for list = d.oneOfEach(list); len(list) > 0; {
		g := list[0]
		list = list[1:]
		f := d.look(ctx, g, &end, list)
		if rest := d.split(&f, ways[g.at]); rest != nil {
			list = slices.Concat([]*group{rest}, list)
			ways[g.at]++
			place[rest] = place[g]
		}
		found = append(found, f)
		if seen != nil {
			seen(&found[len(found)-1])
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(place[a.group], place[b.group]) })
	return found
}

// oneOfEach puts the first failure of each kind before the others. The worst category comes first in
// both parts.
func (d *Diagnosis) oneOfEach(list []*group) []*group {
	type kind struct {
		category                 report.Category
		rule, keyword, signature string
	}
	of := func(g *group) kind {
		_, f := g.simplest()
		b := &d.judge.Bound[g.at]
		return kind{Category(b, f), b.Rule.Name, b.Args.Key.Keyword, g.signature}
	}
	seen := map[kind]bool{}
	var first, rest []*group
	for _, g := range list {
		if k := of(g); !seen[k] {
			seen[k] = true
			first = append(first, g)
		} else {
			rest = append(rest, g)
		}
	}
	for _, some := range [][]*group{first, rest} {
		slices.SortStableFunc(some, func(a, b *group) int {
			return cmp.Compare(slices.Index(report.Categories(), of(a).category), slices.Index(report.Categories(), of(b).category))
		})
	}
	return append(first, rest...)
}

// look tries a failure again with fresh values and shrinks it, if that leaves time for others that are
// to be tried again.
func (d *Diagnosis) look(ctx context.Context, g *group, end *time.Time, others []*group) Finding {
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
			if deadline, limited := ctx.Deadline(); limited {
				// The rest is for trying the others again.
				*end = earlier(*end, time.Now().Add(time.Until(deadline)/2))
				*end = earlier(*end, deadline.Add(-d.again(others)))
			}
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

// again returns about how long it takes to try failures again, each with what it needs.
func (d *Diagnosis) again(list []*group) (took time.Duration) {
	answer, _ := d.target.Pace()
	for _, g := range list {
		c, _ := g.simplest()
		took += time.Duration(c.Steps()+len(c.Op.Bind)) * answer
	}
	return took
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// reasons are what the verdict on a requirement follows from, in a run as in all shards of
// a plan together.
type reasons struct {
	tally
	failed bool
	// unknown says which value must be named before the requirement can be judged.
	unknown string
	// unplanned gives the verdict if there is no case, untested if all cases were tried and
	// none was judged.
	unplanned, untested func() (report.Verdict, string)
}

// verdict returns what the first reason that applies makes of the requirement.
func (r *reasons) verdict() (report.Verdict, string) {
	none := r.judged == 0
	switch {
	case r.failed:
		return report.Fail, ""
	case r.unknown != "":
		return report.Inconclusive, r.unknown
	case none && r.wrong != "":
		return report.Error, r.wrong
	case r.planned == 0:
		return r.unplanned()
	case none && r.suppressedBy != "":
		return report.Inconclusive, report.Suppressed + r.suppressedBy
	case none && r.untried > 0:
		return report.Inconclusive, cmp.Or(r.why, "no case could be tried")
	case r.unexamined:
		return report.Inconclusive, unexamined
	case none:
		return r.untested()
	case r.untriedClass != "":
		return report.Inconclusive, "no case of one of its classes could be tried: " + r.why // the same words for all: reports count by reason
	case r.untried > 0:
		return report.Pass, fmt.Sprintf("%d of %d cases not tried: %s", r.untried, r.planned, r.why)
	}
	return report.Pass, ""
}

// unexamined is the reason if the time ended before all cases of the operation were examined.
const unexamined = "time ended before the cases that were not tried were examined (see --max-time)"

// noneJudged is the reason if cases were tried and no answer showed anything.
const noneJudged = "no exchange could be judged"

// concerns returns the members that the failures of a requirement may be about, with the words of
// the target.
func (d *Diagnosis) concerns(at int) []report.Evidence {
	if d.judge.Bound[at].Rule.Role != requirement.RoleOpen {
		return nil
	}
	var failures []*judge.Failure
	for _, r := range d.run.Records() {
		for i := range r.Failures {
			if f := &r.Failures[i]; f.At == at {
				failures = append(failures, f)
			}
		}
	}
	return d.evidence(failures)
}

// evidence names the members that failures may be about, each with the words of one refusal. A failure
// that one of them explains says nothing of the members beside it.
func (d *Diagnosis) evidence(failures []*judge.Failure) (out []report.Evidence) {
	slices.SortStableFunc(failures, func(a, b *judge.Failure) int {
		return cmp.Compare(strings.Count(a.Outcome.Members, "\n"), strings.Count(b.Outcome.Members, "\n"))
	})
	told := map[string]bool{}
	for _, f := range failures {
		members := strings.Split(f.Outcome.Members, "\n")
		if slices.ContainsFunc(members, func(path string) bool { return told[path] }) {
			continue
		}
		for _, path := range members {
			told[path] = true
			out = append(out, report.Evidence{Fact: "values of " + path + " are refused: " + d.judge.Redactor.Text(f.Outcome.Got)})
		}
	}
	slices.SortFunc(out, func(a, b report.Evidence) int { return strings.Compare(a.Fact, b.Fact) })
	return out
}

// tracer writes one JSON line for each checked exchange.
type tracer struct {
	mu    sync.Mutex
	w     io.Writer
	shown map[*exchange.Request]bool // requests of the set-up that were written
}

// line is one exchange of the trace.
type line struct {
	Case     string       `json:"case"`
	Step     int          `json:"step"`
	SetUp    bool         `json:"set_up,omitzero"` // it came before the step, which needs it
	Request  report.Bytes `json:"request"`
	Response report.Bytes `json:"response"`
	Failure  string       `json:"failure,omitempty"`
	Verdict  string       `json:"verdict"`
	Reason   string       `json:"reason,omitempty"`
	TookUS   int64        `json:"took_us"`
}

// Trace returns a function that writes one line to w for each exchange of a run.
func (e *Explainer) Trace(w io.Writer) func(c *plan.Case, step int, p *judge.Played) {
	t := &tracer{w: w, shown: map[*exchange.Request]bool{}}
	return func(c *plan.Case, step int, p *judge.Played) { t.write(e, c, step, p) }
}

func (t *tracer) write(e *Explainer, c *plan.Case, step int, p *judge.Played) {
	for i := range p.Before {
		t.setUp(e, c, step, &p.Before[i])
	}
	l := line{Case: c.ID, Step: step, Verdict: string(report.Pass), TookUS: p.Exchange.Took.Microseconds()}
	st := e.Shown(p, c.ID)
	l.Request, l.Response, l.Failure = st.Request, st.Response, st.Failure
	if got := p.Checked; got.Reason != nil {
		l.Verdict, l.Reason = string(report.Fail), e.judge.Bound[got.Reason.At].ID
	}
	t.print(l)
}

// setUp writes a request that came before a step because that needs it, once for all that share it.
func (t *tracer) setUp(e *Explainer, c *plan.Case, step int, p *judge.Played) {
	t.mu.Lock()
	known := t.shown[p.Exchange.Request]
	t.shown[p.Exchange.Request] = true
	t.mu.Unlock()
	if known {
		return
	}
	st := e.Shown(p, c.ID)
	t.print(line{Case: c.ID, Step: step, SetUp: true, Request: st.Request, Response: st.Response, Verdict: string(report.Pass), TookUS: p.Exchange.Took.Microseconds()})
}

func (t *tracer) print(l line) {
	b, err := json.Marshal(l, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = t.w.Write(append(report.Printable(b), '\n'))
}
