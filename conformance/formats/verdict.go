package formats

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// verdictText is the verdict in its parts: what a reader needs first, what else is wrong,
// and why it covers less than the contract.
type verdictText struct {
	head         string
	also, limits []string
	style        style
}

// line is the last line of a text report: the verdict on the target, and that it covers less than
// the contract if it does.
func (v verdictText) line() string {
	line := strings.Join(append([]string{v.head}, v.also...), "; ")
	for _, x := range v.limits {
		line += " (" + x + ")"
	}
	return line
}

func (w *view) verdictParts() (v verdictText) {
	r := w.Report
	why := reasons(r.Summary.Reasons)
	incomplete := func() {
		if why != "" {
			v.also = append(v.also, "also incomplete: "+why)
		}
	}
	switch w.outcome {
	case report.Conformant:
		v.head, v.style = "conformant", good
		if r.Header.Shard != nil {
			v.head = "no failed MUST in this shard"
		}
		if but := unsupported(r); but != "" {
			v.head, v.style = v.head+", but "+but, doubtful
		}
	case report.NotConformant:
		v.head, v.style = "NOT CONFORMANT: "+w.failedOf(), bad
		why = reasons(slices.DeleteFunc(slices.Clone(r.Summary.Reasons), followsFrom))
		incomplete()
		if but := unsupported(r); but != "" && len(r.Summary.Reasons) == 0 {
			v.also = append(v.also, but)
		}
		if len(w.stale) > 0 {
			v.also = append(v.also, "known failures out of date: "+w.staleness())
		}
	case report.OutOfDate:
		v.head, v.style = "KNOWN FAILURES OUT OF DATE", bad
		if len(w.stale) > 0 {
			v.head += ": " + w.staleness()
		}
		v.also = append(v.also, w.knownOf())
		incomplete()
	case report.PassedOver:
		v.head, v.style = "passed: "+findingsOf(r, func(f *report.Finding) bool { return !f.Known })+" outside --fail-on "+Escape(r.Header.FailOn), doubtful
		if but := unsupported(r); but != "" {
			v.also = append(v.also, but)
		}
	case report.OnlyKnown:
		v.head, v.style = "only known failures: "+w.knownOf(), doubtful
		if but := unsupported(r); but != "" {
			v.also = append(v.also, but)
		}
	default:
		v.head, v.style = "incomplete", doubtful
		if why == "" && judged(r) == 0 {
			why = "nothing could be judged"
		}
		if why != "" {
			v.head += ": " + why
		}
	}
	if v.limits = limits(r); len(v.limits) > 0 && v.style == good {
		v.style = doubtful // what was not run, or could be answered by its name, is never green
	}
	return v
}

// followsFrom reports whether a reason only says that failures hide requirements: the report tells
// those failures.
func followsFrom(why string) bool { return strings.Contains(why, ": "+report.Suppressed) }

// unsupported says how many operations no request was made for; empty if there are none.
func unsupported(r *report.Report) string {
	if r.Summary.Unsupported == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s could not be tried by this version", r.Summary.Unsupported, counted(r.Summary.Operations, "operation"))
}

// limits say why a verdict is about less than the contract, or less sure.
func limits(r *report.Report) (out []string) {
	if r.Summary.Partial || r.Header.Partial() {
		var about []string
		if len(r.Header.Selection) > 0 {
			about = append(about, cut(strings.Join(r.Header.Selection, ", "), detailBytes))
		}
		if r.Header.Shard != nil {
			about = append(about, fmt.Sprintf("shard %s, %d of %s; conformance merge joins the reports of all shards", r.Header.Shard, r.Header.Cases, counted(r.Header.Shard.Cases, "case")))
		}
		if x := r.Reach; x != nil && x.Aside > 0 {
			about = append(about, fmt.Sprintf("%d of %s left out", x.Aside, counted(x.Operations+x.Aside, "operation")))
		}
		if n := r.Header.CutSchemas; n > 0 {
			about = append(about, counted(n, "schema")+" tried only in part")
		}
		if n := r.Header.Undefined; n > 0 {
			about = append(about, counted(n, "operation")+" tried without a credential that the document does not define")
		}
		if n := r.Summary.LeftOut; n > 0 {
			about = append(about, counted(n, "requirement")+" not tried at --effort "+Escape(r.Header.Effort))
		}
		what := strings.Join(about, "; ")
		if what != "" {
			what = ": " + what
		}
		out = append(out, "partial"+what)
	}
	if r.Header.NamedCases {
		out = append(out, "requests carried their case ids")
	}
	if r.Header.Traced {
		out = append(out, "requests carried trace ids")
	}
	return out
}

