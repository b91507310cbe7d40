//go:build !race

// The race detector multiplies the memory of what it watches.

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// maxMemory is what a run may take whatever the target does.
const maxMemory = 256 << 20

// greedy are answers that are large, and none like another.
var greedy = []func(n int64) (field, body string){
	func(n int64) (string, string) { return "", `{"error":1,"message":"` + words(n) + `"}` },
	func(n int64) (string, string) {
		return "", fmt.Sprintf("[%d,", n) + strings.Repeat("1,", 1<<19-20) + "1]"
	},
	func(n int64) (string, string) {
		return "", fmt.Sprintf("[%d,", n) + strings.Repeat("{},", 1<<18) + "1]"
	},
	func(n int64) (string, string) {
		return "", fmt.Sprintf(`{"message":"a","error":%d`, n) + strings.Repeat("7", 1<<20-60) + "}"
	},
	func(n int64) (string, string) { return words(n)[:60<<10], `{"error":1}` },
	func(n int64) (string, string) { return "", "<html>" + words(n) },
}

func words(n int64) string { return strings.Repeat(fmt.Sprintf("x%07d", n), 1<<17-10) }

// halfRight answers a plain request as it should, every second time: a run goes
// on then. What else it does comes to the handler.
func halfRight(hostile http.HandlerFunc) http.Handler {
	var asked atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, name, found := strings.Cut(string(body), `"name":"`)
		name, _, _ = strings.Cut(name, `"`)
		n := asked.Add(1)
		if n < 40 || found && n%2 == 0 && strings.Contains(string(body), `"id":`) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"name":"`+name+`"}`)
			return
		}
		hostile(w, r)
	})
}

// raw takes the connection over and writes one piece again and again.
func raw(begin, piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		for _, err = io.WriteString(c, begin); err == nil; {
			_, err = io.WriteString(c, piece)
		}
	}
}

// A target whose answers were all distinct, of 1 MB each, once made a run take
// 2.19 GB, and one of its refusals a run that did not end.
func TestNoTargetMakesARunTakeMuchMemory(t *testing.T) {
	var n atomic.Int64
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, target := range map[string]http.HandlerFunc{
		"distinct answers of 1 MB": func(w http.ResponseWriter, _ *http.Request) {
			i := n.Add(1)
			field, body := greedy[int(i)%len(greedy)](i)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("X-More", field)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, body)
		},
		"bodies without an end":   raw(ok+"\r\n", strings.Repeat("x", 1000)),
		"chunks without an end":   raw(ok+"Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
		"heads without an end":    raw(ok, "X-More: "+strings.Repeat("x", 1000)+"\r\n"),
		"interim ones for ever":   raw("", "HTTP/1.1 100 Continue\r\n\r\n"),
		"trailers without an end": raw(ok+"Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-More: "+strings.Repeat("x", 1000)+"\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			sample.OneIn(t, 6)
			server := httptest.NewServer(halfRight(target))
			t.Cleanup(server.CloseClientConnections)
			began := time.Now()
			took := memoryOf(t, "run", "--target", server.URL, "--token", "right-token-0123", "--max-time", "6s", "--report", "json="+t.TempDir()+"/r.json")
			assert.Less(t, took, maxMemory, "%d MB", took>>20)
			assert.Less(t, time.Since(began), 60*time.Second, "it ends when its time does")
		})
	}
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memoryOf runs the program against a target that does not conform, and gives the
// most that it had in memory.
func memoryOf(t *testing.T, args ...string) int {
	t.Helper()
	maximum, err := watched(t, exec.Command("conformance", args...))
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode(), "not conformant")
	return maximum
}

// watched runs a command and gives the most that it had in memory. What the
// system counts for a child (RUSAGE_CHILDREN) begins with the memory of its
// parent, so the child's own count is read while it runs.
func watched(t *testing.T, cmd *exec.Cmd) (maximum int, ended error) {
	t.Helper()
	require.NoError(t, cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for look := time.NewTicker(time.Millisecond); ; {
		select {
		case ended = <-done:
			look.Stop()
			require.Positive(t, maximum, "it ended before anybody looked")
			return maximum, ended
		case <-look.C:
		}
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if m := peak.FindSubmatch(text); m != nil {
			kilobytes, err := strconv.Atoi(string(m[1]))
			require.NoError(t, err)
			maximum = max(maximum, kilobytes<<10)
		}
	}
}
