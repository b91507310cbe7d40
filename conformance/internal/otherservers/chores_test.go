package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
)

func TestAListIsJudgedByItsFiltersItsOrderAndWhatIsAdded(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"the first of several people counts": {"get-chores-filtered-who"},
		"nobody is several people":           {"get-chores-filtered-who"},
		"oldest first":                       {"get-chores-newest-first"},
		"nothing is kept":                    {"get-chores-stored-added"},
		"":                                   {},
		"who is ignored beside room":         {"get-chores-filtered-who"},
		"later pages forget the room":        {"get-chores-filtered-room"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "chores.yaml", otherservers.Chores(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}
