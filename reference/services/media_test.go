package services_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
	"plantstore/reference/services"
)

// scenarios are the cases about the life of a thing.
var scenarios = []string{"*/created/*", "*/replaced/*", "*/patched/*", "*/deleted/*", "*/unlisted/*", "*/repeated/*", "*/never-given/*", "*/carried-over/*"}

func TestAServerThatKeepsAlbumsInAnUnusualWayIsConformant(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"", "shows a moment later", "deleted is marked", "an id is given again", "put keeps the label"} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "albums.yaml", services.Albums(odd))
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
		"label stays for the next": {"get-albums-albumid-carried-over"},
		"put makes it":             {"put-albums-albumid-put-missing"},
		"second delete fails":      {"delete-albums-albumid-answered"},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "albums.yaml", services.Albums(wrong), scenarios...)
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}

// The way to an album leads through what made it, so none can be read.
func TestAServerThatKeepsNothingIsNotConformant(t *testing.T) {
	t.Parallel()
	r := small(t, "albums.yaml", services.Albums("keeps nothing"), scenarios...)
	assert.NotEqual(t, report.Conformant, r.Summary.Verdict)
	assert.Equal(t, []string{"get-albums-albumid-created-readable"}, tripped(r), shown(t, r))
}

func TestAFaultInTheLifeOfAnAlbumIsToldInAFewLinesAndRepeatedByAScript(t *testing.T) {
	t.Parallel()
	r := small(t, "albums.yaml", services.Albums("deleted is read"), scenarios...)
	i := slices.IndexFunc(r.Results, func(x report.Result) bool { return x.Verdict == report.Fail })
	require.GreaterOrEqual(t, i, 0, shown(t, r))
	f := r.Results[i].Failures[0]
	require.Len(t, f.Story, 4)
	assert.Regexp(t, `^addAlbum: POST /albums \{"title":"\w+"\} is answered with 201 Created \{.*"id":\d+.*\}$`, f.Story[0])
	assert.Regexp(t, `^dropAlbum: DELETE /albums/\d+ is answered with 204 No Content$`, f.Story[2])
	assert.Regexp(t, `^getAlbum: GET /albums/\d+ is answered with 200 OK .*; expected no success, because dropAlbum deleted it$`, f.Story[3])
	lines := strings.Split(f.Curl, "\n")
	require.Len(t, lines, 4, f.Curl)
	assert.Regexp(t, `^key=\$\(curl -s -X POST 'http://[^']+/albums' -H 'Content-Type: application/json' --data-binary '\{"title":"\w+"\}' \| jq -r '\.\["id"\]'\)$`, lines[0])
	assert.Regexp(t, `^curl -i -X DELETE "http://[^"]+/albums/\$key"$`, lines[2])
}

func TestAFailureInTheLifeOfAnAlbumIsReplayedFromItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "albums.yaml", services.Albums("deleted is read"), "", "*/deleted/*")
	assert.Len(t, out.Steps, 4)
	assert.Equal(t, "get-albums-albumid-gone", out.Failures[0].Requirement)
}
