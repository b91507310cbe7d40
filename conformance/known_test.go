package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// without serves pages without their total, which is a failed MUST.
func without(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("[]"))
}

func TestAKnownFailureDoesNotFailTheRunUntilItsEntryNoLongerHolds(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const failing, passing = "get-pages-200-header-x-total-required", "get-pages-200-304-status"
	entry := func(id, more string) string { return "- {requirement: '" + id + "', reason: known" + more + "}\n" }
	finding := func(id, more string) string { return "- {finding: " + id + ", reason: known" + more + "}\n" }
	id := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1}).Findings[0].ID
	kind, _, found := strings.Cut(id, "-")
	require.True(t, found, id)
	for name, row := range map[string]struct {
		file string
		want report.Outcome
		why  []string // the lines that are out of date
	}{
		"the failure":                 {entry(failing, ""), report.OnlyKnown, nil},
		"a pattern that fits":         {entry("*-total-req*", ""), report.OnlyKnown, nil},
		"no entry":                    {"# none\n", report.NotConformant, nil},
		"another entry":               {entry(passing, ""), report.NotConformant, []string{passing + " passes now"}},
		"one that passes":             {entry(failing, "") + entry(passing, ""), report.OutOfDate, []string{passing + " passes now"}},
		"one that matches nothing":    {entry(failing, "") + entry("get-page-*", ""), report.OutOfDate, []string{"matches no requirement"}},
		"one that says too much":      {entry("get-pages-200-*", ""), report.OutOfDate, []string{"also matches get-pages-200-304-status and 3 more, which pass"}},
		"the finding":                 {finding(id, ""), report.OnlyKnown, nil},
		"its kind":                    {finding(kind, ""), report.OnlyKnown, nil},
		"a fault that is gone":        {finding(id, "") + finding("a1b2c3d4", ""), report.OutOfDate, []string{"is no finding now"}},
		"a finding, the day after":    {finding(id, ", expires: 2030-06-14"), report.OutOfDate, []string{"expired on 2030-06-14"}},
		"a finding and another entry": {finding(id, "") + entry(passing, ""), report.OutOfDate, []string{passing + " passes now"}},
		"the last day":                {entry(failing, ", expires: 2030-06-15"), report.OnlyKnown, nil},
		"the day after":               {entry(failing, ", expires: 2030-06-14"), report.OutOfDate, []string{"expired on 2030-06-14"}},
	} {
		r := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, KnownFailures: []byte(row.file),
			KnownFailuresName: "known.yaml", Today: time.Date(2030, 6, 15, 23, 0, 0, 0, time.UTC)})
		assert.Equal(t, row.want, r.Summary.Verdict, name)
		var why []string
		for _, e := range r.KnownFailures.OutOfDate {
			why = append(why, e.Why)
		}
		assert.Equal(t, row.why, why, name)
		for _, x := range r.Results {
			assert.Equal(t, x.Requirement == failing, x.Verdict == report.Fail, "%s: %s is judged as without a file", name, x.Requirement)
			hidden := x.Verdict == report.Inconclusive // by the failure
			assert.Equal(t, (x.Requirement == failing || hidden) && row.want != report.NotConformant, x.Known != nil, "%s: %s", name, x.Requirement)
		}
	}
}

func TestAnEntryAboutWhatIsNotSelectedSaysNothing(t *testing.T) {
	t.Parallel()
	r := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, Only: []string{"get-pages-200-304-status"},
		KnownFailures: []byte("- {requirement: get-pages-200-header-x-total-required, reason: known}")})
	assert.Equal(t, report.Conformant, r.Summary.Verdict)
	assert.Empty(t, r.KnownFailures.OutOfDate)
	r = judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, Only: []string{"get-pages-200-304-status"},
		KnownFailures: []byte("- {finding: a1b2c3d4, reason: known}")})
	assert.Equal(t, report.Conformant, r.Summary.Verdict)
	assert.Empty(t, r.KnownFailures.OutOfDate)
}

func TestAFindingOfTheFileThatIsSeenFirstDoesNotEndARun(t *testing.T) {
	t.Parallel()
	c := conformance.Config{Spec: []byte(pages), Draws: -1}
	c.KnownFailures = []byte("- {finding: " + judgeServer(t, http.HandlerFunc(without), c).Findings[0].ID + ", reason: known}")
	c.FailFast = true
	assert.Equal(t, report.OnlyKnown, judgeServer(t, http.HandlerFunc(without), c).Summary.Verdict)
}

func TestABadFileOfKnownFailuresIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Config{Target: "http://127.0.0.1:1", Spec: []byte(pages), KnownFailures: []byte("a: b")})
	var setup *conformance.SetupError
	require.ErrorAs(t, err, &setup)
	assert.EqualError(t, err, "known failures:1:1: the file is a mapping: write a list of entries with requirement or finding, and reason")
}
