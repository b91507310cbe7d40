package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func text(t *testing.T, r *report.Report, o formats.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.Text(&b, r, o))
	return b.String()
}

func TestTextIsAsRecorded(t *testing.T) {
	golden(t, "one_fault.txt", []byte(text(t, oneFault(), formats.Options{})))
	golden(t, "conformant.txt", []byte(text(t, conformant(), formats.Options{})))
	golden(t, "known.txt", []byte(text(t, expected(), formats.Options{})))
	golden(t, "out_of_date.txt", []byte(text(t, outOfDate(), formats.Options{})))
	golden(t, "unreachable.txt", []byte(text(t, unreachable(), formats.Options{})))
	golden(t, "hostile.txt", []byte(text(t, hostile(), formats.Options{})))
	golden(t, "should_gates.txt", []byte(text(t, oneFault(), formats.Options{FailOn: report.Should, Width: 72})))
}

func TestOneFaultFitsAScreen(t *testing.T) {
	lines := strings.Count(text(t, oneFault(), formats.Options{}), "\n")
	assert.GreaterOrEqual(t, lines, 20)
	assert.LessOrEqual(t, lines, 50)
}

func TestHeaderIsNotPrintedTwice(t *testing.T) {
	bare := oneFault()
	bare.Facts = nil
	for _, r := range []*report.Report{oneFault(), bare} {
		assert.Equal(t, text(t, r, formats.Options{}),
			formats.HeaderLine(r.Header)+"\n"+text(t, r, formats.Options{HeaderPrinted: true}))
		var head strings.Builder
		require.NoError(t, formats.HeaderText(&head, r.Header, formats.Options{Width: 60}))
		assert.Equal(t, text(t, r, formats.Options{Width: 60}), head.String()+text(t, r, formats.Options{Width: 60, HeaderPrinted: true}))
	}
}

func TestNoLineButAnExampleIsLongerThanTheTerminal(t *testing.T) {
	for _, r := range []*report.Report{oneFault(), conformant(), unreachable(), expected(), outOfDate()} {
		r.Header.Document = strings.Repeat("A long title ", 8)
		r.Header.Selection = []string{strings.Repeat("--only some-requirement ", 6)}
		r.Summary.Reasons = append(r.Summary.Reasons, strings.Repeat("a long reason ", 9))
		for _, width := range []int{60, 72, 100} {
			for _, line := range strings.Split(text(t, r, formats.Options{Width: width}), "\n") {
				if !regexp.MustCompile(`curl |conformance replay |^KNOWN |^WARN `).MatchString(line) { // to copy or to search for
					assert.LessOrEqual(t, utf8.RuneCountInString(line), width, line)
				}
			}
		}
		assert.Contains(t, text(t, r, formats.Options{}), formats.HeaderLine(r.Header)+"\n", "one line where no width is known")
	}
}

func TestNothingUnprintableReachesTheReader(t *testing.T) {
	for _, width := range []int{0, 40, 200} {
		out := text(t, hostile(), formats.Options{Width: width})
		assert.True(t, utf8.ValidString(out))
		for _, r := range out {
			assert.True(t, r == '\n' || unicode.IsPrint(r), "%U in the output", r)
		}
	}
}

func TestColourIsOnlyWhereAllowedAndChangesNoText(t *testing.T) {
	colour := text(t, oneFault(), formats.Options{Colour: true})
	assert.Contains(t, colour, "\x1b[1;31mFAIL\x1b[0m")
	for _, code := range []string{"0", "1", "2", "32", "33", "1;31"} {
		colour = strings.ReplaceAll(colour, "\x1b["+code+"m", "")
	}
	assert.Equal(t, text(t, oneFault(), formats.Options{}), colour)
}

func TestMustStandsBeforeShouldWhateverTheirOrder(t *testing.T) {
	r := oneFault()
	r.Results[0], r.Results[3] = r.Results[3], r.Results[0]
	out := text(t, r, formats.Options{FailOn: report.Should})
	assert.Less(t, strings.Index(out, "FAIL thing-size-type"), strings.Index(out, "FAIL scheme-any-case"))
}

