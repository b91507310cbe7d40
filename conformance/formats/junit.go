package formats

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"plantstore/conformance/report"
)

// JUnit writes JUnit XML: a suite for the run, a case for each requirement, its
// level as the class. What is not settled is an error, never a pass; a warning
// passes and is told as output.
func JUnit(w io.Writer, r *report.Report, o Options) error {
	suite := junitSuite{
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
	line, _ := verdictLine(r, o)
	if r.Header.NamedCases {
		suite.Properties = append(suite.Properties, junitProperty{"named_cases", "true"})
	}
	if r.Header.Traced {
		suite.Properties = append(suite.Properties, junitProperty{"traced", "true"})
	}
	suite.Properties = append(suite.Properties, junitProperty{"verdict", line})
	for _, x := range r.Results {
		suite.add(junitResult(x, o))
	}
	for _, x := range onlyObserved(r) {
		suite.add(junitCase{Class: string(report.Open), Name: Escape(x.Requirement), Skipped: &junitNote{Message: openPoint}})
	}
	if outcome(r) == report.Incomplete {
		// A run that ended early may hold nothing but passes: that must not be
		// green.
		suite.add(junitCase{Class: "run", Name: "complete",
			Error: &junitNote{Message: line, Type: string(report.Incomplete)}})
	}
	if rows := OutOfDate(r); len(rows) > 0 {
		suite.add(junitCase{Class: "run", Name: outdated,
			Failure: &junitNote{Message: "known failures out of date: " + staleness(r), Type: string(report.OutOfDate), Text: strings.Join(rows, "\n")}})
	}
	all := junitSuites{Name: "conformance", Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors,
		Time: suite.Time, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("junit report: %w", err)
	}
	_, err = w.Write(append(append([]byte(xml.Header), text...), '\n'))
	return err
}

// junitResult is one requirement as a test case.
func junitResult(x report.Result, o Options) junitCase {
	c := junitCase{Class: Escape(string(x.Level)), Name: Escape(x.Requirement)}
	note := &junitNote{Message: cut(x.Reason, 400), Type: Escape(string(x.Verdict))}
	if note.Message == "" {
		note.Message = note.Type
	}
	switch {
	case x.Level == report.Open && x.Verdict != report.Error:
		c.Skipped = &junitNote{Message: openPoint}
	case x.Known != nil && x.Verdict != report.Fail:
		c.Skipped = &junitNote{Message: cut(x.Reason+": "+knownNote(x.Known), 400)}
	case x.Known != nil:
		c.Skipped = &junitNote{Message: cut(knownNote(x.Known), 400)}
		c.Out = &junitOutput{"a known failure:\n" + FailureText(x)}
	case x.Verdict == report.Fail && o.gates(x.Level):
		c.Failure = &junitNote{Message: cut(gist(x), 400), Type: c.Class, Text: FailureText(x)}
	case x.Verdict == report.Fail && x.Level == report.Suspected:
		c.Out = &junitOutput{"suspected, not a failure:\n" + FailureText(x)}
	case x.Verdict == report.Fail:
		c.Out = &junitOutput{"a warning, not a failure:\n" + FailureText(x)}
	case x.Verdict == report.Inapplicable:
		c.Skipped = note
	case x.Verdict != report.Pass:
		c.Error = note
	case x.Cases.NotTried > 0:
		c.Out = &junitOutput{fmt.Sprintf("%d of %d cases not tried", x.Cases.NotTried, x.Cases.Planned)}
	}
	return c
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
