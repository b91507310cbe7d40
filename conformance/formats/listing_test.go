package formats_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

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
