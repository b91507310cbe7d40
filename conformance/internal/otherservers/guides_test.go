package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// kept are the cases about what is stored of a value.
var kept = []string{"*/created/*", "*/added/*", "*/replaced/*"}

func TestAServerThatStoresASpellingOfAValueIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "titles are trimmed", "tags are sorted", "put keeps the tags", "shown is true", "titles are in small letters", "comments wait"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "guides.yaml", otherservers.Guides(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAValueThatTheAnswerAndTheStoreHaveWrongIsFound(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{
		"views are doubles":     "get-guides-guideid-stored-created",
		"labels are emptied":    "get-guides-guideid-stored-created",
		"titles are in Latin":   "get-guides-guideid-stored-created",
		"comments are not kept": "get-guides-guideid-comments-stored-added",
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "guides.yaml", otherservers.Guides(wrong), kept...)
			assert.Equal(t, []string{want}, tripped(r), shown(t, r))
		})
	}
}

func TestAWrongBoundOfASchemaThatSeveralOperationsShareIsOneFailure(t *testing.T) {
	t.Parallel()
	r := small(t, "guides.yaml", otherservers.Guides("titles may have 65 letters"), "*/invalid/*")
	assert.Equal(t, []string{"newguide-title-max-length"}, tripped(r), shown(t, r))
}
