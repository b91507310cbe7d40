package formats_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestEveryFormatHasANameOfItsOwnAndADocOfOneLine(t *testing.T) {
	described(t, formats.List())
	described(t, formats.MatrixList())
}

func described[T any](t *testing.T, list []formats.FormatOf[T]) {
	seen := map[string]bool{}
	for _, f := range list {
		assert.Regexp(t, `^[a-z][a-z0-9]*$`, f.Name)
		assert.False(t, seen[f.Name], f.Name)
		assert.Regexp(t, `^[^\r\n]+$`, f.Doc)
		assert.NotNil(t, f.Write, f.Name)
		seen[f.Name] = true
	}
}

func TestFindKnowsEveryFormatAndNamesThemOtherwise(t *testing.T) {
	for _, f := range formats.List() {
		got, err := formats.Find(f.Name)
		require.NoError(t, err)
		assert.Equal(t, f.Doc, got.Doc)
	}
	_, err := formats.Find("xml")
	assert.ErrorContains(t, err, `unknown report format "xml": use one of text, json, junit, `)
}

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata, or writes it under -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

// oneFault is a report with a failed MUST and a little of everything else.
func oneFault() *report.Report {
	r := conformant()
	r.Results[1].Verdict = report.Fail
	r.Results[1].Place = &report.Place{File: "api/things.yaml", Line: 27}
	r.Results[1].Fix = "Check the type before you convert it."
	r.Results[1].Cases = report.Cases{Planned: 43, Judged: 40, Failed: 12, NotTried: 3}
	r.Results[1].Failures = []report.Failure{{
		N: 1, Case: "thing-size-type-string/3", Class: "thing-size-type-string", Stable: true, Minimal: true,
		Flaw:     report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Means: "a value that the schema forbids is accepted", Kind: "type/converted", Where: "integer in body", Alike: 1},
		Sent:     `size "7" (a string) instead of 7`,
		Expected: "400, application/json, Error",
		Got:      `200, application/json, {"label":"a"}`,
		Common:   "size is a string of digits",
		Cause:    "fails with 5 or more requests in flight",
		Classes: []report.ClassCount{
			{Class: "thing-size-type-string", Failed: 8, Judged: 8},
			{Class: "thing-size-type-number", Failed: 4, Judged: 32},
		},
		Steps: []report.Step{step(`{"size":"7","label":"a"}`, `{"label":"a"}`)},
		Curl: `curl -sS -X POST 'http://127.0.0.1:8080/things' -H "Authorization: Bearer $CONFORMANCE_TOKEN"` +
			` -H 'Content-Type: application/json' --data-binary '{"size":"7","label":"a"}'`,
		Replay: "conformance replay thing-size-type-string/3 --target http://127.0.0.1:8080",
	}}
	r.Results[3].Verdict = report.Fail
	r.Results[3].Cases.Failed = 1
	r.Results[3].Failures = []report.Failure{{
		N: 2, Case: "credential-case/0", Class: "credential-case", Stable: true, Minimal: true,
		Flaw: report.Flaw{Category: report.Protocol, Rule: "accepts-credential", Means: "the right credential is refused when it is written in another valid way"},
		Sent: "scheme bearer in lower case", Expected: "200", Got: "401 without a body",
		Classes: []report.ClassCount{{Class: "credential-case", Failed: 1, Judged: 2}},
		Steps:   []report.Step{step(`{"size":7,"label":"a"}`, "")},
		Replay:  "conformance replay credential-case/0 --target http://127.0.0.1:8080",
	}}
	r.Second = &report.SecondOpinion{Reader: "second-reader", Agreed: 212, Disagreed: 1, NotAsked: 3, Reason: "it reached its time limit",
		Differences: []report.Difference{{Answers: 1, Case: "thing-size-type-string/3", Status: 400, ContentType: "application/json",
			Exact: "violates format at /error", Second: "valid", Body: report.Bytes{Data: []byte(`{"error":2147483648,"message":"m"}`)}}}}
	r.Times.Examples = []report.StepTimes{{Failure: 1, Step: 1, Began: r.Times.Began.Add(time.Second), Took: 1500 * time.Microsecond}}
	r.Summary = report.Summary{Verdict: report.NotConformant, Exchanges: 1834, Passed: 1, Failed: 1, Warned: 1, Unneeded: 1}
	return r
}

