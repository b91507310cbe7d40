package formats_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// changed is a diff with a little of everything.
func changed() *report.Diff {
	side := report.DiffSide{Tool: "conformance test", Target: "http://127.0.0.1:8080", Document: "Thing Store 1.0.0 (things.yaml)", Digest: "00ff", Verdict: report.Conformant}
	d := &report.Diff{Version: 1, Old: side, New: side, Differ: []string{"seed 1, then 7"}, Worse: true,
		NewlyFailing: []report.Change{{Requirement: "thing-size-type", Level: report.Must, Sentence: "A size is a number.", Was: report.Pass, Is: report.Fail,
			Sent: `size = "7"`, Got: "200 OK, \x1b[2J", Replay: "conformance replay a/0", Gates: true}},
		Fixed: []report.Change{{Requirement: "thing-label", Level: report.Should, Was: report.Fail, Is: report.Pass, WasGot: "500"}},
		StillFailing: []report.Change{{Requirement: "same", Level: report.Must, Was: report.Fail, Is: report.Fail, Sent: "a", WasGot: "500", Got: "500", Replay: "conformance replay b/0"},
			{Requirement: "other", Level: report.Must, Was: report.Fail, Is: report.Fail, Sent: "a", WasGot: "500", Got: "no answer"}},
		Observed: []report.ObservedChange{{Requirement: "open-size", Changes: []report.AnswerChange{
			{Was: []string{"200 OK"}, Is: []string{"400", "500"}, Kinds: []string{"size/empty", "size/long", "size/zero"}}, {Was: []string{"a"}, Is: []string{"b"}}}}},
		Latency: []report.LatencyChange{{Percentile: "p50", Was: 12300000, Is: 52345678}, {Percentile: "p90", Was: 1e9, Is: 2e6}},
	}
	d.New.Verdict = report.NotConformant
	for i := range 12 {
		d.NoLongerTried = append(d.NoLongerTried, report.Change{Requirement: fmt.Sprintf("thing-%d", i), Level: report.Must, Was: report.Pass, Reason: "not selected: only b*", Gates: true})
	}
	d.NoLongerTried = append(d.NoLongerTried, report.Change{Requirement: "parallel", Level: report.Must, Was: report.Fail, Is: report.Inconclusive, Reason: "no answer", Gates: true},
		report.Change{Requirement: "left", Level: report.Must, Was: report.Pass, Reason: "the new document does not have it"})
	return d
}

func TestWhatChangedIsAsRecorded(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.DiffText(&b, changed(), formats.Options{}))
	golden(t, "diff.txt", b.Bytes())
	assert.NotContains(t, b.String(), "\x1b")
	b.Reset()
	require.NoError(t, formats.DiffJSON(&b, changed()))
	golden(t, "diff.json", b.Bytes())
}

func TestTheLastLineOfADiffSaysWhetherItIsWorse(t *testing.T) {
	one := []report.Change{{Requirement: "a", Level: report.Should}}
	for want, d := range map[string]*report.Diff{
		"not worse: no requirement newly fails, is fixed, or is no longer tried": {StillFailing: one},
		"not worse: what changed does not make a run fail":                       {NewlyFailing: one, Fixed: one},
		"better: 1 requirement fixed":                                            {Fixed: one, StillFailing: one},
	} {
		var b bytes.Buffer
		require.NoError(t, formats.DiffText(&b, d, formats.Options{}))
		assert.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n"+want+"\n")), b.String())
	}
}
