package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestExitCodeIsThatOfTheVerdict(t *testing.T) {
	for o, want := range map[report.Outcome]exitCode{
		report.Conformant: 0, report.NotConformant: 1, report.Incomplete: 3, "": 3,
	} {
		d := newDesk().answer(o)
		assert.Equal(t, want, d.exec("run", target), o)
		assert.Empty(t, d.stderr.String(), "the report tells the verdict, standard error stays quiet")
	}
}

func TestKindsOfErrorsHaveTheirExitCode(t *testing.T) {
	setup := &conformance.SetupError{Err: errors.New("pattern x matches nothing: see conformance list")}
	for want, errs := range map[exitCode][]error{
		exitConformant:    {nil, errors.Join(nil, nil)},
		exitNotConformant: {errNotConformant, errors.Join(io.ErrClosedPipe, errNotConformant, errIncomplete)},
		exitUsage:         {usagef("hint", "what"), setup, fmt.Errorf("run: %w", setup)},
		exitIncomplete:    {errIncomplete, io.ErrClosedPipe, context.Canceled},
	} {
		for _, err := range errs {
			assert.Equal(t, want, codeOf(err), "%v", err)
		}
	}
}

func TestASetUpErrorOfTheEngineIsOneLineAndLeavesNoReport(t *testing.T) {
	d := newDesk()
	d.engine.run = func(context.Context, conformance.Config) (*report.Report, error) {
		return nil, &conformance.SetupError{Err: errors.New("no token:\x1b give one")}
	}
	dir := t.TempDir()
	assert.Equal(t, exitUsage, d.exec("run", target, "--report", "json="+filepath.Join(dir, "r.json")))
	assert.Equal(t, "conformance: no token:\\x1b give one\n", d.stderr.String())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestTheFirstLineIsPrintedBeforeTheRunEndsAndOnce(t *testing.T) {
	d := newDesk()
	run := d.engine.run
	var early string
	d.engine.run = func(ctx context.Context, c conformance.Config) (*report.Report, error) {
		defer func() { early = d.stdout.String() }()
		return run(ctx, c)
	}
	require.Equal(t, exitConformant, d.exec("run", target))
	assert.Equal(t, 1, strings.Count(early, "\n"))
	assert.Equal(t, 1, strings.Count(d.stdout.String(), "seed 1"))
	assert.True(t, strings.HasPrefix(d.stdout.String(), early))
	assert.True(t, strings.HasSuffix(d.stdout.String(), "\nconformant\n"))
}

func TestReportsAreWrittenInEveryFormatAndToEveryPlace(t *testing.T) {
	d := newDesk().answer(report.NotConformant)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	require.Equal(t, exitNotConformant, d.exec("run", target, "--report", "json="+path("a=b.json"),
		"--report", "junit="+path("r.xml"), "--report", "html="+path("r.html"), "--report", "text="+path("r.txt")))
	read := func(name string) string {
		b, err := os.ReadFile(path(name))
		require.NoError(t, err)
		return string(b)
	}
	r, err := formats.ReadJSON([]byte(read("a=b.json")))
	require.NoError(t, err)
	assert.Equal(t, report.NotConformant, r.Summary.Verdict)
	assert.Contains(t, read("r.xml"), "<testsuites")
	assert.Contains(t, read("r.html"), "<!DOCTYPE html>")
	assert.Equal(t, d.stdout.String(), read("r.txt"))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 4, "nothing but the reports is left")
}

func TestAReportOnStandardOutputSendsTheTextToStandardError(t *testing.T) {
	d := newDesk()
	require.Equal(t, exitConformant, d.exec("run", target, "--report", "json=-"))
	_, err := formats.ReadJSON(d.stdout.Bytes())
	require.NoError(t, err)
	assert.Contains(t, d.stderr.String(), "\nconformant\n")

	d = newDesk()
	require.Equal(t, exitConformant, d.exec("run", target, "--report", "text=-"))
	assert.Equal(t, 1, strings.Count(d.stdout.String(), "conformant\n"))
	assert.Empty(t, d.stderr.String())
}

