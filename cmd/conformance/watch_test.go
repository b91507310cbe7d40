package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

func TestWhatFailedTheLastTimeIsToldFirst(t *testing.T) {
	verdicts := func(v ...report.Verdict) *report.Report {
		r := &report.Report{Header: report.Header{Target: "http://host"}}
		for i, id := range []string{"a", "b", "c"} {
			r.Results = append(r.Results, report.Result{Requirement: id, Verdict: v[i]})
		}
		return r
	}
	var w watcher
	for _, c := range []struct {
		r    *report.Report
		want string
	}{
		{verdicts(report.Fail, report.Fail, report.Fail), ""},
		{verdicts(report.Fail, report.Pass, report.Inconclusive), "failed last time: a: fails again\nfailed last time: b: passes now\nfailed last time: c: inconclusive\n"},
		{verdicts(report.Pass, report.Pass, report.Pass), "failed last time: a: passes now\n"},
		{verdicts(report.Pass, report.Pass, report.Pass), ""},
	} {
		var out bytes.Buffer
		require.NoError(t, w.ended(&out, c.r))
		assert.Equal(t, c.want, out.String())
	}
	assert.Equal(t, "http://host", w.target)
}

// watchedDesk is a desk with a settings file, for a run that watches it until it is stopped.
func watchedDesk(t *testing.T) (d *desk, file string, ctx context.Context, stop context.CancelFunc) {
	t.Helper()
	d = newDesk()
	d.folder = t.TempDir()
	file = filepath.Join(d.folder, "conformance.yaml")
	require.NoError(t, os.WriteFile(file, []byte("seed: 1"), 0o600))
	ctx, stop = context.WithCancel(context.Background())
	t.Cleanup(stop)
	return d, file, ctx, stop
}

func TestWhatFailedTheLastTimeIsTriedFirst(t *testing.T) {
	d, file, ctx, stop := watchedDesk(t)
	runs := 0
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		if runs++; runs == 1 {
			assert.Empty(t, c.First)
			require.NoError(t, os.WriteFile(file, []byte("seed: 22"), 0o600))
			return d.ran(c, report.NotConformant), nil
		}
		stop()
		require.Len(t, c.First, 1)
		assert.Equal(t, "thing-size", c.First[0].Requirement)
		assert.NotEmpty(t, c.First[0].Failures)
		r := d.ran(c, report.Conformant)
		c.FirstTried(report.TriedFirst{Requirement: "thing-size", Cases: 3})
		assert.Contains(t, d.stdout.String(), "\ntried first: thing-size: none of 3 cases fails now\n", "before the run ends")
		return r, nil
	}
	assert.Equal(t, exitConformant, executeIn(ctx, []string{"run", target, "--watch", "--config", file}, d.system()))
	assert.Equal(t, 2, runs)
}

func TestWatchingRunsAgainWithTheSettingsOfThatMoment(t *testing.T) {
	d, file, ctx, stop := watchedDesk(t)
	var seeds []uint64
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		if seeds = append(seeds, c.Seed); len(seeds) == 2 {
			stop()
		}
		require.NoError(t, os.WriteFile(file, []byte("seed: 22"), 0o600))
		return d.ran(c, report.Conformant), nil
	}
	assert.Equal(t, exitConformant, executeIn(ctx, []string{"run", target, "--watch", "--config", file}, d.system()))
	assert.Equal(t, []uint64{1, 22}, seeds)
	assert.Contains(t, d.stderr.String(), "conformance.yaml changed: running again\n")
}
