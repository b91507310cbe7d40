package services_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// wrongs says what is done wrong and which requirement that breaks.
type wrongs map[string]string

// TestTheKeywordThatAServerForgetsIsTheOneThatIsNamed leaves out the cases that
// say nothing about keywords, for time.
func TestTheKeywordThatAServerForgetsIsTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	orders := []string{"*/not-json/*", "*/sequence/*", "*/credential/*", "*/may-refuse/*"}
	each(t, "orders.yaml", services.Orders, orders, wrongs{
		"order closed":       "neworder-additional-properties",
		"sku required":       "neworder-lines-items-sku-required",
		"reference uuid":     "neworder-reference-uuid",
		"label string":       "neworder-labels-items-string",
		"country pattern":    "neworder-customer-country-pattern",
		"lines many":         "neworder-lines-max-items",
		"labels unique":      "neworder-labels-unique-items",
		"quantity high":      "neworder-lines-items-quantity-maximum",
		"quantity integer":   "neworder-lines-items-quantity-integer",
		"pack multiple":      "neworder-lines-items-pack-multiple-of",
		"discount high":      "neworder-lines-items-discount-exclusive-maximum",
		"gift boolean":       "neworder-lines-items-gift-boolean",
		"priority enum":      "neworder-priority-enum",
		"only low priority":  "neworder-priority-accepted",
		"answer number text": "order-number-integer",
		"refusal 400":        "post-orders-422-status",
	})
	readings := []string{"post-*/not-json/*", "post-*/sequence/*", "post-*/may-refuse/*"}
	each(t, "readings.yaml", services.Readings, readings, wrongs{
		"value low":              "reading-value-minimum",
		"value high":             "reading-value-exclusive-maximum",
		"only whole values":      "reading-value-accepted",
		"level int32":            "reading-level-int32",
		"null refused":           "reading-note-accepted",
		"refusal without reason": "failure-reason-required",
		"state without healthy":  "state-healthy-required",
		"deleted with 200":       "delete-readings-default-media-type",
	})
}

// Those conditions that a member or an item brings in are no less named.
func TestTheConditionThatAServerForgetsIsTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	each(t, "parcels.yaml", services.Parcels, []string{"*/not-json/*", "*/sequence/*", "*/may-refuse/*"}, wrongs{
		"weight required":  "parcel-then-weight-required",
		"pages required":   "parcel-else-pages-required",
		"address required": "parcel-with-card-address-required",
		"limit high":       "parcel-with-card-limit-maximum",
		"codes few":        "parcel-codes-contains",
		"codes many":       "parcel-codes-contains",
		"pair sealed":      "parcel-pair-unevaluated-items",
		"parcel sealed":    "parcel-unevaluated-properties",
		"x integer":        "parcel-x-integer",
	})
}

// Any name that fits the pattern may be refused for what it names.
func TestARefusalOfMembersWithAnyNameIsSuspectedUnlessValidRequestsAreAccepted(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile("../../testdata/openapi/parcels.yaml")
	require.NoError(t, err)
	only := []string{"*/valid/*"}
	r := byDocument(t, "parcels.yaml", spec, services.Parcels("x refused"), conformance.Config{Only: only})
	musts, suspected := ofValid(r)
	assert.Empty(t, musts, shown(t, r))
	assert.Subset(t, suspected, []string{"post-parcels-undocumented-rule", `values of /* are refused: 400 {"why":"x refused"}`})
	r = byDocument(t, "parcels.yaml", spec, services.Parcels("x refused"), conformance.Config{Only: only, Requirements: []byte("valid: accepted")})
	assert.Equal(t, []string{"post-parcels-valid-accepted"}, tripped(r), shown(t, r))
}

func TestAForgottenCredentialOrGrammarIsNamedAmongAllCases(t *testing.T) {
	t.Parallel()
	each(t, "orders.yaml", services.Orders, nil, wrongs{
		"key required": "deskkey-required",
		"key right":    "deskkey-token",
		"body json":    "post-orders-body-json",
	})
	each(t, "desk.yaml", services.Desk, nil, wrongs{
		"credential required": "bearer-required",
		"title long":          "note-title-max-length",
		"form":                "post-notes-application-x-www-form-urlencoded-body-title-required",
	})
}

// each judges one server for each thing done wrong.
func each(t *testing.T, document string, handler func(string) http.Handler, skip []string, list wrongs) {
	for wrong, requirement := range list {
		t.Run(document+"/"+wrong, func(t *testing.T) {
			t.Parallel()
			r := judged(t, document, handler(wrong), skip...)
			assert.Equal(t, []string{requirement}, tripped(r), shown(t, r))
			assert.Equal(t, report.NotConformant, r.Summary.Verdict)
		})
	}
}
