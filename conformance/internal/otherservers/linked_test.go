package otherservers_test

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// accounts judges a server of accounts.yaml with a values file.
func accounts(t *testing.T, wrong, values string) *report.Report {
	t.Helper()
	spec, err := os.ReadFile("testdata/accounts.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(otherservers.Accounts(wrong))
	defer server.Close()
	r, err := conformance.Run(t.Context(), conformance.Config{Target: server.URL, Spec: spec, SpecName: "accounts.yaml",
		ValuesFile: []byte(values), ValuesName: "values.yaml", Effort: "gate", Cache: shared})
	require.NoError(t, err)
	return r
}

// frozen ties an account to a freeze.
const frozen = "freeze: {body: {target: {from: 'openAccount#/number'}}}"

func TestAThingThatOnlyLinksTieToItsMakerIsFollowedThroughItsLife(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"":                      nil,
		"opening keeps no note": {"get-accounts-number-stored-created"},
		"closed is read":        {"get-accounts-number-gone"},
		// Only an order of several operations shows these.
		"closed after a deposit is read": {"get-accounts-number-gone"},
		"change after a deposit is lost": {"get-accounts-number-stored-patched"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "accounts.yaml", otherservers.Accounts(wrong))
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}

func TestAnOperationThatTheUserTiesToAThingIsTriedBetweenItsChanges(t *testing.T) {
	t.Parallel()
	const wrong = "change after a freeze drops the note"
	assert.Equal(t, []string{"get-accounts-number-patch-leaves-rest"}, tripped(accounts(t, wrong, frozen)))
	r := accounts(t, "", frozen)
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}
