package formats_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func markdown(t *testing.T, r *report.Report, o formats.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.Markdown(&b, r, o))
	return b.String()
}

// page renders as GitHub does, with its extensions and with HTML.
func page(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	require.NoError(t, github.Convert([]byte(text), &b))
	return b.String()
}

func TestMarkdownIsAsRecorded(t *testing.T) {
	recorded(t, "md", formats.Markdown)
}

// attacks are texts that mean something in Markdown or on GitHub.
func attacks() []string {
	return []string{
		"`", "``` \n# gotcha\n", "\n\n# gotcha\n\n", "\r\n```\r\n# gotcha\r\n", "````````\n</code></pre><script>gotcha()</script>",
		"|gotcha|", `\|gotcha|`, `\\|gotcha|`, "`|gotcha|`", "<img src=x onerror=gotcha>", "</details></td><script>", "<!-- gotcha",
		"@gotcha", "x @gotcha/team #1 gotcha#1", "[gotcha](https://gotcha.example)", "![gotcha](https://gotcha.example/p.png)",
		"https://gotcha.example", "www.gotcha.example", "WWW.gotcha.example", "<https://gotcha.example>", "[gotcha]: https://gotcha.example",
		"$`gotcha`$", "$$gotcha$$", "&lt;b&gt;", `\`, "**gotcha**", "~~gotcha~~", "- [x] gotcha", " ` ", " ", "\x1b[31m\u202egotcha",
	}
}

func TestNothingInMarkdownIsMarkupOfATargetOrADocument(t *testing.T) {
	plain := elements(page(t, markdown(t, attacked("harmless"), formats.Options{})))
	for _, evil := range attacks() {
		text := markdown(t, attacked(evil), formats.Options{})
		shown := page(t, text)
		assert.Equal(t, plain, elements(shown), "%q changes the page", evil)
		prose := regexp.MustCompile(`(?s)<code.*?</code>`).ReplaceAllString(shown, "")
		assert.NotRegexp(t, `@[a-z]|#[0-9]`, prose, "%q tells somebody", evil)
		for _, r := range text {
			assert.True(t, r == '\n' || r == '​' || unicode.IsPrint(r), "%q leaves %U", evil, r)
		}
	}
}

// elements are the elements of a page, without those that a text without a sign that
// could be seen does not have.
func elements(page string) []string {
	return regexp.MustCompile(`<[/!a-z][a-z0-9]*`).FindAllString(page, -1)
}

// attacked is a report in which each text says the same thing.
func attacked(text string) *report.Report {
	r := oneFault()
	h := &r.Header
	h.Target, h.Document, h.File, h.Digest, h.Effort, h.LeftOut, h.Selection = text, text, text, text, text, []string{text}, []string{text}
	r.Tool, r.Facts = text, []report.Fact{{Name: text, Value: text}}
	for i := range r.Results {
		x := &r.Results[i]
		x.Requirement, x.Sentence, x.Clause, x.Reason, x.Place = text, text, text, text, &report.Place{File: text, Line: i}
		for j := range x.Failures {
			f := &x.Failures[j]
			f.Case, f.Class, f.Sent, f.Expected, f.Got, f.Common, f.Cause, f.Replay = text, text, text, text, text, text, text, text
			f.NotTriedAgain, f.Story, f.Curl = text, []string{text, text}, "curl harmless"
			f.Classes[0].Class = text
			f.Steps[0].Request.Data, f.Steps[0].Response.Data, f.Steps[0].Failure = []byte(text), []byte(text), text
		}
	}
	r.Results[0].Verdict = report.Inconclusive
	for i := range r.Observed {
		x := &r.Observed[i]
		x.Requirement, x.Sentence, x.Clause, x.Seen = text, text, text, []report.Seen{{What: text, Count: 1}}
	}
	r.Second.Reader, r.Second.Reason = text, text
	r.Summary.Reasons = []string{text}
	return r
}

func TestACommandThatHoldsAFenceStaysInItsBlock(t *testing.T) {
	r := oneFault()
	r.Results[1].Failures[0].Curl = "curl -d '\n```\n# gotcha\n````\n'"
	assert.NotContains(t, page(t, markdown(t, r, formats.Options{})), "gotcha</h1>")
}

func TestLongListsAreHiddenAndCut(t *testing.T) {
	r := oneFault()
	for i := range 60 {
		x := r.Observed[0]
		x.Requirement = fmt.Sprintf("open-%02d", i)
		r.Observed = append(r.Observed, x)
	}
	text := markdown(t, r, formats.Options{})
	assert.Contains(t, text, "<details><summary>62 rows</summary>\n\n| open point |")
	assert.Contains(t, text, "\n22 more are in the JSON report.\n\n</details>\n")
	assert.Equal(t, 1, strings.Count(text, "<details>"))
}

func TestCutMarkdownIsAPageAtEveryLength(t *testing.T) {
	r := oneFault()
	r.Observed = slices.Repeat(r.Observed, 10)
	text := []byte(markdown(t, r, formats.Options{}))
	assert.Equal(t, text, formats.CutMarkdown(text, len(text)))
	for maximum := range len(text) {
		cut := formats.CutMarkdown(text, maximum)
		require.LessOrEqual(t, len(cut), maximum)
		if len(cut) == 0 {
			require.Less(t, maximum, 200, "there is room for the verdict")
			continue
		}
		assert.Equal(t, strings.SplitN(string(text), "\n", 2)[0], strings.SplitN(string(cut), "\n", 2)[0])
		assert.Regexp(t, `(?s)was cut here\. [^<]*</p>\n$`, page(t, string(cut)), "%d", maximum)
		assert.Equal(t, strings.Count(string(cut), "<details>"), strings.Count(string(cut), "</details>"))
	}
}

func TestAWayIsOneLine(t *testing.T) {
	for want, w := range map[string]report.Way{
		"a <- nothing needed":                   {Operation: "a", Reached: true},
		"a <- nothing needed after b":           {Operation: "a", Reached: true, After: []string{"b"}},
		"a <- b#/id, example \"x\", any value":  {Operation: "a", Reached: true, Sources: []report.Source{{From: "b#/id"}, {Kind: "example", Value: `"x"`}, {Kind: "any value"}, {Place: "/c", Optional: true}}},
		"a not reached: it failed":              {Operation: "a", Reason: "it failed", Sources: []report.Source{{From: "b#/id"}}},
		"a not reached: it failed: do this":     {Operation: "a", Reason: "it failed", Help: "do this"},
		"a not tried: needs a file from a bank": {Operation: "a", Aside: "needs a file from a bank"},
	} {
		assert.Equal(t, want, w.String())
	}
}

func TestAValuesFileHasWhatWasFoundAndAsCommentsWhatIsMissing(t *testing.T) {
	r := &report.Reach{Document: "Desk\n", Target: "http://host", Ways: []report.Way{
		{Operation: "get /a b", Reached: true, After: []string{"pay"}, Sources: []report.Source{
			{Place: "path/a~1b", From: "made#/id"}, {Place: "/x/y", Value: `"1"`}, {Place: "path/c", Kind: "given", Value: "7"}, {Place: "query/free", Kind: "any value"}}},
		{Operation: "lost", Reason: "it got 404", Sources: []report.Source{{Place: "/name"}}},
		{Operation: "night", Aside: "only at night"},
	}}
	var out bytes.Buffer
	require.NoError(t, formats.ReachValues(&out, r))
	assert.Equal(t, `# Values for Desk\n, found at http://host.
# Give this file to run, replay and list with --values.

# It comes after pay.
"get /a b":
  path:
    "a/b": {from: "made#/id"}
    c: 7
  body:
    "/x/y": "1"

# Not reached: it got 404.
# lost:
#   body:
#     name: VALUE
#   unreachable: REASON # instead of values

night:
  unreachable: "only at night"
`, out.String())
}

func TestEachReplayedFailureIsOneLineThatSaysWhatBecameOfIt(t *testing.T) {
	x := report.Replayed{N: 1, Requirement: "thing-size", Level: report.Must, Case: "a/b/0", Sent: `size = "7"`, Was: "200 OK"}
	for want, change := range map[string]func(*report.Replayed){
		`FIXED       thing-size (MUST) a/b/0: sent size = "7"; got 200 OK before`: func(x *report.Replayed) { x.Outcome = report.Fixed },
		`STILL FAILS thing-size (MUST) a/b/0 at api/things.yaml:7: sent size = "7"; got 200 OK`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.Got, x.Place = report.StillFails, "thing-size", "200 OK", &report.Place{File: "api/things.yaml", Line: 7}
		},
		`STILL FAILS thing-size (MUST) a/b/0, a known failure: sent size = "7"; got 204, before 200 OK; it now breaks thing-label`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.Got, x.Known = report.StillFails, "thing-label", "204", true
		},
		`CHANGED     thing-size (MUST) a/b/0: it fails thing-answered (SHOULD) now: got 500 \x1b[2J, before 200 OK`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.FailsLevel, x.Got = report.Changed, "thing-answered", report.Should, "500 \x1b[2J"
		},
		`NOT TRIED   thing-size (MUST) a/b/0: no answer`: func(x *report.Replayed) { x.Outcome, x.Reason = report.NotTried, "no answer" },
	} {
		y := x
		change(&y)
		var b bytes.Buffer
		require.NoError(t, formats.ReplayedLine(&b, y, formats.Options{}))
		assert.Equal(t, want+"\n", b.String())
	}
}

