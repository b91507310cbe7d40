package formats_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestEachReplayedFailureIsOneLineThatSaysWhatBecameOfIt(t *testing.T) {
	x := report.Replayed{N: 1, Requirement: "thing-size", Level: report.Must, Case: "a/b/0", Sent: `size = "7"`, Was: "200 OK"}
	for want, change := range map[string]func(*report.Replayed){
		`FIXED       thing-size (MUST) a/b/0: sent size = "7"; got 200 OK before`: func(x *report.Replayed) { x.Outcome = report.Fixed },
		`STILL FAILS thing-size (MUST) a/b/0 at api/things.yaml:7: sent size = "7"; got 200 OK`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.Got, x.Place = report.StillFails, "thing-size", "200 OK", &report.Place{File: "api/things.yaml", Line: 7}
		},
		`STILL FAILS thing-size (MUST) a/b/0, a known failure: sent size = "7"; got 204, before 200 OK; it now breaks thing-label`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.Got, x.Known = report.StillFails, "thing-label", "204", true
		},
		`CHANGED     thing-size (MUST) a/b/0: it fails thing-answered (SHOULD) now: got 500 \x1b[2J, before 200 OK`: func(x *report.Replayed) {
			x.Outcome, x.Fails, x.FailsLevel, x.Got = report.Changed, "thing-answered", report.Should, "500 \x1b[2J"
		},
		`NOT TRIED   thing-size (MUST) a/b/0: no answer`: func(x *report.Replayed) { x.Outcome, x.Reason = report.NotTried, "no answer" },
	} {
		y := x
		change(&y)
		var b bytes.Buffer
		require.NoError(t, formats.ReplayedLine(&b, y, formats.Options{}))
		assert.Equal(t, want+"\n", b.String())
	}
}

func TestTheLastLineOfAReplayCountsEveryOutcome(t *testing.T) {
	of := func(list ...report.ReplayOutcome) *report.Replay {
		r := &report.Replay{}
		for _, o := range list {
			r.Failures = append(r.Failures, report.Replayed{Outcome: o, Gates: o == report.StillFails})
		}
		return r
	}
	for want, r := range map[string]*report.Replay{
		"the report has no failures: nothing was sent":                      of(),
		"2 failures: 2 fixed":                                               of(report.Fixed, report.Fixed),
		"5 failures: 1 fixed, 2 still fail, 1 fails otherwise, 1 not tried": of(report.StillFails, report.Fixed, report.NotTried, report.StillFails, report.Changed),
		"4 failures: 1 still fails, 2 fail otherwise, 1 not tried":          of(report.Changed, report.StillFails, report.Changed, report.NotTried),
		"1 failure: 1 still fails":                                          of(report.StillFails),
	} {
		var b bytes.Buffer
		require.NoError(t, formats.ReplaySummary(&b, r, formats.Options{}))
		assert.Equal(t, want+"\n", b.String())
	}
	var b bytes.Buffer
	require.NoError(t, formats.ReplaySummary(&b, of(report.Fixed, report.NotTried), formats.Options{Colour: true}))
	assert.NotContains(t, b.String(), "\x1b[32m", "what was not tried is never green")
}
