package conformance

import (
	"plantstore/conformance/internal/reports"
	"plantstore/conformance/report"
)

// Diff tells what changed from an old report to a new one. Reports about different
// documents, or versions of one, are a *SetupError unless across is set.
func Diff(old, now *report.Report, across bool) (*report.Diff, error) {
	d, err := reports.Diff(old, now, across)
	if err != nil {
		return nil, &SetupError{err}
	}
	return d, nil
}
