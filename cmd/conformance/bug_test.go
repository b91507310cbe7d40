package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

func beyond(list []int) int { return list[len(list)] }

func TestABugIsOneLineWithItsPlaceAndAnExitCodeOfItsOwn(t *testing.T) {
	for name, fault := range map[string]func(){
		"run-time error": func() { beyond(nil) },
		"error":          func() { panic(errors.New("secret-token-1234")) },
		"text":           func() { panic("secret-token-1234") },
	} {
		d := newDesk()
		d.engine.list = func(context.Context, conformance.Config) (*report.Listing, error) { fault(); return nil, nil }
		assert.Equal(t, exitBug, d.exec("list"), name)
		said := d.stderr.String()
		assert.Regexp(t, `^conformance: a bug in this suite, not in your server or document: .* at conformance/bug_test\.go:\d+: please report .*\n$`, said, name)
		assert.NotContains(t, said, "secret-token", name)
		assert.NotContains(t, said, "goroutine", name)
		line(t, said)
	}
}

// A panic outside the goroutine of the command would end the process past every
// recover, with a stack.
func TestABugOnAnotherGoroutineOfARunIsOneLineToo(t *testing.T) {
	d := newDesk()
	d.engine.run = func(ctx context.Context, c conformance.Config) (*report.Report, error) {
		c.Progress = func(int, int, int) { beyond(nil) }
		return conformance.Run(ctx, c)
	}
	server, err := proof.StartReference(nil)
	require.NoError(t, err)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "report.json")
	assert.Equal(t, exitBug, d.exec("run", "--target", server.URL, "--token", server.Token, "--effort", "smoke", "--draws", "0", "--report", "json="+file))
	said := d.stderr.String()
	assert.Contains(t, said, "index out of range")
	assert.Contains(t, said, "conformance/bug_test.go:")
	line(t, said)
	left, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	assert.Empty(t, left, "nothing stays behind of the report that was not written")
}

func TestTheHelpAndTheReadmeNameTheExitCodeOfABug(t *testing.T) {
	d := newDesk()
	assert.Equal(t, exitConformant, d.exec("--help"))
	assert.Contains(t, d.stdout.String(), "  4  a bug in this suite")
	assert.Contains(t, source(t, readme), "| 4 | a bug")
	assert.Contains(t, source(t, readme), "## Report a bug")
}
