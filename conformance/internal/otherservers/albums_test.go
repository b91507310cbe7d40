package otherservers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

// lives are the cases about the life of a thing.
var lives = []string{"*/created/*", "*/replaced/*", "*/patched/*", "*/deleted/*", "*/unlisted/*", "*/repeated/*", "*/never-given/*"}

func TestAServerThatKeepsAlbumsInAnUnusualWayIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "shows a moment later", "deleted is marked", "put keeps the label"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "albums.yaml", otherservers.Albums(odd))
			assert.Equal(t, report.Conformant, r.Summary.Verdict, shown(t, r))
			assert.Empty(t, tripped(r), shown(t, r))
		})
	}
}

func TestWhatSeveralRequestsSayOfOneAlbumIsJudged(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string][]string{
		"keeps another title":      {"get-albums-albumid-stored-created"},
		"put keeps nothing":        {"get-albums-albumid-stored-replaced"},
		"put answers with the old": {"get-albums-albumid-stored-replaced"},
		"patch keeps nothing":      {"get-albums-albumid-stored-patched"},
		"patch drops the rest":     {"get-albums-albumid-patch-leaves-rest"},
		"delete keeps it":          {"get-albums-albumid-gone"},
		"deleted is read":          {"get-albums-albumid-gone"},
		"deleted is listed":        {"get-albums-unlisted"},
		"an album for any id":      {"get-albums-albumid-never-given"},
		"second delete fails":      {"delete-albums-albumid-answered"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "albums.yaml", otherservers.Albums(wrong), lives...)
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}

// The way to an album leads through what made it, so none can be read.
func TestAServerThatKeepsNothingIsNotConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "albums.yaml", otherservers.Albums("keeps nothing"), lives...)
	assert.NotEqual(t, report.Conformant, r.Summary.Verdict)
	assert.Equal(t, []string{"get-albums-albumid-created-readable"}, tripped(r), shown(t, r))
}