func TestTheReportOfAnInterruptedRunIsWritten(t *testing.T) {
	d := newDesk()
	ctx, cancel := context.WithCancel(context.Background())
	d.engine.run = func(ctx context.Context, c conformance.Config) (*report.Report, error) {
		cancel()
		<-ctx.Done()
		r := d.ran(c, report.Incomplete)
		r.Summary.Reasons = []string{"interrupted"}
		return r, nil
	}
	path := filepath.Join(t.TempDir(), "r.json")
	assert.Equal(t, exitIncomplete, executeIn(ctx, []string{"run", "--report", "json=" + path}, d.system()))
	assert.FileExists(t, path)
	assert.True(t, strings.HasSuffix(d.stdout.String(), "\nincomplete: interrupted\n"))
	assert.True(t, d.stopped)
}

func TestAnOldReportStaysWholeUntilTheNewOneIs(t *testing.T) {
	d := newDesk()
	path := keep(t, "r.json", "old")
	require.NoError(t, os.Chmod(path, 0o640))
	link := filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.Symlink(path, link))
	run := d.engine.run
	d.engine.run = func(ctx context.Context, c conformance.Config) (*report.Report, error) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "old", string(b))
		return run(ctx, c)
	}
	require.Equal(t, exitConformant, d.exec("run", target, "--report", "json="+link))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	info, err = os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode())
	assert.Greater(t, info.Size(), int64(10))
}

func TestADeviceIsWrittenInPlace(t *testing.T) {
	d := newDesk()
	require.Equal(t, exitConformant, d.exec("run", target, "--report", "json="+os.DevNull))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}

type closed struct{}

func (closed) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("broken pipe")}
}

func TestAReaderThatGoesAwayCostsNoReportFileAndIsNeverGreen(t *testing.T) {
	for o, want := range map[report.Outcome]exitCode{report.Conformant: exitIncomplete, report.NotConformant: exitNotConformant} {
		d := newDesk().answer(o)
		sys := d.system()
		sys.stdout = stream{Writer: closed{}}
		path := filepath.Join(t.TempDir(), "r.json")
		assert.Equal(t, want, executeIn(context.Background(), []string{"run", target, "--report", "json=" + path}, sys))
		assert.FileExists(t, path)
		assert.Equal(t, "conformance: text report: broken pipe\n", d.stderr.String())
	}
	for _, args := range []string{"version", "list", "list --format json", "explain x", "replay x", "run --report json=-", "--help"} {
		sys := newDesk().system()
		sys.stdout = stream{Writer: closed{}}
		assert.Equal(t, exitIncomplete, executeIn(context.Background(), strings.Fields(args), sys), args)
	}
}

func TestTheTraceIsWrittenByTheEngineAndClosed(t *testing.T) {
	d := newDesk()
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		_, err := io.WriteString(c.Trace, "{}\n")
		require.NoError(t, err)
		return d.ran(c, report.Conformant), nil
	}
	path := filepath.Join(t.TempDir(), "trace")
	require.Equal(t, exitConformant, d.exec("run", target, "--trace", path))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "{}\n", string(b))
}

func TestAFullDiskIsNeverGreen(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // only some systems have it
	}
	d := newDesk()
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		_, _ = io.WriteString(c.Trace, "{}\n")
		return d.ran(c, report.Conformant), nil
	}
	assert.Equal(t, exitIncomplete, d.exec("run", target, "--trace", "/dev/full"))
	assert.Equal(t, "conformance: --trace /dev/full: no space left on device\n", d.stderr.String())
	d = newDesk()
	assert.Equal(t, exitIncomplete, d.exec("run", target, "--report", "json=/dev/full"))
	assert.Equal(t, "conformance: --report json=/dev/full: no space left on device\n", d.stderr.String())
}

func TestColourAndProgressAreForTerminalsOnly(t *testing.T) {
	for _, c := range []struct {
		args          string
		env           map[string]string
		terminal, has bool
	}{
		{"", nil, false, false},
		{"", nil, true, true},
		{"--no-color", nil, true, false},
		{"", map[string]string{"NO_COLOR": "1"}, true, false},
		{"", map[string]string{"NO_COLOR": ""}, true, true},
		{"", map[string]string{"TERM": "dumb"}, true, false},
	} {
		d := newDesk()
		sys := d.system()
		sys.getenv = func(name string) string { return c.env[name] }
		sys.stdout.terminal, sys.stderr.terminal = c.terminal, c.terminal
		require.Equal(t, exitConformant, executeIn(context.Background(), append([]string{"run", target}, strings.Fields(c.args)...), sys))
		assert.Equal(t, c.has, strings.Contains(d.stdout.String(), "\x1b["), "%+v", c)
		assert.Equal(t, c.terminal, strings.Contains(d.stderr.String(), "judging"), "%+v", c)
	}
}
