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
		err := o.ownOf(&report.Report{Header: report.Header{Target: host}}, nil)
		assert.Equal(t, want, err == nil, host)
		assert.Equal(t, want, o.own(), host)
	}
	own := "http://mine"
	o := targetOptions{Target: &own}
	require.NoError(t, o.ownOf(&report.Report{Header: report.Header{Target: "http://localhost"}}, []string{"CONFORMANCE_TOKEN=secret"}))
	assert.Equal(t, "http://mine", *o.Target)
	o = targetOptions{}
	require.NoError(t, o.ownOf(&report.Report{Header: report.Header{Target: "http://localhost", Embedded: true}}, []string{"CONFORMANCE_TOKEN=secret"}))
	assert.False(t, o.own())
}

func TestACredentialGoesOnlyToATargetThatTheUserNames(t *testing.T) {
	text := "secret"
	plain := &report.Report{Header: report.Header{Target: "http://localhost:8080"}}
	withToken := &report.Report{Header: plain.Header, Results: []report.Result{{Failures: []report.Failure{{Steps: []report.Step{
		{Request: report.Bytes{Data: []byte("GET / HTTP/1.1\r\nAuthorization: Bearer $CONFORMANCE_TOKEN\r\n\r\n")}}}}}}}}
	for name, x := range map[string]struct {
		o       targetOptions
		r       *report.Report
		environ []string
	}{
		"token":       {targetOptions{accessOptions: accessOptions{Token: &text}}, plain, nil},
		"token file":  {targetOptions{accessOptions: accessOptions{TokenFile: &text}}, plain, nil},
		"auth":        {targetOptions{accessOptions: accessOptions{Login: authOptions{Auth: []named{{"a", "b"}}}}}, plain, nil},
		"header":      {targetOptions{accessOptions: accessOptions{Header: []header{"Cookie: a=b"}}}, plain, nil},
		"variable":    {targetOptions{}, plain, []string{"CONFORMANCE_TOKEN=secret"}},
		"of a scheme": {targetOptions{}, plain, []string{"CONFORMANCE_AUTH_KEY=secret"}},
		"of a second": {targetOptions{}, plain, []string{"CONFORMANCE_AUTH_OTHER_KEY=secret"}},
		"report":      {targetOptions{}, withToken, nil},
	} {
		require.ErrorContains(t, x.o.ownOf(x.r, x.environ), "a credential goes only to a server that you name: to send there, add --target http://localhost:8080", name)
		assert.False(t, x.o.own(), name)
	}
	var o targetOptions
	require.NoError(t, o.ownOf(plain, []string{"CONFORMANCE_TOKEN=", "PATH=x"}))
	assert.Equal(t, plain.Header.Target, *o.Target)
}
