package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
)

func TestExitCodeOfAReplayedReportIsThatOfWhatIsLeft(t *testing.T) {
	d := newDesk().answer(report.NotConformant)
	path := filepath.Join(t.TempDir(), "r.json")
	require.Equal(t, exitNotConformant, d.exec("run", target, "--report", "json="+path))
	for _, x := range []struct {
		want exitCode
		list []report.Replayed
	}{
		{exitConformant, nil},
		{exitConformant, []report.Replayed{{Outcome: report.Fixed}, {Outcome: report.StillFails, Level: report.Should}}},
		{exitNotConformant, []report.Replayed{{Outcome: report.NotTried}, {Outcome: report.StillFails, Gates: true}}},
		{exitNotConformant, []report.Replayed{{Outcome: report.Changed, Gates: true}}},
		{exitIncomplete, []report.Replayed{{Outcome: report.Fixed}, {Outcome: report.NotTried}}},
	} {
		d.replays = x.list
		assert.Equal(t, x.want, d.exec("replay", path, "thing-*", target), d.stderr.String())
		assert.Equal(t, "all of thing-*", d.asked)
	}
}

func TestAReportChoosesATargetOnThisMachineOnly(t *testing.T) {
	for host, want := range map[string]bool{
		"http://localhost:8080": true, "http://127.0.0.1:1/base": true, "http://[::1]:8080": true,
		"http://192.0.2.1": false, "https://api.example.com": false, "http://localhost.example.com": false, "http://127.0.0.1.example.com": false,
		"": false, "::": false, "http://user@example.com#@localhost": false, "http://[::1": false,
	} {
		var o targetOptions
		err := o.ownOf(&report.Report{Header: report.Header{Target: host}})
		assert.Equal(t, want, err == nil, host)
		assert.Equal(t, want, o.own(), host)
	}
	own := "http://mine"
	o := targetOptions{Target: &own}
	require.NoError(t, o.ownOf(&report.Report{Header: report.Header{Target: "http://localhost"}}))
	assert.Equal(t, "http://mine", *o.Target)
	o = targetOptions{}
	require.NoError(t, o.ownOf(&report.Report{Header: report.Header{Target: "http://localhost", Embedded: true}}))
	assert.False(t, o.own())
}
