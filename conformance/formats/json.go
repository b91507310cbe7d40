package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"plantstore/conformance/report"
)

// JSON writes the whole report, indented, the same bytes for the same report.
func JSON(w io.Writer, r *report.Report, _ Options) error { return writeJSON(w, r) }

// ListingJSON writes the plan as JSON.
func ListingJSON(w io.Writer, l *report.Listing) error { return writeJSON(w, l) }

// ReadJSON reads a report that JSON wrote. Members it does not know are passed
// over, as a newer suite of the same version may have added them. An error is
// one line and says what to do.
func ReadJSON(data []byte) (*report.Report, error) {
	var head struct {
		Version int `json:"version"`
	}
	var syntax *jsontext.SyntacticError
	switch err := json.Unmarshal(data, &head); {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("the file is empty: write one with --report json=FILE")
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("not JSON at byte %d: write one with --report json=FILE", syntax.ByteOffset)
	case err != nil, head.Version == 0:
		return nil, errors.New("no report of this suite: write one with --report json=FILE")
	case head.Version != report.Version:
		return nil, fmt.Errorf("report version %d: this suite reads version %d", head.Version, report.Version)
	}
	r := new(report.Report)
	if err := json.Unmarshal(data, r, options()); err != nil {
		at := ""
		var kind *json.SemanticError
		if errors.As(err, &kind) {
			at = " at " + cut(string(kind.JSONPointer), 120)
		}
		return nil, fmt.Errorf("a member is of the wrong type%s: write the report again with --report json=FILE", at)
	}
	if r.Summary.Verdict == "" {
		// What other commands write as JSON has a version too.
		return nil, errors.New("no report of a run: write one with --report json=FILE")
	}
	return r, nil
}

// options are those of reading and writing. Broken UTF-8 in a sentence must not
// lose the whole report, so it is replaced; bytes of the wire are kept by
// report.Bytes.
func options() json.Options {
	return json.JoinOptions(
		json.Deterministic(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.WithIndent("  "),
		jsonv1.FormatDurationAsNano(true),
	)
}

func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v, options())
	if err != nil {
		return fmt.Errorf("json report: %w", err)
	}
	_, err = w.Write(append(report.Printable(b), '\n'))
	return err
}
