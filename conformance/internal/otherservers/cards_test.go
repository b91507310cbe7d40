package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerThatAppliesJSONPatchesIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "words are folded", "the front stays"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "cards.yaml", otherservers.Cards(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
			for _, x := range r.Results {
				if x.Requirement == "get-cards-cardid-json-patched" {
					assert.Equal(t, report.Pass, x.Verdict)
				}
			}
		})
	}
}

func TestWhatAJSONPatchMakesOfAThingIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"operations are not stored": "json-patched",
		"remove is ignored":         "json-patched",
		"test is ignored":           "json-patched",
		"replace clears the rest":   "json-patched",
		"refused operations stay":   "refused-unchanged",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "cards.yaml", otherservers.Cards(wrong), "get-cards-cardid/sequence/*")
			assert.Equal(t, []string{"get-cards-cardid-" + want}, tripped(r), shown(t, r))
		})
	}
}
