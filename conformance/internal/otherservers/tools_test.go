package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerWhoseThingsAreOnlySearchedForIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "deleted is marked"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "tools.yaml", otherservers.Tools(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestADeletedThingThatASearchStillFindsIsReported(t *testing.T) {
	t.Parallel()
	r := small(t, "tools.yaml", otherservers.Tools("deleted is found"), "*/unlisted/*")
	assert.Equal(t, []string{"get-tools-findbyowner-unlisted"}, tripped(r), shown(t, r))
}