func TestVerdictLineSaysWhatWasFound(t *testing.T) {
	last := func(r *report.Report, o formats.Options) string {
		lines := strings.Split(strings.TrimSpace(text(t, r, o)), "\n")
		return lines[len(lines)-1]
	}
	assert.Equal(t, "conformant", last(conformant(), formats.Options{}))
	assert.Equal(t, "NOT CONFORMANT: 1 leniency (1 of 2 MUST requirements failed)", last(oneFault(), formats.Options{}))
	assert.Equal(t, "NOT CONFORMANT: 1 leniency, 1 protocol (1 of 2 MUST and 1 of 1 SHOULD requirements failed)",
		last(oneFault(), formats.Options{FailOn: report.Should}))
	assert.Equal(t, "incomplete: nobody listens at http://127.0.0.1:8080", last(unreachable(), formats.Options{}))

	assert.Equal(t, "incomplete: nothing could be judged", last(noCase(), formats.Options{}))
	assert.Equal(t, "incomplete: nothing could be judged", last(new(report.Report), formats.Options{}))

	part := conformant()
	part.Header.Selection, part.Summary.Partial = []string{"only thing-*"}, true
	assert.Equal(t, "conformant (partial: only thing-*)", last(part, formats.Options{}))
	assert.NotContains(t, text(t, part, formats.Options{Colour: true}), "\x1b[32m", "what was not run is never green")
}

func TestManyFailuresAreAllNamedAndStayReadable(t *testing.T) {
	r := oneFault()
	for i := range 60 {
		x := r.Results[1]
		x.Requirement, x.Failures = fmt.Sprintf("more-%02d", i), []report.Failure{{Got: "200"}}
		r.Results = append(r.Results, x)
	}
	out := text(t, r, formats.Options{})
	assert.Contains(t, out, "and 12 more")
	assert.Less(t, strings.Count(out, "\n"), 200)
}

func TestObservationsAreToldByTheirAnswer(t *testing.T) {
	r := conformant()
	r.Observed[0].Seen = []report.Seen{
		{What: "a: 400 Error", Count: 2}, {What: "b: 200 Thing", Count: 1}, {What: "c: 200 Thing", Count: 5},
		{What: "d: 200 Thing", Count: 1}, {What: "e: 200 Thing", Count: 1}, {What: "odd", Count: 1},
	}
	assert.Contains(t, text(t, r, formats.Options{}), "\n  duplicate-size: 200 Thing (8); 400 Error (2: a); odd (1)\n")
}

func TestObservationsDoNotPushAFailureOffTheScreen(t *testing.T) {
	r := oneFault()
	for i := range 40 {
		x := r.Observed[0]
		x.Requirement = fmt.Sprintf("open-%02d", i)
		r.Observed = append(r.Observed, x)
	}
	out := text(t, r, formats.Options{})
	assert.Contains(t, out, "… and 32 more: see the JSON report")
	assert.LessOrEqual(t, strings.Count(out, "\n"), 50)
}

func TestManyReasonsLeaveAVerdictThatCanBeRead(t *testing.T) {
	r := unreachable()
	r.Summary.Reasons = slices.Repeat([]string{strings.Repeat("x", 500)}, 30)
	assert.Regexp(t, "\nincomplete: x{200}… \\(500 bytes\\); x{200}… \\(500 bytes\\); and 28 more reasons\n$", text(t, r, formats.Options{}))
}

func TestWhatIsSaidOfAllOperationsIsNotSaidOfEachAgain(t *testing.T) {
	r := unreachable()
	all := "2 of 9 operations tried; 7 need a credential for a: give --auth a=VALUE; 1 needs a credential for " + strings.Repeat("b", 200) + ": give --auth b=VALUE"
	r.Summary.Reasons = []string{all, "getThing is not reached: its baseline request is answered with 400: name a value", "3 MUST requirements are inconclusive: the operation is not reached: none", "it ended"}
	assert.Contains(t, text(t, r, formats.Options{}), "\nincomplete: "+all+"; it ended\n", "the flags are not cut off")
}

