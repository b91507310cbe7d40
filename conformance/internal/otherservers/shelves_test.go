package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestWhatHappensBelowAnEnumAndToAPartIsCompared(t *testing.T) {
	t.Parallel()
	r := small(t, "shelves.yaml", otherservers.Shelves(false))
	assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
	assert.Empty(t, tripped(r), shown(t, r))
	r = small(t, "shelves.yaml", otherservers.Shelves(true))
	want := []string{"get-rooms-room-shelves-name-stored-replaced", "get-rooms-room-shelves-name-gone", "head-rooms-room-shelves-name-label-head-like-get"}
	assert.ElementsMatch(t, want, tripped(r), shown(t, r))
}