// conformant is a report without a failure.
func conformant() *report.Report {
	return &report.Report{
		Version: report.Version,
		Tool:    "conformance test",
		Header: report.Header{Target: "http://127.0.0.1:8080", Document: "Thing Store 1.0.0 (things.yaml)", File: "api/things.yaml",
			Digest: strings.Repeat("0f", 32), Seed: 1, Generation: 2, Requirements: 5, Cases: 1790, MaxStored: 412, FailOn: "must"},
		Facts: []report.Fact{{Name: "concurrent connections", Value: "8"}, {Name: "a repeated id", Value: "accepted"}},
		Results: []report.Result{
			result("thing-valid-accepted", report.Must, "A valid Thing is answered 200 with a Thing.", "Rules, 1"),
			result("thing-size-type", report.Must, "A Thing whose size is not an integer is answered 400.",
				"openapi.yaml#/components/schemas/Thing/properties/size/type"),
			{Requirement: "parallel", Level: report.Must, Sentence: "Answers belong to their request.", Clause: "Rules, 1",
				Verdict: report.Inapplicable, Reason: "the target serves one connection at a time"},
			result("scheme-any-case", report.Should, "The name of the scheme is taken in any case.", "RFC 9110, 11.1"),
		},
		Observed: []report.Observe{
			{Requirement: "duplicate-size", Sentence: "A size sent twice.", Clause: "Gaps",
				Seen: []report.Seen{{What: "refused with 400 Error", Count: 3}, {What: "200 Thing", Count: 1}}},
			{Requirement: "empty-label", Sentence: "An empty label.", Clause: "Gaps",
				Seen: []report.Seen{{What: "200 Thing", Count: 2}}},
		},
		Second:  &report.SecondOpinion{Reader: "second-reader", Agreed: 212},
		Summary: report.Summary{Verdict: report.Conformant, Exchanges: 1834, Passed: 3, Unneeded: 1},
		Times: report.Times{Began: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), Took: 1234567890,
			First: time.Millisecond, Median: 430 * time.Microsecond, P90: 2800 * time.Microsecond, P99: 8 * time.Millisecond, Slowest: time.Second,
			Answers: answers(), Timeline: timeline()},
	}
}

// answers is the histogram of a target that mostly answers in less than a millisecond.
func answers() []report.AnswerTimes {
	var out []report.AnswerTimes
	from := []time.Duration{125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000}
	for i, n := range []int{5, 30, 90, 200, 310, 400, 260, 150, 70, 50, 40, 45, 60, 55, 30, 18, 9, 6} {
		out = append(out, report.AnswerTimes{From: from[i] * time.Microsecond, Below: from[i+1] * time.Microsecond, Count: n})
	}
	return append(out, report.AnswerTimes{From: time.Second, Below: 1250 * time.Millisecond, Count: 1})
}

// timeline is that of a run that becomes slower at its end, with failures.
func timeline() report.Timeline {
	out := report.Timeline{Width: 32 * time.Millisecond}
	for i := range 36 {
		x := report.Interval{From: time.Duration(i) * out.Width, Requests: 70 - i*i/20}
		if i%9 == 4 {
			x.FailedCases = i
		}
		if i == 20 {
			x.Unanswered = 2
		}
		out.Intervals = append(out.Intervals, x)
	}
	return out
}

func result(id string, l report.Level, sentence, clause string) report.Result {
	return report.Result{Requirement: id, Level: l, Sentence: sentence, Clause: clause, Operation: "POST /things", Verdict: report.Pass,
		Cases: report.Cases{Planned: 40, Judged: 40}}
}

func step(request, response string) report.Step {
	return report.Step{Connection: 1,
		Request: report.Bytes{Data: fmt.Appendf(nil, "POST /things HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"+
			"Authorization: Bearer $CONFORMANCE_TOKEN\r\nContent-Length: %d\r\n\r\n%s", len(request), request)},
		Response: report.Bytes{Data: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(response), response)},
	}
}