// Nothing but the line with the verdict tells of it.
func TestABugOfTheSuiteIsTheFirstReason(t *testing.T) {
	r := oneFault()
	r.Summary.Reasons = append(slices.Repeat([]string{"something is not tried"}, 30), report.OwnFault+"the bytes of a/b do not match its expected class")
	assert.Contains(t, text(t, r, formats.Options{}), "also incomplete: an error in this suite: the bytes of a/b do not match its expected class; something is not tried; and 29 more reasons\n")
}

func TestAHugeValueIsCutWithItsLength(t *testing.T) {
	r := oneFault()
	r.Results[1].Failures[0].Got = strings.Repeat("\x00", 5_000_000)
	r.Results[1].Failures[0].Curl = strings.Repeat("x", 5_000_000)
	r.Results[1].Failures[0].Steps[0].Request.Data = bytes.Repeat([]byte("é"), 1_000_000)
	out := text(t, r, formats.Options{})
	assert.Contains(t, out, "… (5000000 bytes)")
	assert.Contains(t, out, "… (2000000 bytes)")
	assert.Less(t, len(out), 10_000)
}

func TestAnEmptyReportIsWrittenInEveryFormat(t *testing.T) {
	for _, f := range formats.List() {
		assert.NoError(t, f.Write(new(bytes.Buffer), new(report.Report), formats.Options{}), f.Name)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnErrorOfTheWriterIsReturnedByEveryFormat(t *testing.T) {
	for _, f := range formats.List() {
		assert.ErrorContains(t, f.Write(full{}, oneFault(), formats.Options{}), "no space left", f.Name)
	}
}

func TestALineSaysWhetherWhatFailedLastTimeFailsAgain(t *testing.T) {
	for want, x := range map[string]report.TriedFirst{
		"tried first: a\\x1b: none of 12 cases fails now":                       {Requirement: "a\x1b", Cases: 12},
		"tried first: a: 3 of 12 cases fail again":                              {Requirement: "a", Cases: 12, Failed: 3},
		"tried first: a: 1 of 1 case fail again":                                {Requirement: "a", Cases: 1, Failed: 1},
		"tried first: a: could not be judged yet":                               {Requirement: "a", Cases: 2, Unanswered: 2},
		"tried first: a: none of 10 cases fails now, 2 could not be judged yet": {Requirement: "a", Cases: 12, Unanswered: 2},
		"tried first: a: 10 of 12 cases fail again, 2 could not be judged yet":  {Requirement: "a", Cases: 12, Failed: 10, Unanswered: 2},
	} {
		assert.Equal(t, want, formats.TriedFirstLine(x))
	}
}

func entry(id string, cases int) report.ListingEntry {
	return report.ListingEntry{Requirement: id, Level: report.Must, Sentence: "A size is an integer.",
		Clause: "things.yaml#/size", Rule: "refused", Cases: cases}
}

func TestListingIsAsRecorded(t *testing.T) {
	l := &report.Listing{Version: 1, Document: "Thing Store 1.0.0", Cases: 41,
		Requirements: []report.ListingEntry{entry("thing-size-type", 40), entry("size", 1)}, LeftOut: []string{"GET /things/{id}: path parameters"}}
	var b bytes.Buffer
	require.NoError(t, formats.ListingText(&b, l, formats.Options{}))
	golden(t, "listing.txt", b.Bytes())
	b.Reset()
	require.NoError(t, formats.ListingJSON(&b, l))
	golden(t, "listing.json", b.Bytes())
}

func TestAListingAsAPageNamesWhatIsSentAndKeepsStrangeTextsInTheirCells(t *testing.T) {
	every, few, many := entry("answered", 41), entry("size|<b>", 1), entry("thing-size-type", 40)
	for i := range 9 {
		every.Sent = append(every.Sent, fmt.Sprintf("mutator-%d", i))
	}
	few.Sent, many.Sent, few.Sentence = every.Sent[:2], every.Sent[:8], "A | [size](x) of *two* `lines`\nis _one_ \\|."
	l := &report.Listing{Version: 1, Document: "Thing Store 1.0.0", Requirements: []report.ListingEntry{every, few, many, entry("open-size", 0)},
		LeftOut: []string{"GET /things|all: path parameters"}}
	for _, name := range every.Sent {
		l.Mutators = append(l.Mutators, report.ListedMutator{Name: name, Doc: "Sends a size, because it can."})
	}
	var b bytes.Buffer
	require.NoError(t, formats.ListingMarkdown(&b, l))
	golden(t, "listing.md", b.Bytes())
}

func TestExplanationIsAsRecorded(t *testing.T) {
	e := &report.Explanation{ListingEntry: entry("thing-size-type", 40), Doc: "A request with a value of another type is refused.\nNothing else is wrong with it.",
		Classes: []report.ClassCount{{Class: "string", Judged: 8}, {Class: "null", Judged: 1}},
		Example: "curl 'http://127.0.0.1' \\\n  --data-binary '{}'", File: "rules/refused.go", Fix: "Check the type before you convert."}
	var b bytes.Buffer
	require.NoError(t, formats.ExplanationText(&b, e, formats.Options{}))
	golden(t, "explanation.txt", b.Bytes())
}

func TestExplanationGroupsManyClassesByTheFirstPartsOfTheirNames(t *testing.T) {
	e := &report.Explanation{ListingEntry: entry("size", 60)}
	for i := range 30 {
		e.Classes = append(e.Classes, report.ClassCount{Class: fmt.Sprintf("post-things/valid/size/kind-%d", i), Judged: 2})
	}
	e.Classes = append(e.Classes, report.ClassCount{Class: "post-things/sequence/same-id", Judged: 1})
	var b bytes.Buffer
	require.NoError(t, formats.ExplanationText(&b, e, formats.Options{}))
	assert.Contains(t, b.String(), "\n  post-things/valid/size/*: 60 cases in 30 classes\n  post-things/sequence/same-id: 1 case\n")
}

func TestAClassIsExplainedByTheEntryThatMakesIt(t *testing.T) {
	e := &report.Explanation{Class: &report.ClassExplanation{ID: "post-things/invalid/wrong-types/size/string/1", Class: "post-things/invalid/wrong-types/size/string",
		Operation: "POST /things", Cases: 8, Steps: 2, Mutator: "wrong-types", Doc: "A value of another JSON type.", File: "mutators/wrongtypes.go",
		Place: "size", Kind: "string", Expected: "must be refused", Requirements: []report.ListingEntry{entry("thing-size-type", 40)}, Example: "POST /things HTTP/1.1\r\n\x1b"}}
	var b bytes.Buffer
	require.NoError(t, formats.ExplanationText(&b, e, formats.Options{}))
	golden(t, "class.txt", b.Bytes())
}

func TestTranscriptShowsTheBytesAndTheVerdict(t *testing.T) {
	bad := oneFault()
	tr := &report.Transcript{Case: "thing-size-type-string/3", Steps: bad.Results[1].Failures[0].Steps, Failures: bad.Results[1:2]}
	var b bytes.Buffer
	require.NoError(t, formats.TranscriptText(&b, tr, formats.Options{}))
	golden(t, "transcript.txt", b.Bytes())

	b.Reset()
	tr.Failures = nil
	require.NoError(t, formats.TranscriptText(&b, tr, formats.Options{}))
	assert.Contains(t, b.String(), "\npassed\n")

	b.Reset()
	tr.Steps = []report.Step{{Connection: 1, Parallel: true, Failure: "no answer within 10s"}, {Connection: 2}}
	tr.Reason = "the target\x1b was gone"
	require.NoError(t, formats.TranscriptText(&b, tr, formats.Options{}))
	assert.Contains(t, b.String(), "step 1 on connection 1, in parallel")
	assert.Contains(t, b.String(), "< (no answer within 10s)")
	assert.Contains(t, b.String(), "not judged: the target\\x1b was gone\n")
}
