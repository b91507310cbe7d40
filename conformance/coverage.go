package conformance

import (
	"plantstore/conformance/internal/coverage"
	"plantstore/conformance/report"
)

// Coverage returns, for each schema keyword of OpenAPI, which valid and invalid values
// the suite generates. It does not depend on a document.
func Coverage() (*report.Coverage, error) {
	out, err := coverage.Measure(coverage.List(), catalogue())
	if err != nil {
		return nil, &SetupError{err}
	}
	return out, nil
}
