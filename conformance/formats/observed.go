package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
