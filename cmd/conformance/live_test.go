package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// kinds are those of the lines of a file, up to the last line that is whole.
func kinds(t *testing.T, path string) (list []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(b), "\n"), "%s", b)
	for line := range strings.Lines(string(b)) {
		kind, _, found := strings.Cut(strings.TrimPrefix(line, `{"kind":"`), `"`)
		require.True(t, found, line)
		list = append(list, kind)
	}
	return list
}

func TestNDJSONIsWrittenWhileTheRunGoesOn(t *testing.T) {
	d := newDesk()
	old := keep(t, "old.ndjson", "the stream of an earlier run\n")
	fresh := filepath.Join(t.TempDir(), "r.ndjson")
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		b, err := os.ReadFile(old)
		require.NoError(t, err)
		assert.Equal(t, "the stream of an earlier run\n", string(b), "nothing is lost before the run starts")
		r := d.ran(c, report.NotConformant)
		x := r.Results[0]
		c.Failing(x, "thing-size/0")
		assert.Equal(t, []string{"header", "progress", "progress", "failing"}, kinds(t, old))
		c.Confirmed(x, x.Failures[0])
		for _, path := range []string{old, fresh} {
			assert.Equal(t, []string{"header", "progress", "progress", "failing", "confirmed"}, kinds(t, path))
		}
		assert.Equal(t, 5, strings.Count(d.stdout.String(), "\n"), "on standard output too")
		return r, nil
	}
	require.Equal(t, exitNotConformant, d.exec("run", target, "--report", "ndjson="+old, "--report", "ndjson="+fresh, "--report", "ndjson=-"))
	for _, path := range []string{old, fresh} {
		assert.Equal(t, []string{"header", "progress", "progress", "failing", "confirmed", "result", "finding", "summary"}, kinds(t, path))
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(b), d.stdout.String())
	}
	assert.NotContains(t, d.stderr.String(), "confirmed", "only -v prints it")
	info, err := os.Stat(fresh)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(private), info.Mode())
}

func TestANDJSONThatCannotBeWrittenIsNeverGreen(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // only some systems have it
	}
	d := newDesk()
	assert.Equal(t, exitIncomplete, d.exec("run", target, "--report", "ndjson=/dev/full"))
	assert.Equal(t, "conformance: --report ndjson=/dev/full: no space left on device\n", d.stderr.String())

	d = newDesk()
	dir := filepath.Join(t.TempDir(), "reports")
	require.NoError(t, os.Mkdir(dir, 0o777))
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		require.NoError(t, os.Remove(dir))
		return d.ran(c, report.Conformant), nil
	}
	path := filepath.Join(dir, "r.ndjson")
	assert.Equal(t, exitIncomplete, d.exec("run", target, "--report", "ndjson="+path))
	assert.Equal(t, "conformance: --report ndjson="+path+": no such file or directory\n", d.stderr.String())
}
