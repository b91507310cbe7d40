package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// view is a report as the formats draw it: what belongs together is looked up, sorted, counted and
// worded here, once, and the formats only write it.
type view struct {
	*report.Report
	o       Options
	outcome report.Outcome
	verdict verdictText
	// issues are the findings, the worst first.
	issues []issue
	// rows are the requirements in the order of the report.
	rows []row
	// failed, warned and suspected are the requirements with these words, each the worst first: by
	// level, then by the number of their first failure. known are those of knownResults.
	failed, warned, suspected, known []report.Result
	// untold reports whether the failures do not tell the verdict: not all is decided, or nothing
	// explains why the target is not conformant. A list of failures then needs an entry for the run.
	untold bool
	// stale are the entries of the file of known failures that no longer hold, each as a failed
	// result at its line.
	stale []report.Result
	// tallies count the verdicts on the requirements of each level.
	tallies map[report.Level]map[report.Verdict]int
}

// row is a requirement, with the word that all formats show for its verdict.
type row struct {
	report.Result
	word string
}

func viewOf(r *report.Report, o Options) *view {
	v := &view{Report: r, o: o, outcome: outcome(r), issues: issues(r, o), known: knownResults(r), stale: outdatedResults(r), tallies: map[report.Level]map[report.Verdict]int{}}
	lists := map[string]*[]report.Result{string(report.Fail): &v.failed, shownWarning: &v.warned, shownSuspected: &v.suspected}
	for _, x := range r.Results {
		one := row{x, shownVerdict(x.Verdict, x.Level, x.Known != nil, x.Gates(o.FailOn))}
		v.rows = append(v.rows, one)
		if list := lists[one.word]; list != nil {
			*list = append(*list, x)
		}
		if v.tallies[x.Level] == nil {
			v.tallies[x.Level] = map[report.Verdict]int{}
		}
		v.tallies[x.Level][verdictOf(x)]++
	}
	for _, list := range lists {
		slices.SortStableFunc(*list, func(a, b report.Result) int {
			return cmp.Or(slices.Index(levels(), a.Level)-slices.Index(levels(), b.Level), first(a)-first(b))
		})
	}
	switch v.outcome {
	case report.Conformant, report.OnlyKnown, report.PassedOver:
		v.untold = len(r.Summary.Reasons) > 0
	case report.OutOfDate:
		v.untold = len(r.Summary.Reasons) > 0 || len(v.stale) == 0
	case report.NotConformant:
		v.untold = len(r.Summary.Reasons) > 0 || len(v.failed) == 0
	default:
		v.untold = true
	}
	v.verdict = v.verdictParts()
	return v
}

func first(r report.Result) int {
	if len(r.Failures) == 0 {
		return 0
	}
	return r.Failures[0].N
}

// issue is a finding as the formats draw it: what belongs to it is looked up once.
type issue struct {
	report.Finding
	// word is fail, or what it is instead: known, warning or suspected.
	word  string
	gates bool
	// result is the requirement of the example. It has that failure alone, or none.
	result report.Result
	// all is the command that sends all of its failures again; empty if it has one.
	all string
	// others are its other requirements.
	others []*report.Result
}

// issues are the findings of a report, the worst first.
func issues(r *report.Report, o Options) []issue {
	results, examples := map[string]*report.Result{}, map[int]*report.Result{}
	for i := range r.Results {
		x := &r.Results[i]
		results[x.Requirement] = x
		for _, f := range x.Failures {
			examples[f.N] = x
		}
	}
	var out []issue
	for _, f := range r.Found() {
		x := cmp.Or(examples[f.Example], results[example(&f)])
		if x == nil {
			continue
		}
		one := issue{Finding: f, gates: o.gatesFinding(&f), result: *x}
		one.word = shownVerdict(report.Fail, f.Level, f.Known, one.gates)
		if one.result.Failures = of(&f, x); len(one.result.Failures) > 1 {
			one.result.Failures = one.result.Failures[:1]
		}
		if len(f.Members) > 1 {
			one.all = r.Header.ReplayFinding(f.ID)
		}
		for _, id := range f.Requirements {
			if y := results[id]; y != nil && id != x.Requirement {
				other := *y
				other.Failures = of(&f, y)
				one.others = append(one.others, &other)
			}
		}
		out = append(out, one)
	}
	return out
}

// of are the failures of a requirement in a finding, in the order of its members.
func of(f *report.Finding, x *report.Result) []report.Failure {
	var out []report.Failure
	for _, m := range f.Members {
		at := slices.IndexFunc(x.Failures, func(y report.Failure) bool { return y.N == m.N })
		if m.Requirement == x.Requirement && at >= 0 {
			out = append(out, x.Failures[at])
		}
	}
	return out
}

// sorted are the issues in the order of problem lists: those that gate, those that are known,
// warnings, what is suspected.
func (v *view) sorted() []issue {
	order := []string{string(report.Fail), shownKnown, shownWarning, shownSuspected}
	list := slices.Clone(v.issues)
	slices.SortStableFunc(list, func(a, b issue) int { return slices.Index(order, a.word) - slices.Index(order, b.word) })
	return list
}

