package conformance

import (
	"plantstore/conformance/internal/coverage"
	"plantstore/conformance/report"
)

// Coverage says for each schema keyword of OpenAPI what the plan of a document
// that uses it holds on both sides. It speaks of the suite, not of a document.
func Coverage() (*report.Coverage, error) {
	out, err := coverage.Measure(coverage.List(), catalogue())
	if err != nil {
		return nil, &SetupError{err}
	}
	return out, nil
}
