package formats_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// streamed reads a stream line by line into a report.
func streamed(t *testing.T, r *report.Report) (*report.Report, []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.NDJSON(&b, r, formats.Options{}))
	require.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n")))
	out := new(report.Report)
	var kinds []string
	for line := range bytes.Lines(b.Bytes()) {
		var head struct {
			Kind    string `json:"kind"`
			Version int    `json:"version"`
			Tool    string `json:"tool"`
		}
		require.NoError(t, json.Unmarshal(line, &head))
		kinds = append(kinds, head.Kind)
		switch head.Kind {
		case "header":
			out.Version, out.Tool = head.Version, head.Tool
			require.NoError(t, json.Unmarshal(line, &out.Header))
		case "result":
			var x report.Result
			require.NoError(t, json.Unmarshal(line, &x))
			out.Results = append(out.Results, x)
		case "observed":
			var x report.Observe
			require.NoError(t, json.Unmarshal(line, &x))
			out.Observed = append(out.Observed, x)
		default:
			require.Equal(t, "summary", head.Kind)
			require.NoError(t, json.Unmarshal(line, &out.Summary))
		}
	}
	return out, kinds
}

func TestNDJSONIsAsRecorded(t *testing.T) {
	recorded(t, "ndjson", formats.NDJSON)
}

func TestNDJSONHoldsWhatTheReportHolds(t *testing.T) {
	r := oneFault()
	got, kinds := streamed(t, r)
	assert.Equal(t, []string{"header", "result", "result", "result", "result", "observed", "observed", "summary"}, kinds)
	assert.Equal(t, r.Header, got.Header)
	assert.Equal(t, r.Results, got.Results)
	assert.Equal(t, r.Observed, got.Observed)
	assert.Equal(t, r.Summary, got.Summary)
}

func TestOnlyAConformantRunIsConformantInNDJSON(t *testing.T) {
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report)} {
		got, _ := streamed(t, r)
		assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	}
	got, _ := streamed(t, conformant())
	assert.Equal(t, report.Conformant, got.Summary.Verdict)
}

func TestNoTextBreaksALineOfNDJSON(t *testing.T) {
	for _, evil := range append(attacks(), "\n{\"kind\":\"summary\",\"verdict\":\"conformant\"}\n", "\u2028\u2029", `"}`) {
		r := attacked(evil)
		got, kinds := streamed(t, r)
		assert.Len(t, kinds, 8)
		assert.Equal(t, r.Results, got.Results)
	}
}