// unreachable is a report of a run that never got an answer.
func unreachable() *report.Report {
	r := conformant()
	for i := range r.Results {
		r.Results[i].Verdict = report.Inconclusive
		r.Results[i].Reason = "no request was answered: connection refused"
		r.Results[i].Cases = report.Cases{Planned: 40, NotTried: 40}
	}
	r.Facts, r.Observed = nil, nil
	r.Times.Answers, r.Times.Timeline = nil, report.Timeline{}
	r.Summary = report.Summary{Verdict: report.Incomplete, Unsettled: 4,
		Reasons: []string{"nobody listens at http://127.0.0.1:8080"}}
	return r
}

// hostile is oneFault from a target that sends what should not be printed.
func hostile() *report.Report {
	r := oneFault()
	const evil = "\x1b[2J\x1b]0;gotcha\a\u202e]]>&<\x00\xff\u009b31m\ufffe\r\n"
	f := &r.Results[1].Failures[0]
	f.Got, f.Common, f.Curl, f.Stable, f.Minimal = evil, evil, "curl '\x1b'", false, false
	f.Steps[0].Response.Data = []byte("HTTP/1.1 200 " + evil + "X: " + evil + "\r\n" + evil)
	f.Steps[0].Response.Cut = 7
	r.Results[0].Verdict, r.Results[0].Reason = report.Inconclusive, evil
	r.Observed[0].Seen[0].What = evil
	r.Facts[0].Value = evil
	d := &r.Second.Differences[0]
	d.ContentType, d.Second, d.Body.Data = evil, evil, []byte(evil)
	r.Header.Target, r.Header.Document = evil, evil
	r.Summary.Reasons = []string{evil}
	return r
}

// recorded compares what a format writes of each sample with its file.
func recorded(t *testing.T, ending string, write func(io.Writer, *report.Report, formats.Options) error) {
	t.Helper()
	for name, r := range map[string]*report.Report{"one_fault": oneFault(), "conformant": conformant(), "unreachable": unreachable(),
		"hostile": hostile(), "should_gates": oneFault(), "no_case": noCase(), "known": expected(), "out_of_date": outOfDate()} {
		o := formats.Options{}
		if name == "should_gates" {
			o.FailOn = report.Should
		}
		var b bytes.Buffer
		require.NoError(t, write(&b, r, o))
		golden(t, name+"."+ending, b.Bytes())
	}
}

// expected is oneFault with a file of known failures that has the fault.
func expected() *report.Report {
	r := oneFault()
	r.Results[1].Known = &report.Known{Line: 3, Reason: "The gateway turns texts\x1b into numbers | for now.", Link: "https://issues.example.com/17", Expires: "2030-12-31"}
	r.KnownFailures = &report.KnownFailures{File: report.File{Name: "known.yaml", Digest: strings.Repeat("1e", 32)}, Entries: 3}
	r.Summary.Verdict, r.Summary.Failed, r.Summary.Known = report.OnlyKnown, 0, 1
	return r
}

// outOfDate is expected with entries that no longer hold.
func outOfDate() *report.Report {
	r := expected()
	r.KnownFailures.OutOfDate = []report.OutOfDateEntry{
		{Line: 1, Requirement: "thing-valid-accepted", Why: "thing-valid-accepted passes now", Do: "delete this entry"},
		{Line: 5, Requirement: "thing-sise-*", Why: "matches no requirement", Do: "delete this entry"}}
	r.Summary.Verdict = report.OutOfDate
	return r
}

// noCase is a report whose summary says more than its results.
func noCase() *report.Report {
	r := conformant()
	r.Results, r.Observed = nil, nil
	r.Summary = report.Summary{Verdict: report.Conformant}
	return r
}

