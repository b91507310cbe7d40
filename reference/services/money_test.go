package services_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

func TestAServerThatAppliesJSONPatchesIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "words are folded", "the front stays"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "cards.yaml", services.Cards(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			for _, x := range r.Results {
				if x.Requirement == "get-cards-cardid-json-patched" {
					assert.Equal(t, report.Pass, x.Verdict)
				}
			}
		})
	}
}

func TestWhatAJSONPatchMakesOfAThingIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"operations are not stored": "json-patched",
		"remove is ignored":         "json-patched",
		"test is ignored":           "json-patched",
		"replace clears the rest":   "json-patched",
		"refused operations stay":   "refused-unchanged",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "cards.yaml", services.Cards(wrong), "get-cards-cardid/sequence/*")
			assert.Equal(t, []string{"get-cards-cardid-" + want}, tripped(r), shown(t, r))
		})
	}
}

func TestRefusalsByRulesThatTheDocumentListsAreNoFailures(t *testing.T) {
	t.Parallel()
	r := small(t, "debts.yaml", services.Debts(""))
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
	r := byDocument(t, "debts.yaml", spec, services.Debts(""), conformance.Config{})
	musts, _ := ofValid(r)
	assert.Empty(t, musts, shown(t, r))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	r = byDocument(t, "debts.yaml", spec, services.Debts("cents bounds"), conformance.Config{})
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
			r := small(t, "debts.yaml", services.Debts(wrong))
			assert.Contains(t, tripped(r), want, shown(t, r))
		})
	}
}

func TestAServerThatPaysOnceOrRefusesToPayAgainIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "refuses to pay again"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "payments.yaml", services.Payments(odd))
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
			r := small(t, "payments.yaml", services.Payments(wrong))
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}
