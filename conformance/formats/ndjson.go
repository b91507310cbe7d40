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
// are those of the JSON report. A stream without a summary was cut. A Stream writes the
// same lines while a run goes on.
func NDJSON(w io.Writer, r *report.Report, _ Options) error {
	var b bytes.Buffer
	if err := NewStream(&b).End(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// rest lists the lines that are known when a run has ended, in the order of the report.
func rest(r *report.Report) (lines []any) {
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
	return append(lines, ndSummary{"summary", end, r.Times})
}

func ndLine(line any) ([]byte, error) {
	text, err := json.Marshal(line, options(), jsontext.Multiline(false))
	if err != nil {
		return nil, fmt.Errorf("ndjson report: %w", err)
	}
	return append(report.Printable(text), '\n'), nil
}

// The lines of NDJSON.
type (
	ndHeader struct {
		Kind    string `json:"kind"`
		Version int    `json:"version"`
		Tool    string `json:"tool"`
		report.Header
	}
	ndProgress struct {
		Kind    string `json:"kind"`
		Done    int    `json:"done"`
		Planned int    `json:"planned"`
		Failed  int    `json:"failed"`
	}
	ndFailing struct {
		Kind        string       `json:"kind"`
		Requirement string       `json:"requirement"`
		Level       report.Level `json:"level"`
		Case        string       `json:"case"`
	}
	ndConfirmed struct {
		Kind          string       `json:"kind"`
		Requirement   string       `json:"requirement"`
		Level         report.Level `json:"level"`
		Clause        string       `json:"clause"`
		Case          string       `json:"case"`
		Stable        bool         `json:"stable"`
		NotTriedAgain string       `json:"not_tried_again,omitempty"`
		Sent          string       `json:"sent"`
		Expected      string       `json:"expected"`
		Got           string       `json:"got"`
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
