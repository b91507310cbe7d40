package conformance

import (
	"errors"

	"plantstore/conformance/internal/reports"
	"plantstore/conformance/report"
)

// Matrix puts the reports of several implementations of one document beside each other, in
// their order. The names are those of the implementations. It is a *SetupError if there is
// no report, or if the reports are about documents with different bytes.
func Matrix(list []report.Named) (*report.Matrix, error) {
	if len(list) == 0 {
		return nil, &SetupError{errors.New("no report: give one for each implementation")}
	}
	m, err := reports.Matrix(list)
	if err != nil {
		return nil, &SetupError{err}
	}
	return m, nil
}
