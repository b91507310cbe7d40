package services_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// accounts judges a server of accounts.yaml with a values file.
func accounts(t *testing.T, wrong, values string) *report.Report {
	t.Helper()
	return configured(t, "accounts.yaml", services.Accounts(wrong), conformance.Config{ValuesFile: []byte(values), ValuesName: "values.yaml"})
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
			r := small(t, "accounts.yaml", services.Accounts(wrong))
			assert.Equal(t, want, tripped(r), shown(t, r))
			assert.NotContains(t, scripts(r), "account=1", "the account of the script is the one that it opens")
		})
	}
}

// scripts are the commands that repeat the failures of a report.
func scripts(r *report.Report) string {
	var out strings.Builder
	for _, x := range r.Results {
		for _, f := range x.Failures {
			out.WriteString(f.Curl + "\n")
		}
	}
	return out.String()
}

func TestAnOperationThatTheUserTiesToAThingIsTriedBetweenItsChanges(t *testing.T) {
	t.Parallel()
	r := accounts(t, "change after a freeze is lost", frozen)
	assert.Equal(t, []string{"get-accounts-number-stored-patched"}, tripped(r), shown(t, r))
	assert.Contains(t, scripts(r), `--data-binary '{"target":'"$key"'}'`)
	r = accounts(t, "", frozen)
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
}
