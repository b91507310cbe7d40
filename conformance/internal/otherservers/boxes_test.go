package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestAServerThatReadsKeysInAnUnusualWayIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "wrong keys are bad requests", "blanks are trimmed", "letters of any case in seals", "any base"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "boxes.yaml", otherservers.Boxes(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestAThingThatIsFoundUnderAKeyLikeItsOwnIsReported(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"only the beginning of a key is read":    {"get-boxes-boxid-path-boxid-integer", "get-labels-labelid-path-labelid-pattern", "get-seals-sealid-path-sealid-uuid", "get-notes-noteid-never-given"},
		"only the beginning of a key is dropped": {"delete-boxes-boxid-path-boxid-integer", "delete-labels-labelid-path-labelid-pattern", "delete-seals-sealid-path-sealid-uuid"},
		"other letters":                          {"get-labels-labelid-path-labelid-pattern"},
		"32 bits":                                {"get-boxes-boxid-never-given"},
		"half a key":                             {"get-seals-sealid-never-given"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "boxes.yaml", otherservers.Boxes(wrong), "*/like-given/*")
			assert.ElementsMatch(t, want, tripped(r), shown(t, r))
		})
	}
}

func TestAKeyLikeThatOfTheThingIsReplayedFromItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "boxes.yaml", otherservers.Boxes("only the beginning of a key is read"), "", "get-boxes-boxid/*/like-given/*")
	assert.Len(t, out.Steps, 3)
	assert.Equal(t, "get-boxes-boxid-path-boxid-integer", out.Failures[0].Requirement)
}
