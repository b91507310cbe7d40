package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const traced = 100

// unsynced counts, in what strace saw, the answers and those of them that had
// no finished sync since the answer before.
func unsynced(trace string) (answers, without int) {
	synced := false
	for line := range strings.Lines(trace) {
		switch {
		case strings.Contains(line, "sync") && strings.HasSuffix(strings.TrimSpace(line), "= 0"):
			synced = true
		case strings.Contains(line, `"HTTP/1.1 200`):
			answers++
			if !synced {
				without++
			}
			synced = false
		}
	}
	return answers, without
}

func TestEveryAnswerComesAfterASyncThatIsFinished(t *testing.T) {
	if err := exec.Command("strace", "-D", "-o", os.DevNull, "true").Run(); err != nil {
		t.Logf("NOT TRACED: strace does not work here (%v); that a server starts shows at least that its connection says journal_mode wal and synchronous FULL", err)
		p := begin(t, nil, "--data", filepath.Join(t.TempDir(), "plants.db"))
		require.NoError(t, p.end(t, syscall.SIGTERM))
		return
	}
	for _, durable := range []bool{true, false} {
		trace := filepath.Join(t.TempDir(), "trace")
		var args []string
		if durable {
			args = []string{"--data", filepath.Join(t.TempDir(), "plants.db")}
		}
		// With -D the server itself is the child, and strace is beside it.
		p := begin(t, []string{"strace", "-D", "-f", "-s", "16", "-e", "trace=fsync,fdatasync,write", "-o", trace}, args...)
		client := &http.Client{Transport: &http.Transport{}}
		for n := range traced {
			status, answer, err := p.post(client, fmt.Sprintf(`{"id":%d,"name":"traced"}`, n))
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, status, answer)
		}
		client.CloseIdleConnections()
		require.NoError(t, p.end(t, syscall.SIGTERM))
		text, err := os.ReadFile(trace)
		require.NoError(t, err)
		answers, without := unsynced(string(text))
		assert.Equal(t, traced, answers)
		if durable {
			assert.Zero(t, without, "answers before their sync")
		} else {
			assert.Equal(t, traced, without, "in memory nothing is synced, so this test can fail")
		}
		t.Logf("durable %t: %d answers, %d of them without a finished sync before", durable, answers, without)
	}
}
