package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTerminationSignalEndsTheServerCleanly(t *testing.T) {
	read, write := io.Pipe()
	code := make(chan exitCode, 1)
	go func() { code <- run([]string{"serve", "--addr", "127.0.0.1:0", "--token", "t"}, io.Discard, write) }()
	lines := bufio.NewScanner(read)
	require.True(t, lines.Scan())
	assert.Contains(t, lines.Text(), "listening")
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	require.True(t, lines.Scan())
	assert.Contains(t, lines.Text(), "stopped")
	assert.Equal(t, exitOK, <-code)
}

func TestExitCodesTellUsageFromFailure(t *testing.T) {
	for _, c := range []struct {
		args []string
		want exitCode
	}{
		{[]string{"version"}, exitOK},
		{[]string{"--help"}, exitOK},
		{[]string{}, exitUsage},
		{[]string{"serve", "--token", "t", "--fault", "x"}, exitUsage},
		{[]string{"serve", "--token", "t", "--addr", "nowhere"}, exitFailed},
	} {
		var out, errs bytes.Buffer
		assert.Equal(t, c.want, run(c.args, &out, &errs), "%v: %s", c.args, errs.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAListThatCannotBeWrittenIsAFailure(t *testing.T) {
	var errs bytes.Buffer
	assert.Equal(t, exitFailed, run([]string{"faults"}, broken{}, &errs))
	assert.Equal(t, "plantstore: disk full\n", errs.String())
}
