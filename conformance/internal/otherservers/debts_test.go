package otherservers_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestRefusalsByRulesThatTheDocumentListsAreNoFailures(t *testing.T) {
	t.Parallel()
	r := small(t, "debts.yaml", otherservers.Debts(""))
	musts, suspected := ofValid(r)
	assert.Empty(t, musts, shown(t, r))
	assert.Contains(t, suspected, `values of /clerk are refused: 422 {"why":"Unprocessable Entity"}`)
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}

func TestAnAmountThatMayNotExceedWhatIsOpenIsReachedWithoutAnExampleToo(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("testdata/debts.yaml")
	require.NoError(t, err)
	spec = bytes.Replace(spec, []byte(", example: {cents: 100}"), nil, 1)
	require.NotContains(t, string(spec), "example:")
	r := byDocument(t, "debts.yaml", spec, otherservers.Debts(""), conformance.Config{})
	musts, _ := ofValid(r)
	assert.Empty(t, musts, shown(t, r))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	r = byDocument(t, "debts.yaml", spec, otherservers.Debts("cents bounds"), conformance.Config{})
	assert.Contains(t, tripped(r), "newpayment-cents-minimum", shown(t, r))
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
