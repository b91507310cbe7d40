package main

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

func TestListPrintsTextOrJSON(t *testing.T) {
	d := newDesk()
	require.Equal(t, exitConformant, d.exec("list"))
	assert.Contains(t, d.stdout.String(), "thing-size   MUST        3  A size is a number.")
	d = newDesk()
	require.Equal(t, exitConformant, d.exec("list", "--format", "json"))
	assert.Contains(t, d.stdout.String(), `"requirement": "thing-size"`)
}

func TestExplainPrintsARequirement(t *testing.T) {
	d := newDesk()
	require.Equal(t, exitConformant, d.exec("explain", "thing-size"))
	assert.Equal(t, "thing-size", d.asked)
	assert.Contains(t, d.stdout.String(), "Check it.")
}

func TestVersionIsOneLine(t *testing.T) {
	d := newDesk()
	require.Equal(t, exitConformant, d.exec("version"))
	line := `^conformance \S+, report version 1, go\S+\n$`
	assert.Regexp(t, line, d.stdout.String())
	for _, args := range [][]string{{"--version"}, {"run", "--version"}} {
		d = newDesk()
		require.Equal(t, exitConformant, d.exec(args...))
		assert.Regexp(t, line, d.stdout.String())
	}
}

func TestTheVersionIsThatOfTheBuildOrElseOfTheSource(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3": "v1.2.3", "v0.1.1-0.20261123090000-ca7f748b0f55+dirty": "v0.1.1-0.20261123090000-ca7f748b0f55+dirty",
		"(devel)": "v" + conformance.Release + "-devel", "": "v" + conformance.Release + "-devel"} {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		assert.True(t, strings.HasPrefix(versionLine(info), "conformance "+want+", report version 1, go"), versionLine(info))
	}
	assert.Contains(t, versionLine(nil), "-devel, ")
}

func TestReplayTakesACaseOrAFailureOfAReport(t *testing.T) {
	d := newDesk().answer(report.NotConformant)
	path := filepath.Join(t.TempDir(), "r#1.json")
	require.Equal(t, exitNotConformant, d.exec("run", target, "--report", "json="+path))
	for arg, want := range map[string]string{"thing-size/0": "thing-size/0", "odd#1": "odd#1", path + "#1": "bytes of thing-size/0"} {
		require.Equal(t, exitConformant, d.exec("replay", arg, target), d.stderr.String())
		assert.Equal(t, want, d.asked)
	}
	assert.Equal(t, exitUsage, d.exec("replay", path+"#2", target))
	assert.Contains(t, d.stderr.String(), "has no failure 2")
	d.stderr.Reset()
	assert.Equal(t, exitUsage, d.exec("replay", keep(t, "x.json", "<html>")+"#1", target))
	assert.Contains(t, d.stderr.String(), "not JSON at byte 0: write one with --report json=FILE")
	line(t, d.stderr.String())
}

func TestExitCodeOfAReplayIsThatOfTheCase(t *testing.T) {
	for want, tr := range map[exitCode]report.Transcript{
		exitConformant:    {Failures: []report.Result{{Requirement: "x", Level: report.Should}}},
		exitNotConformant: {Failures: []report.Result{{Requirement: "x", Level: report.Must}}, Reason: "late"},
		exitIncomplete:    {Reason: "no answer"},
	} {
		d := newDesk()
		d.engine.replay = func(context.Context, conformance.Config, string) (*report.Transcript, error) { return &tr, nil }
		assert.Equal(t, want, d.exec("replay", "x", target))
	}
}

func TestErrorsOfTheEngineReachTheUser(t *testing.T) {
	d := newDesk()
	broken := &conformance.SetupError{Err: assert.AnError}
	d.engine.list = func(context.Context, conformance.Config) (*report.Listing, error) { return nil, broken }
	d.engine.explain = func(context.Context, conformance.Config, string) (*report.Explanation, error) { return nil, broken }
	d.engine.replay = func(context.Context, conformance.Config, string) (*report.Transcript, error) { return nil, broken }
	for _, args := range []string{"list", "explain x", "replay x"} {
		d.stderr.Reset()
		assert.Equal(t, exitUsage, d.exec(strings.Fields(args)...))
		assert.Contains(t, d.stderr.String(), assert.AnError.Error())
	}
}
