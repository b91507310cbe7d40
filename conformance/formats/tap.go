package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// TAP writes the Test Anything Protocol, version 14: a test for each requirement, with
// a block of YAML below each one that is not ok. What is not settled is not ok. A warning
// is not ok with the directive TODO, which TAP does not count as a failure. An incomplete
// run has a test of its own.
func TAP(w io.Writer, r *report.Report, o Options) error {
	var tests []tapTest
	for _, x := range r.Results {
		tests = append(tests, tapResult(x, o))
	}
	for _, x := range onlyObserved(r) {
		tests = append(tests, tapTest{ok: true, name: x.Requirement, directive: "SKIP " + openPoint})
	}
	line, _ := verdictLine(r, o)
	if untold(r, o) {
		tests = append(tests, tapTest{name: unfinished, block: [][2]string{{"message", line}}})
	}
	for _, x := range outdatedResults(r) {
		tests = append(tests, tapTest{name: x.Requirement, block: [][2]string{{"message", withEvidence(x)}, {"file", x.Place.File}, {"line", fmt.Sprint(x.Place.Line)}}})
	}
	var b strings.Builder
	b.WriteString("TAP version 14\n")
	for _, about := range []string{HeaderLine(r.Header), line} {
		fmt.Fprintf(&b, "# %s\n", about)
	}
	fmt.Fprintf(&b, "1..%d\n", len(tests))
	for i, t := range tests {
		t.write(&b, i+1)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapTest is one line of TAP, and the diagnostic below it.
type tapTest struct {
	ok              bool
	name, directive string
	block           [][2]string
}

// tapResult is one requirement as a test.
func tapResult(x report.Result, o Options) tapTest {
	t := tapTest{ok: true, name: x.Requirement}
	switch {
	case x.Level == report.Open && x.Verdict != report.Error:
		t.directive = "SKIP " + openPoint
	case x.Verdict == report.Inapplicable:
		t.directive = strings.TrimSpace("SKIP " + x.Reason)
	case x.Verdict == report.Fail && x.Known != nil:
		t.ok, t.directive, t.block = false, "TODO "+knownNote(x.Known), tapFailure(x)
	case x.Known != nil:
		t.directive = "SKIP " + x.Reason + ": " + knownNote(x.Known)
	case x.Verdict == report.Fail && !o.gates(x.Level) && x.Level == report.Suspected:
		t.ok, t.directive, t.block = false, "TODO suspected, not a failure", tapFailure(x)
	case x.Verdict == report.Fail && !o.gates(x.Level):
		t.ok, t.directive, t.block = false, "TODO a warning, not a failure", tapFailure(x)
	case x.Verdict == report.Fail:
		t.ok, t.block = false, tapFailure(x)
	case x.Verdict != report.Pass:
		t.ok = false
		t.block = [][2]string{{"message", string(x.Verdict)}, {"reason", x.Reason}, {"level", string(x.Level)}}
	}
	return t
}

// tapFailure is a failed requirement, label by label.
func tapFailure(x report.Result) [][2]string {
	out := [][2]string{{"message", withEvidence(x)}, {"level", string(x.Level)}, {"clause", x.Clause}, {"cases", caseCounts(x.Cases)}}
	if x.Place != nil {
		out = append(out, [2]string{"file", x.Place.File}, [2]string{"line", fmt.Sprint(x.Place.Line)})
	}
	if len(x.Failures) == 0 {
		return out
	}
	f := x.Failures[0]
	return append(out, [][2]string{{"sent", f.Sent}, {"expected", f.Expected}, {"got", f.Got}, {"cause", f.Cause}, {"replay", f.Replay}}...)
}

// write writes the test as number n.
func (t tapTest) write(b *strings.Builder, n int) {
	if !t.ok {
		b.WriteString("not ")
	}
	fmt.Fprintf(b, "ok %d - %s", n, tapText(t.name))
	if t.directive != "" {
		fmt.Fprintf(b, " # %s", tapText(cut(t.directive, detailBytes)))
	}
	b.WriteByte('\n')
	if len(t.block) == 0 {
		return
	}
	b.WriteString("  ---\n")
	for _, row := range t.block {
		if row[1] != "" {
			fmt.Fprintf(b, "  %s: %s\n", row[0], yamlString(cut(row[1], detailBytes)))
		}
	}
	b.WriteString("  ...\n")
}

// tapText escapes what would begin a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(Escape(text))
}