// example is the requirement of the failure that tells most.
func example(f *report.Finding) string {
	if len(f.Members) > 0 {
		return f.Members[0].Requirement
	}
	return f.Requirements[0]
}

// title is an issue in a list of problems.
func (x *issue) title() string { return Escape(string(x.Category) + ": " + x.Sentence) }

// extent says how much the issue is about, if that is more than one requirement.
func (x *issue) extent() string {
	if len(x.Requirements) == 1 && x.Places < 2 {
		return ""
	}
	out := counted(len(x.Requirements), "requirement")
	if x.Places > len(x.Requirements) {
		out += fmt.Sprintf(", %d places", x.Places)
	}
	if len(x.Operations) > 0 {
		out += " in " + counted(len(x.Operations), "operation")
	}
	return out
}

// failure is the example.
func (x *issue) failure() (report.Failure, bool) {
	if len(x.result.Failures) == 0 {
		return report.Failure{}, false
	}
	return x.result.Failures[0], true
}

// exchange is what was sent and came in the example, label by label.
func (x *issue) exchange() [][2]string {
	f, found := x.failure()
	if !found {
		return [][2]string{{"cases", caseCounts(x.result.Cases)}}
	}
	return given([][2]string{{"sent", f.Sent}, {"expected", expectedIn(&x.Finding, &f)}, {"got", answerOf(&f)}, {"cause", f.Cause}, {"again", again(&f)}})
}

// given are the rows that have a value.
func given(rows [][2]string) [][2]string {
	return slices.DeleteFunc(rows, func(row [2]string) bool { return row[1] == "" })
}

// details tell an issue in a few lines.
func (x *issue) details() string {
	lines := []string{x.result.Requirement + " (" + string(x.result.Level) + "): " + withEvidence(x.result)}
	if x.result.Known != nil {
		lines = append([]string{knownNote(x.result.Known)}, lines...)
	}
	for _, row := range x.exchange() {
		lines = append(lines, row[0]+": "+row[1])
	}
	if x.result.Clause != "" {
		lines = append(lines, "clause: "+x.result.Clause)
	}
	if len(x.others) > 0 {
		var ids []string
		for _, y := range x.others {
			ids = append(ids, y.Requirement)
		}
		lines = append(lines, "also: "+some(ids, 4))
	}
	if x.Replay != "" {
		lines = append(lines, "replay: "+x.Replay)
	}
	lines = append(lines, "finding: "+x.ID)
	for i := range lines {
		lines[i] = cut(lines[i], detailBytes)
	}
	return strings.Join(lines, "\n")
}

// about is the issue in a line, for one of its requirements.
func (x *issue) about(y *report.Result) string {
	text := fmt.Sprintf("%s. %s (%s): %s %s", strings.TrimSuffix(cut(x.title(), detailBytes), "."), Escape(y.Requirement), Escape(string(y.Level)), cut(withEvidence(*y), detailBytes), cut(gist(*y), 2*detailBytes))
	if y.Known != nil {
		text = cut(knownNote(y.Known), detailBytes) + ": " + text
	}
	return text
}

// again says that a failure did not come again, or why that is not known.
func again(f *report.Failure) string {
	switch {
	case f.NotTriedAgain != "":
		return "not tried again: " + f.NotTriedAgain
	case !f.Stable && f.Cause == "":
		return "unstable: it passed when tried again"
	}
	return ""
}

// expectedIn is what was expected, where the category does not say it.
func expectedIn(f *report.Finding, x *report.Failure) string {
	switch f.Category {
	case report.Crash, report.Security, report.Refusal, report.Leniency:
		return ""
	}
	return x.Expected
}

// some names the first of a list, and how many others there are.
func some(ids []string, maximum int) string {
	if len(ids) <= maximum+1 {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:maximum], ", "), len(ids)-maximum)
}

// answerBytes is the length from which a description of an answer gets no body behind it.
const answerBytes = 400

// answerOf is what came back, with the first line of its body. Where several requests show a failure,
// the last answer may not be the one that is wrong: then it is the message of that one.
func answerOf(f *report.Failure) string {
	out, line := f.Got, f.Flaw.Said
	if len(f.Story) == 0 && len(f.Steps) > 0 {
		_, body, _ := strings.Cut(string(f.Steps[len(f.Steps)-1].Response.Data), "\r\n\r\n")
		first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
		if line == "" || !strings.HasPrefix(first, "<") && len(first) <= 200 && len(first) > 1 { // one sign is a bracket, and the rest stands below
			line = first
		}
	}
	plain := f.Flaw.Category == report.Crash || f.Flaw.Category == report.Refusal || f.Flaw.Category == report.Leniency || strings.HasSuffix(f.Flaw.Rule, "-status")
	if !plain || len(out) > answerBytes || line == "" || strings.Contains(out, line) {
		return out
	}
	return out + "  " + line
}
