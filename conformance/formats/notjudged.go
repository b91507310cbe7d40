package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/report"
)

// observed lists what the target does where the specification is silent, a row
// for each open point.
func (s *page) observed(r *report.Report, limit int) {
	var rows []string
	for _, x := range r.Observed {
		if len(x.Seen) > 0 {
			rows = append(rows, s.row(x.Requirement+": "+habits(x.Seen)))
		}
	}
	s.rows("observed where the specification is silent (not judged)", rows, limit)
}

// habit is one answer of the target and the classes that got it.
type habit struct {
	answer  string
	classes []string
	count   int
}

// habits tells observations by their answer, the most frequent first: what is
// seen is "class: answer", and an answer to many classes is told once. An
// answer to few classes names them.
func habits(seen []report.Seen) string {
	var list []*habit
	by := map[string]*habit{}
	for _, x := range seen {
		class, answer, found := strings.Cut(x.What, ": ")
		if !found {
			class, answer = "", x.What
		}
		h := by[answer]
		if h == nil {
			h = &habit{answer: answer}
			by[answer] = h
			list = append(list, h)
		}
		h.count += x.Count
		if class != "" {
			h.classes = append(h.classes, class)
		}
	}
	slices.SortStableFunc(list, func(a, b *habit) int { return cmp.Compare(b.count, a.count) })
	var told []string
	for _, h := range list {
		t := fmt.Sprintf("%s (%d", h.answer, h.count)
		if len(list) > 1 && len(h.classes) > 0 && len(h.classes) <= 3 {
			t += ": " + strings.Join(h.classes, ", ")
		}
		told = append(told, t+")")
	}
	return strings.Join(told, "; ")
}

// openPoint says of a requirement why it has no verdict.
const openPoint = "open point: observed, not judged"

// onlyObserved are the observations that are no results too.
func onlyObserved(r *report.Report) []report.Observe {
	judged := map[string]bool{}
	for _, x := range r.Results {
		judged[x.Requirement] = true
	}
	return slices.DeleteFunc(slices.Clone(r.Observed), func(o report.Observe) bool { return judged[o.Requirement] })
}

// unavailableTold is from how many answers 503 without Retry-After the report
// speaks of a target that may shed load.
const unavailableTold = 5

// heldBack words how the target held the run back; empty where it did not.
func heldBack(r *report.Report) string {
	l, out := r.Times.Limits, ""
	if l.Answers > 0 {
		out = fmt.Sprintf("%s asked the client to wait (429, or 503 with Retry-After): waited %s in total", counted(l.Answers, "answer"), l.Waited.Round(time.Millisecond))
		if l.Rate > 0 {
			out += ", then slowed down to " + counted(l.Rate, "request") + " per second (to start with this rate, use --rate)"
		}
	}
	if l.Unavailable >= unavailableTold {
		if out != "" {
			out += "; "
		}
		out += fmt.Sprintf("%s 503 without Retry-After: if the target is overloaded, set --rate N", counted(l.Unavailable, "answer"))
		if took := r.Times.Took.Seconds(); took > 0 {
			out += fmt.Sprintf(" (this run sent about %.0f per second)", float64(r.Summary.Exchanges)/took)
		}
	}
	return out
}

// second tells each answer of which the two judges say different things.
func (s *page) second(o *report.SecondOpinion) {
	if o == nil {
		return
	}
	var rows []string
	for _, d := range o.Differences {
		rows = append(rows, s.row(fmt.Sprintf("%d answers: %s; %s: %s (%s)", d.Status, d.Exact, o.Reader, d.Second, counted(d.Answers, "answer"))),
			s.row(fmt.Sprintf("  first in %s: %s", d.Case, d.Body.Data)))
	}
	s.rows("where the second opinion differs (the first verdict counts)", rows, rowsShown)
}

// agreement says how far both judges agreed.
func agreement(o *report.SecondOpinion) string {
	switch {
	case o == nil:
		return ""
	case o.Agreed+o.Disagreed == 0 && o.Reason == "":
		return ""
	case o.Agreed+o.Disagreed == 0:
		return "no second opinion: " + Escape(o.Reason)
	}
	out := fmt.Sprintf("%s agrees on %d of %s", o.Reader, o.Agreed, counted(o.Agreed+o.Disagreed, "distinct answer"))
	if o.Reason != "" {
		out += " (" + Escape(o.Reason) + ")"
	}
	return out
}

