package formats

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/report"
)

// JUnit writes JUnit XML: a suite for each category of findings, the worst first, with the
// requirements that failed, and one for the others; a case for each requirement, its level as
// the class. What is not settled is an error, never a pass; a warning passes and is told as
// output.
func JUnit(w io.Writer, r *report.Report, o Options) error {
	whole := junitSuite{
		Name:      Escape(r.Header.Document),
		Timestamp: r.Times.Began.UTC().Format("2006-01-02T15:04:05"),
		Time:      strconv.FormatFloat(r.Times.Took.Seconds(), 'f', 3, 64),
		Properties: []junitProperty{
			{"target", Escape(r.Header.Target)},
			{"tool", Escape(r.Tool)},
			{"seed", strconv.FormatUint(r.Header.Seed, 10)},
			{"dataset_generation", strconv.Itoa(r.Header.Generation)},
			{"digest", Escape(r.Header.Digest)},
			{"partial", strconv.FormatBool(r.Summary.Partial || r.Header.Partial())},
		},
	}
	v := viewOf(r, o)
	if r.Header.NamedCases {
		whole.Properties = append(whole.Properties, junitProperty{"named_cases", "true"})
	}
	if r.Header.Traced {
		whole.Properties = append(whole.Properties, junitProperty{"traced", "true"})
	}
	whole.Properties = append(whole.Properties, junitProperty{"verdict", v.verdict.line()})
	suites := []junitSuite{}
	at := map[string]int{} // the suite of a failed requirement
	for _, x := range v.issues {
		if n := len(suites); n == 0 || suites[n-1].Category != x.Category {
			suites = append(suites, junitSuite{Name: whole.Name + ": " + string(x.Category), Category: x.Category, Timestamp: whole.Timestamp, Time: "0.000", Properties: []junitProperty{}})
		}
		for _, id := range x.Requirements {
			if _, worse := at[id]; !worse {
				at[id] = len(suites) - 1
			}
		}
	}
	for _, x := range v.rows {
		suite := &whole
		if n, failed := at[x.Requirement]; failed {
			suite = &suites[n]
		}
		suite.add(junitResult(x))
	}
	suites = append(slices.DeleteFunc(suites, func(s junitSuite) bool { return s.Tests == 0 }), whole)
	suite := &suites[len(suites)-1]
	for _, x := range onlyObserved(r) {
		suite.add(junitCase{Class: string(report.Open), Name: Escape(x.Requirement), Skipped: &junitNote{Message: openPoint}})
	}
	if v.outcome == report.Incomplete {
		// A run that ended early may hold nothing but passes: that must not be
		// green.
		suite.add(junitCase{Class: "run", Name: "complete",
			Error: &junitNote{Message: v.verdict.line(), Type: string(report.Incomplete)}})
	}
	if rows := OutOfDate(r); len(rows) > 0 {
		suite.add(junitCase{Class: "run", Name: outdated,
			Failure: &junitNote{Message: "known failures out of date: " + v.staleness(), Type: string(report.OutOfDate), Text: strings.Join(rows, "\n")}})
	}
	all := junitSuites{Name: "conformance", Time: whole.Time, Suites: suites}
	for _, x := range suites {
		all.Tests, all.Failures, all.Errors = all.Tests+x.Tests, all.Failures+x.Failures, all.Errors+x.Errors
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("junit report: %w", err)
	}
	_, err = w.Write(append(append([]byte(xml.Header), text...), '\n'))
	return err
}

