package formats_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

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
