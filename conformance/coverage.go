package conformance

import (
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/report"
)

// Coverage returns, for each schema keyword of OpenAPI, which valid and invalid values
// the suite generates. It does not depend on a document.
func Coverage() (*report.Coverage, error) {
	out, err := mutate.MeasureCoverage(mutate.Keywords(), catalogue())
	if err != nil {
		return nil, &SetupError{err}
	}
	return out, nil
}