// junitResult is one requirement as a test case.
func junitResult(x row) junitCase {
	c := junitCase{Class: Escape(string(x.Level)), Name: Escape(x.Requirement)}
	note := &junitNote{Message: cut(x.Reason, 400), Type: Escape(string(x.Verdict))}
	if note.Message == "" {
		note.Message = note.Type
	}
	switch {
	case x.word == shownObserved:
		c.Skipped = &junitNote{Message: openPoint}
	case x.Known != nil && x.Verdict != report.Fail:
		c.Skipped = &junitNote{Message: cut(x.Reason+": "+knownNote(x.Known), 400)}
	case x.Known != nil:
		c.Skipped = &junitNote{Message: cut(knownNote(x.Known), 400)}
		c.Out = &junitOutput{"a known failure:\n" + FailureText(x.Result)}
	case x.word == string(report.Fail):
		c.Failure = &junitNote{Message: cut(gist(x.Result), 400), Type: c.Class, Text: FailureText(x.Result)}
	case x.Verdict == report.Fail:
		c.Out = &junitOutput{x.mild() + ":\n" + FailureText(x.Result)}
	case x.Verdict == report.Inapplicable:
		c.Skipped = note
	case x.Verdict != report.Pass:
		c.Error = note
	case x.Cases.NotTried > 0:
		c.Out = &junitOutput{fmt.Sprintf("%d of %d cases not tried", x.Cases.NotTried, x.Cases.Planned)}
	}
	return c
}

// mild says of a failure that does not gate what it is.
func (x row) mild() string {
	if x.word == shownSuspected {
		return "suspected, not a failure"
	}
	return "a warning, not a failure"
}

// gist is a failure in one sentence.
func gist(x report.Result) string {
	if len(x.Failures) == 0 {
		return caseCounts(x.Cases)
	}
	f := x.Failures[0]
	text := fmt.Sprintf("sent %s; expected %s; got %s", f.Sent, f.Expected, f.Got)
	if f.Cause != "" {
		text = f.Cause + ": " + text
	}
	return text
}

// The elements of JUnit XML that readers agree on, and that the XSD of Jenkins
// (junit-10.xsd) allows.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	// Category is empty for the suite of what did not fail.
	Category   report.Category `xml:"-"`
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *junitNote   `xml:"failure"`
	Error   *junitNote   `xml:"error"`
	Skipped *junitNote   `xml:"skipped"`
	Out     *junitOutput `xml:"system-out"`
}

// junitNote is why a case is not a plain pass.
type junitNote struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

type junitOutput struct {
	Text string `xml:",cdata"`
}

// add appends a case and counts it, so that the totals are those of the cases.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// TAP writes the Test Anything Protocol, version 14: a test for each requirement, with
// a block of YAML below each one that is not ok. What is not settled is not ok. A warning
// is not ok with the directive TODO, which TAP does not count as a failure. An incomplete
// run has a test of its own.
func TAP(w io.Writer, r *report.Report, o Options) error {
	var tests []tapTest
	v := viewOf(r, o)
	for _, x := range v.rows {
		tests = append(tests, tapResult(x))
	}
	for _, x := range onlyObserved(r) {
		tests = append(tests, tapTest{ok: true, name: x.Requirement, directive: "SKIP " + openPoint})
	}
	line := v.verdict.line()
	if v.untold {
		tests = append(tests, tapTest{name: unfinished, block: [][2]string{{"message", line}}})
	}
	for _, x := range v.stale {
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
func tapResult(x row) tapTest {
	t := tapTest{ok: true, name: x.Requirement}
	switch {
	case x.word == shownObserved:
		t.directive = "SKIP " + openPoint
	case x.Verdict == report.Inapplicable:
		t.directive = strings.TrimSpace("SKIP " + x.Reason)
	case x.Verdict == report.Fail && x.Known != nil:
		t.ok, t.directive, t.block = false, "TODO "+knownNote(x.Known), tapFailure(x.Result)
	case x.Known != nil:
		t.directive = "SKIP " + x.Reason + ": " + knownNote(x.Known)
	case x.word == string(report.Fail):
		t.ok, t.block = false, tapFailure(x.Result)
	case x.Verdict == report.Fail:
		t.ok, t.directive, t.block = false, "TODO "+x.mild(), tapFailure(x.Result)
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
