package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// A PUT that creates lets the suite choose what it is about: no case meets what another one
// deletes, and the drawer of the example stays.
func TestAServerWhoseClientNamesTheDrawersIsConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "drawers.yaml", otherservers.Drawers(""))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
}

func TestWhatAPutOfADrawerSaysIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"makes without saying so":           {"put-drawers-name-put-creates"},
		"replaces what was only to be made": {"put-drawers-name-create-only"},
		"asterisk":                          {"put-drawers-name-header-if-none-match-enum"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "drawers.yaml", otherservers.Drawers(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}
