package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// Every PUT of a life has the code that its site was made with.
func TestTheLivesOfThingsWithAMemberThatNeverChangesAreJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{"": {}, "put keeps nothing": {"get-sites-id-stored-replaced"}} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "sites.yaml", otherservers.Sites(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
			assert.NotEqual(t, report.Incomplete, r.Summary.Verdict, shown(t, r))
		})
	}
}
