package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/report"
)

func TestEveryRuleHasASentenceForMaintainers(t *testing.T) {
	for _, r := range checks.Rules() {
		category, sentence := report.Says(r.Name)
		assert.NotEmpty(t, sentence, r.Name)
		assert.Contains(t, report.Categories(), category, r.Name)
	}
}
