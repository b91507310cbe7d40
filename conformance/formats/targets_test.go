package formats_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// apart is a comparison of two targets with a little of everything.
func apart() *report.TargetDiff {
	side := report.DiffSide{Target: "http://a", Document: "Thing Store 1.0.0 (things.yaml)", Verdict: report.Conformant}
	return &report.TargetDiff{Version: 1, A: side, B: side, Differ: []string{"dataset generation 0, then 1"}, Gates: true,
		Verdicts: []report.Change{
			{Requirement: "thing-size", Level: report.Must, Was: report.Pass, Is: report.Fail, Sent: `size = "7"`, Got: "200 OK, \x1b[2J", Gates: true},
			{Requirement: "thing-label", Level: report.Should, Was: report.Fail, Is: report.Pass, Sent: "label = 1", WasGot: "500"},
			{Requirement: "thing-seen", Level: report.Must, Was: report.Pass, Is: report.Inconclusive, Reason: "no answer"}},
		Answers: []report.AnswersDiffer{{Class: "a/b", Case: "a/b/0", A: "200 OK", B: "no answer", Requests: 2, Status: true}},
		Observed: []report.ObservedChange{{Requirement: "open-size", Changes: []report.AnswerChange{
			{Was: []string{"200 OK"}, Is: []string{"400", "500"}}}}},
	}
}

func TestWhereTargetsDifferIsAsRecorded(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.TargetsText(&b, apart(), formats.Options{}))
	golden(t, "targets.txt", b.Bytes())
	assert.NotContains(t, b.String(), "\x1b")
	b.Reset()
	require.NoError(t, formats.TargetsJSON(&b, apart()))
	golden(t, "targets.json", b.Bytes())
}

func TestTargetsThatDifferInNothingThatCountsAreSaidToBe(t *testing.T) {
	for want, change := range map[string]func(*report.TargetDiff){
		"different, but in nothing that makes a run fail": func(d *report.TargetDiff) { d.Verdicts, d.Gates = d.Verdicts[1:], false },
		"no difference": func(d *report.TargetDiff) { *d = report.TargetDiff{A: d.A, B: d.B} },
	} {
		d := apart()
		change(d)
		var b bytes.Buffer
		require.NoError(t, formats.TargetsText(&b, d, formats.Options{}))
		assert.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n"+want+"\n")), b.String())
	}
}
