package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestRefusalsByRulesThatTheDocumentListsAreNoFailures(t *testing.T) {
	t.Parallel()
	r := small(t, "debts.yaml", otherservers.Debts(""))
	assert.Empty(t, tripped(r), shown(t, r))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}

func TestWhatARuleDoesNotExplainIsAFailure(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"few cents only": "post-debts-debtid-payments-valid-accepted",
		"cents as text":  "get-debts-debtid-payments-paymentid-payment-cents-integer",
		"cents bounds":   "newpayment-cents-minimum",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "debts.yaml", otherservers.Debts(wrong))
			assert.Contains(t, tripped(r), want, shown(t, r))
		})
	}
}