// suspected is a report whose only failure rests on a sentence.
func suspected() *report.Report {
	r := conformant()
	x := result("things-newest-first", report.Suspected, "What POST /things made last comes first in the list.", "openapi.yaml#/paths/~1things/get/description")
	x.Evidence = []report.Evidence{{Fact: "the newest items come first", Place: "/paths/~1things/get/description", Quote: "Lists things, newest first."}}
	x.Verdict, x.Cases.Failed = report.Fail, 3
	x.Failures = []report.Failure{{
		N: 1, Case: "things-newest-first/0", Class: "things-newest-first", Stable: true, Minimal: true,
		Sent: "GET /things behind three POSTs", Expected: "the thing made last before the others", Got: "it comes last",
		Classes: []report.ClassCount{{Class: "things-newest-first", Failed: 3, Judged: 3}},
		Steps:   []report.Step{step(`{"size":7,"label":"a"}`, `[]`)},
		Replay:  "conformance replay things-newest-first/0 --target http://127.0.0.1:8080",
	}}
	r.Results = append(r.Results, x)
	r.Summary.Suspected = 1
	return r
}

func TestEveryFormatShowsWhatIsSuspectedApartWithItsQuote(t *testing.T) {
	for _, f := range formats.List() {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, f.Write(&b, suspected(), formats.Options{}))
			golden(t, "suspected."+f.Name, b.Bytes())
			assert.Contains(t, b.String(), "newest-first")
		})
	}
}

// long is a report in which each text of a target or a document is longer than anybody reads.
func long() *report.Report {
	r := twice()
	text := strings.Repeat("very long ", 2000)
	r.Header.Selection, r.Header.LeftOut = []string{"only " + text}, []string{text}
	for i := range 600 {
		r.Header.LeftOut = append(r.Header.LeftOut, fmt.Sprintf("GET /things/%d: its parameters cannot be sent", i))
		r.Summary.Reasons = append(r.Summary.Reasons, fmt.Sprintf("thing-%d is inconclusive: suppressed by thing-size-type", i))
		r.Results = append(r.Results, report.Result{Requirement: fmt.Sprintf("thing-%d", i), Level: report.Must, Sentence: "It is so.", Verdict: report.Inconclusive, Reason: "no answer"})
	}
	r.Summary.Reasons = append(r.Summary.Reasons, text)
	r.Reach = &report.Reached{Operations: 4, Untried: []report.Untried{{Operations: slices.Repeat([]string{"GET /things"}, 900), Why: "need " + text, Help: text}}}
	for i := range r.Results {
		x := &r.Results[i]
		x.Sentence += text
		for k := range x.Failures {
			f := &x.Failures[k]
			f.Sent, f.Expected, f.Got, f.Cause, f.Common, f.NotTriedAgain = text, text, text, text, text, text
			f.Steps[0].Response.Data = []byte("HTTP/1.1 500 x\r\n\r\n" + text[:5000]) // a page shows messages as they are
			f.Suspects, f.Story, f.Flaw.Said = []string{text}, []string{text}, text
		}
	}
	return r
}

func TestNoFormatForPeopleHasALineThatNobodyReads(t *testing.T) {
	for _, f := range formats.List() {
		if slices.Contains([]string{"json", "ndjson", "har", "attestation"}, f.Name) {
			continue // programs read them
		}
		for _, o := range []formats.Options{{}, {Verbose: true}, {Width: 80}} {
			var b bytes.Buffer
			require.NoError(t, f.Write(&b, long(), o))
			for line := range strings.Lines(b.String()) {
				if !assert.Less(t, len(line), 8000, "%s: %.200s", f.Name, line) {
					break
				}
			}
		}
	}
}

func TestWhatWasNotTriedIsGroupedByItsReasonInPages(t *testing.T) {
	for name, want := range map[string]string{
		"markdown": "| left out | 600 | <code>GET /things/0, GET /things/1, GET /things/2 and 597 more</code> | its parameters cannot be sent |",
		"html":     "<li>left out (600): <bdi>its parameters cannot be sent</bdi>: <bdi>GET /things/0, GET /things/1, GET /things/2 and 597 more</bdi></li>",
	} {
		f, err := formats.Find(name)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, long(), formats.Options{}))
		assert.Contains(t, b.String(), want)
		assert.Contains(t, b.String(), "operation not tried")
		assert.Contains(t, b.String(), "not tried again")
	}
}
