package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerThatRefusesWhatTheDocumentSaysInEachStateIsConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "ballots.yaml", otherservers.Ballots(""))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
}

func TestWhatBreaksASentenceOfTheDocumentIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"opening":  "post-ballots-ballotid-open-state-refused",
		"closing":  "post-ballots-ballotid-close-state-refused",
		"deletion": "delete-ballots-ballotid-state-refused",
		"note":     "get-ballots-ballotid-replaced-members",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "ballots.yaml", otherservers.Ballots(wrong))
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}