// sameReason is what is not tried, or not decided, for one reason.
type sameReason struct {
	Kind        string // the way of having no verdict, in the words of a reader
	Who, Reason string // Who names a few of them
	Count       int
}

// group puts things together by their reasons. The reasons come first that the user can do
// something about, then those of most things.
type group struct {
	order []string
	by    map[string][]string
}

func (g *group) add(who, reason string) {
	if g.by == nil {
		g.by = map[string][]string{}
	}
	if g.by[reason] == nil {
		g.order = append(g.order, reason)
	}
	g.by[reason] = append(g.by[reason], who)
}

func (g *group) list() []sameReason {
	var out []sameReason
	for _, reason := range g.order {
		ids := g.by[reason]
		out = append(out, sameReason{Who: some(ids, 3), Reason: cmp.Or(reason, "no reason given"), Count: len(ids)})
	}
	slices.SortStableFunc(out, func(a, b sameReason) int {
		if helps := strings.Contains(a.Reason, " --"); helps != strings.Contains(b.Reason, " --") {
			if helps {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Count, a.Count)
	})
	return out
}

// byReason puts the requirements of one verdict together by their reasons: a target
// that is not there gives one reason for all of them. What failures hide has one reason.
func byReason(r *report.Report, v report.Verdict) []sameReason {
	var g group
	for _, x := range r.Results {
		if x.Verdict == v {
			reason := x.Reason
			if _, hidden := x.SuppressedBy(); hidden {
				reason = report.Suppressed + "failures above"
			}
			g.add(fmt.Sprintf("%s (%s)", x.Requirement, x.Level), reason)
		}
	}
	return g.list()
}

// untried says which cases of a requirement were not tried although it passed; empty
// if all were.
func untried(x report.Result) string {
	switch {
	case x.Verdict != report.Pass || x.Cases.NotTried == 0:
		return ""
	case x.Reason != "":
		return x.Reason
	}
	return fmt.Sprintf("%d of %d not tried", x.Cases.NotTried, x.Cases.Planned)
}

// untriedKinds are what a verdict does not cover, by its reasons.
func untriedKinds(r *report.Report) (out []sameReason) {
	for _, k := range []struct {
		kind string
		list []sameReason
	}{
		{"operation not tried", notReached(r)}, {"error in this suite", byReason(r, report.Error)}, {"inconclusive", byReason(r, report.Inconclusive)},
		{"not tried again", notTriedAgain(r)}, {"passed in part", partly(r)}, {"left out", leftOutBy(r.Header.LeftOut)}, {"inapplicable", byReason(r, report.Inapplicable)},
	} {
		for _, g := range k.list {
			g.Kind = k.kind
			out = append(out, g)
		}
	}
	return out
}

// partly are the requirements that passed although some cases could not be tried.
func partly(r *report.Report) []sameReason {
	var g group
	for _, x := range r.Results {
		if why := untried(x); why != "" {
			if _, behind, counts := strings.Cut(why, " not tried: "); counts {
				why = behind
			}
			g.add(x.Requirement, why)
		}
	}
	return g.list()
}

// notTriedAgain are the requirements whose failures were not sent again.
func notTriedAgain(r *report.Report) []sameReason {
	var g group
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if f.NotTriedAgain != "" {
				g.add(x.Requirement, f.NotTriedAgain)
			}
		}
	}
	return g.list()
}

// notReached are the operations of which no request was accepted.
func notReached(r *report.Report) []sameReason {
	var g group
	if r.Reach == nil {
		return nil
	}
	for _, u := range r.Reach.Untried {
		why := u.Of(len(u.Operations))
		if u.Help != "" {
			why += ": " + u.Help
		}
		for _, op := range u.Operations {
			g.add(op, why)
		}
	}
	return g.list()
}

// leftOutBy are the parts of a document that are not tested: who, where it is an operation.
func leftOutBy(list []string) []sameReason {
	var g group
	for _, x := range list {
		if who, why, of := strings.Cut(x, ": "); of && (strings.HasPrefix(who, "/") || strings.Contains(who, " /")) {
			g.add(who, why)
		} else {
			g.add("", x)
		}
	}
	return g.list()
}
