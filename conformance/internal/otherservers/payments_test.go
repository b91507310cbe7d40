package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerThatPaysOnceOrRefusesToPayAgainIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "refuses to pay again"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "payments.yaml", otherservers.Payments(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestASecondPaymentWithOneKeyAndThePaymentsOfOthersAreFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"pays again":                   "post-payments-made-once",
		"shows the payments of others": "get-payments-filtered-account-id",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "payments.yaml", otherservers.Payments(wrong))
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}
