package formats

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/report"
)

// NDJSON writes one JSON object a line, for programs that read a stream: the header,
// each result, each observation, the file of known failures if there was one, and the
// summary at the end. The member kind says which of these a line is; the other members
// are those of the JSON report. A stream without a summary was cut.
func NDJSON(w io.Writer, r *report.Report, _ Options) error {
	var b bytes.Buffer
	lines := []any{ndHeader{"header", r.Version, r.Tool, r.Header}}
	for _, x := range r.Results {
		lines = append(lines, ndResult{"result", x})
	}
	for _, x := range r.Observed {
		lines = append(lines, ndObserved{"observed", x})
	}
	if r.KnownFailures != nil {
		lines = append(lines, ndKnown{"known_failures", *r.KnownFailures})
	}
	end := r.Summary
	end.Verdict = outcome(r)
	lines = append(lines, ndSummary{"summary", end, r.Times})
	for _, line := range lines {
		text, err := json.Marshal(line, options(), jsontext.Multiline(false))
		if err != nil {
			return fmt.Errorf("ndjson report: %w", err)
		}
		b.Write(append(report.Printable(text), '\n'))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// The lines of NDJSON.
type (
	ndHeader struct {
		Kind    string `json:"kind"`
		Version int    `json:"version"`
		Tool    string `json:"tool"`
		report.Header
	}
	ndResult struct {
		Kind string `json:"kind"`
		report.Result
	}
	ndObserved struct {
		Kind string `json:"kind"`
		report.Observe
	}
	ndKnown struct {
		Kind string `json:"kind"`
		report.KnownFailures
	}
	ndSummary struct {
		Kind string `json:"kind"`
		report.Summary
		Times report.Times `json:"times"`
	}
)
