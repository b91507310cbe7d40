package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestWhatHappensBelowAnEnumAndToAPartIsCompared(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"":                                  nil,
		"leaves all in the cellar":          {"get-rooms-room-shelves-name-gone"},
		"replaces nothing in the hall":      {"get-rooms-room-shelves-name-stored-replaced"},
		"has a handler of its own for HEAD": {"head-rooms-room-shelves-name-label-head-like-get"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "shelves.yaml", otherservers.Shelves(wrong))
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
			if wrong == "" {
				assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			}
		})
	}
}
