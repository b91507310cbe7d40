package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// manyKnown is a report with one known fault of 60 requirements, each with a reason of its own or
// with one.
func manyKnown(reason func(i int) string) *report.Report {
	r := conformant()
	for i := range 60 {
		id := fmt.Sprintf("thing-member%d-type", i)
		x := result(id, report.Must, "A member is an integer.", "openapi.yaml#/components/schemas/Thing")
		x.Operation, x.Verdict = "POST /things", report.Fail
		x.Known = &report.Known{Line: i + 1, Reason: reason(i)}
		x.Failures = []report.Failure{{N: i + 1, Sent: "null", Got: "200 OK", Flaw: report.Flaw{Category: report.Leniency, Rule: "refuses-schema", Tells: report.TellsValue, Kind: "type/null", Where: "integer in body"}}}
		r.Results = append(r.Results, x)
	}
	r.KnownFailures = &report.KnownFailures{File: report.File{Name: "known.yaml"}, Entries: 60}
	r.Summary.Verdict, r.Summary.Known = report.OnlyKnown, 60
	return r
}

func TestKnownFailuresAreALineForEachFinding(t *testing.T) {
	r := manyKnown(func(int) string { return "The gateway reads null." })
	const sentence = "POST /things: null is accepted where an integer is documented: 60 places"
	for name, out := range map[string]string{"text": text(t, r, formats.Options{}), "markdown": markdown(t, r, formats.Options{})} {
		assert.Equal(t, 1, strings.Count(out, sentence), "%s: %s", name, out)
		assert.Equal(t, 1, strings.Count(out, "The gateway reads null."), name)
		assert.Equal(t, 1, strings.Count(out, "thing-member"), name)
		assert.Contains(t, out, "and 59 more", name)
	}
	page := asHTML(t, r, formats.Options{})
	assert.Equal(t, 1, strings.Count(page, `<details class="known">`))
	assert.Contains(t, page, sentence+"</bdi>: <bdi>The gateway reads null.</bdi> (60)</summary>")
	assert.Equal(t, 60, strings.Count(page, `<article class="result"`), "what opens has each of them")

	all := text(t, r, formats.Options{Verbose: true})
	assert.Contains(t, all, "\nKNOWN thing-member0-type (MUST)")
	assert.Contains(t, all, "     reason    The gateway reads null.\n")
}

func TestReasonsOfOneFindingThatDifferAreCounted(t *testing.T) {
	r := manyKnown(func(i int) string { return fmt.Sprintf("Reason %d.", i) })
	assert.Contains(t, text(t, r, formats.Options{}), ": Reason 0.; and 59 other reasons\n")
}