func TestTheLastLineOfAReplayCountsEveryOutcome(t *testing.T) {
	of := func(list ...report.ReplayOutcome) *report.Replay {
		r := &report.Replay{}
		for _, o := range list {
			r.Failures = append(r.Failures, report.Replayed{Outcome: o, Gates: o == report.StillFails})
		}
		return r
	}
	for want, r := range map[string]*report.Replay{
		"the report has no failures: nothing was sent":                      of(),
		"2 failures: 2 fixed":                                               of(report.Fixed, report.Fixed),
		"5 failures: 1 fixed, 2 still fail, 1 fails otherwise, 1 not tried": of(report.StillFails, report.Fixed, report.NotTried, report.StillFails, report.Changed),
		"4 failures: 1 still fails, 2 fail otherwise, 1 not tried":          of(report.Changed, report.StillFails, report.Changed, report.NotTried),
		"1 failure: 1 still fails":                                          of(report.StillFails),
	} {
		var b bytes.Buffer
		require.NoError(t, formats.ReplaySummary(&b, r, formats.Options{}))
		assert.Equal(t, want+"\n", b.String())
	}
	var b bytes.Buffer
	require.NoError(t, formats.ReplaySummary(&b, of(report.Fixed, report.NotTried), formats.Options{Colour: true}))
	assert.NotContains(t, b.String(), "\x1b[32m", "what was not tried is never green")
}