// outcome is the verdict on the target. A report without a judged case says nothing
// for the target, whatever its summary holds.
func outcome(r *report.Report) report.Outcome {
	switch v := r.Summary.Verdict; {
	case v == report.NotConformant, v == report.OutOfDate, (v == report.Conformant || v == report.OnlyKnown || v == report.PassedOver) && judged(r) > 0:
		return v
	}
	return report.Incomplete
}

func judged(r *report.Report) int {
	n := 0
	for _, x := range r.Results {
		n += x.Cases.Judged
	}
	return n
}

// reasons keeps the last line one that is read: the first reasons are the ones
// that matter, and the list of requirements above tells the others. A bug of the suite stands
// nowhere else, so it comes first. What is said of all operations is not said of each again.
func reasons(list []string) string {
	if slices.ContainsFunc(list, ofOperations.MatchString) {
		list = slices.DeleteFunc(slices.Clone(list), func(why string) bool {
			return !ofOperations.MatchString(why) && strings.Contains(why, "is not reached: ")
		})
	}
	ours := func(why string) bool { return strings.HasPrefix(why, report.OwnFault) }
	if at := slices.IndexFunc(list, ours); at > 0 {
		list = slices.Concat(list[at:at+1], list[:at], list[at+1:])
	}
	shown := list
	if len(list) > 3 {
		shown = list[:2]
	}
	var parts []string
	for _, r := range shown {
		room := 200
		if ofOperations.MatchString(r) {
			room = 600 // a reason and a flag for each of several groups
		}
		parts = append(parts, cut(r, room))
	}
	if n := len(list) - len(shown); n > 0 {
		parts = append(parts, "and "+counted(n, "more reason"))
	}
	return strings.Join(parts, "; ")
}

// ofOperations is the reason that counts the operations which were not tried, and says why.
var ofOperations = regexp.MustCompile(`^\d+ of \d+ operations tried`)

// failedOf says "1 crash, 2 answer (4 of 38 MUST requirements failed)": the findings that make the
// target not conformant by category, and the failed requirements of each level that gates.
func (v *view) failedOf() string {
	var parts []string
	for _, l := range levels() {
		n := v.tallies[l]
		if n[report.Fail] == 0 {
			continue
		}
		// A report read from a file does not come with the gate it was run
		// with: a target that is not conformant without a failed MUST had it
		// at SHOULD or at SUSPECTED.
		if l == report.Must || l.Gates(v.o.FailOn) || (l == report.Should || l == report.Suspected) && len(parts) == 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s", n[report.Fail], applicable(n), l))
		}
	}
	if len(parts) == 0 {
		return "this report contains no failed requirement"
	}
	failed := strings.Join(parts, " and ") + " requirements failed"
	worst := findingsOf(v.Report, func(f *report.Finding) bool { return v.o.gatesFinding(f) })
	if worst == "" {
		worst = findingsOf(v.Report, func(f *report.Finding) bool { return !f.Known })
	}
	return worst + " (" + failed + ")"
}

// findingsOf counts findings by category: "1 crash, 2 answer".
func findingsOf(r *report.Report, counts func(*report.Finding) bool) string {
	n := map[report.Category]int{}
	for _, f := range r.Found() {
		if counts(&f) {
			n[f.Category]++
		}
	}
	return byCategory(n)
}

// byCategory writes counts, those of the worst category first.
func byCategory(n map[report.Category]int) string {
	var parts []string
	for _, c := range report.Categories() {
		if n[c] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[c], c))
		}
	}
	return strings.Join(parts, ", ")
}

// knownFailure stands for a failure that the file of known failures has.
const knownFailure report.Verdict = "known failure"

// verdictOf is the verdict as it is counted.
func verdictOf(x report.Result) report.Verdict {
	if x.Verdict == report.Fail && x.Known != nil {
		return knownFailure
	}
	return x.Verdict
}

func applicable(n map[report.Verdict]int) int {
	return n[report.Pass] + n[report.Fail] + n[report.Inconclusive] + n[report.Error] + n[knownFailure]
}

// counts says for each level how many requirements came to which verdict.
func (v *view) counts() string {
	words := []struct {
		v    report.Verdict
		word string
	}{
		{report.Pass, "passed"}, {report.Fail, "failed"}, {knownFailure, "failed as expected"}, {report.Inconclusive, "inconclusive"},
		{report.Error, "not judged because of a bug in the suite"}, {report.Inapplicable, "inapplicable"},
	}
	var parts []string
	for _, l := range levels() {
		n := v.tallies[l]
		var of []string
		for _, x := range words {
			if n[x.v] > 0 {
				of = append(of, fmt.Sprintf("%d %s", n[x.v], x.word))
			}
		}
		if len(of) > 0 && l != report.Open {
			parts = append(parts, string(l)+" "+strings.Join(of, ", "))
		}
	}
	return strings.Join(append(parts, counted(v.Summary.Exchanges, "exchange")), "; ")
}
