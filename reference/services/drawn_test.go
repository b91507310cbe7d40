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

// changes are the cases that change one thing several times, beside those that change it
// once.
var changes = append([]string{"*/drawn/*", "*/refused/*"}, scenarios...)

func TestWhatOnlySeveralChangesShowIsToldInAsFewStepsAsShowIt(t *testing.T) {
	t.Parallel()
	r := small(t, "albums.yaml", services.Albums("second patch keeps nothing"), changes...)
	assert.Equal(t, []string{"get-albums-albumid-stored-patched"}, tripped(r), shown(t, r))
	i := slices.IndexFunc(r.Results, func(x report.Result) bool { return x.Verdict == report.Fail })
	require.GreaterOrEqual(t, i, 0)
	require.Len(t, r.Results[i].Failures, 1)
	f := r.Results[i].Failures[0]
	assert.True(t, f.Minimal)
	require.Len(t, f.Story, 4, "two patches are enough")
	assert.Contains(t, f.Story[1], "PATCH /albums/")
	assert.Contains(t, f.Story[2], "PATCH /albums/")
	assert.Len(t, strings.Split(f.Curl, "\n"), 4)
}

func TestAFailureThatWasMadeSmallerIsReplayedFromItsReport(t *testing.T) {
	t.Parallel()
	out := replayed(t, "albums.yaml", services.Albums("second patch keeps nothing"), "", "*/drawn/*")
	assert.Len(t, out.Steps, 4)
	assert.Equal(t, "get-albums-albumid-stored-patched", out.Failures[0].Requirement)
}

func TestAFaultThatOneChangeShowsIsNotReportedForSeveralAgain(t *testing.T) {
	t.Parallel()
	for wrong, want := range map[string]string{"patch keeps nothing": "stored-patched", "put keeps nothing": "stored-replaced", "patch drops the rest": "patch-leaves-rest"} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			r := small(t, "albums.yaml", services.Albums(wrong), changes...)
			assert.Equal(t, []string{"get-albums-albumid-" + want}, tripped(r), shown(t, r))
			i := slices.IndexFunc(r.Results, func(x report.Result) bool { return x.Verdict == report.Fail })
			assert.NotContains(t, r.Results[i].Failures[0].Case, "/drawn/")
		})
	}
}

func TestAStateThatALaterChangeBringsBackIsFoundUnlessTheAnswerSaysSo(t *testing.T) {
	t.Parallel()
	for odd, want := range map[string][]string{"edit brings back the draft": {"get-articles-articleid-patch-leaves-rest"}, "edit makes a draft and says so": nil} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			r := small(t, "articles.yaml", services.Articles(odd))
			assert.Equal(t, want, tripped(r), shown(t, r))
		})
	}
}