func TestAKnownFailureIsNoPassInAnyFormat(t *testing.T) {
	for _, f := range formats.List() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, expected(), formats.Options{}))
		assert.Contains(t, b.String(), "The gateway turns texts", f.Name)
		assert.NotContains(t, b.String(), "\x1b", f.Name)
		for _, red := range []string{"::error", "<failure", `"severity": "critical"`, "KNOWN FAILURES OUT OF DATE"} {
			assert.NotContains(t, b.String(), red, f.Name)
		}
	}
	assert.Contains(t, text(t, expected(), formats.Options{}), "\nonly known failures: 1 MUST requirement fails as expected\n")
	var tap bytes.Buffer
	require.NoError(t, formats.TAP(&tap, expected(), formats.Options{}))
	assert.Regexp(t, `(?m)^not ok \d+ - thing-size-type # TODO known failure: The gateway`, tap.String())
	assert.Contains(t, string(junit(t, expected(), formats.Options{})), `<skipped message="known failure: The gateway`)
}

func TestAFileThatIsOutOfDateFailsTheRunInEveryFormat(t *testing.T) {
	r := conformant()
	r.KnownFailures = outOfDate().KnownFailures
	r.Summary.Verdict = report.OutOfDate
	for _, f := range formats.List() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, r, formats.Options{}))
		assert.Contains(t, b.String(), "thing-valid-accepted passes now", f.Name)
		assert.NotContains(t, b.String(), "\nconformant", f.Name)
	}
	assert.Contains(t, text(t, r, formats.Options{}), "\nKNOWN FAILURES OUT OF DATE: known.yaml:1: thing-valid-accepted passes now: delete this entry (and 1 line more); no requirement fails\n")
	assert.Contains(t, string(junit(t, r, formats.Options{})), `failures="1"`)

	r = oneFault()
	r.KnownFailures = outOfDate().KnownFailures
	assert.Contains(t, text(t, r, formats.Options{}), "\nNOT CONFORMANT: 1 leniency (1 of 2 MUST requirements failed); known failures out of date: known.yaml:1: ")
}

func TestAFileOfKnownFailuresHasWhatFailsTheRun(t *testing.T) {
	file := func(r *report.Report) string {
		var b bytes.Buffer
		require.NoError(t, formats.KnownFailuresYAML(&b, r))
		return b.String()
	}
	golden(t, "known_new.yaml", []byte(file(oneFault())))
	golden(t, "known_kept.yaml", []byte(file(expected())))
	golden(t, "known_none.yaml", []byte(file(conformant())))
	r := hostile()
	r.Results[1].Requirement = "null"
	golden(t, "known_hostile.yaml", []byte(file(r)))
	r = oneFault()
	r.Header.FailOn = "should"
	assert.Contains(t, file(r), "\n- requirement: scheme-any-case\n")
}
