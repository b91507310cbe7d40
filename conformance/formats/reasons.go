package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// sameReason is what is not tried, or not decided, for one reason.
type sameReason struct {
	who, reason string // who names a few of them
	n           int
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
		out = append(out, sameReason{who: some(ids, 3), reason: cmp.Or(reason, "no reason given"), n: len(ids)})
	}
	slices.SortStableFunc(out, func(a, b sameReason) int {
		if helps := strings.Contains(a.reason, " --"); helps != strings.Contains(b.reason, " --") {
			if helps {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.n, a.n)
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

// untriedKind is a way of having no verdict, in the words of a reader.
type untriedKind struct {
	what string
	list []sameReason
}

// untriedKinds are what a verdict does not cover, by its reasons.
func untriedKinds(r *report.Report) []untriedKind {
	return []untriedKind{
		{"operation not tried", notReached(r)}, {"error in this suite", byReason(r, report.Error)}, {"inconclusive", byReason(r, report.Inconclusive)},
		{"not tried again", notTriedAgain(r)}, {"passed in part", partly(r)}, {"left out", leftOutBy(r.Header.LeftOut)}, {"inapplicable", byReason(r, report.Inapplicable)},
	}
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
