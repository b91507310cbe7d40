package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	loadClients = 64
	loadRounds  = 10
	loadTime    = 300 * time.Millisecond
)

// under runs clients against a server until stop returned and the server went,
// and gives what was sent with whether it was answered 200.
func under(t *testing.T, p *process, round int, stop func()) (sent map[string]bool) {
	t.Helper()
	sent = map[string]bool{}
	var mu sync.Mutex
	var group sync.WaitGroup
	var answered atomic.Int64
	transport := &http.Transport{MaxIdleConnsPerHost: loadClients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for c := range loadClients {
		group.Go(func() {
			mine := map[string]bool{}
			for n := 0; ; n++ {
				line := fmt.Sprintf(`{"id":%d,"name":"round %d client %d number %d \u0000","tag":"t%d"}`, n, round, c, n, n)
				status, text, err := p.post(client, line)
				mine[line] = err == nil && status == http.StatusOK
				if err != nil {
					break
				}
				assert.Equal(t, http.StatusOK, status, text)
				answered.Add(1)
			}
			mu.Lock()
			defer mu.Unlock()
			for line, ok := range mine {
				sent[line] = ok
			}
		})
	}
	require.Eventually(t, func() bool { return answered.Load() > loadClients }, 20*time.Second, time.Millisecond)
	<-time.After(loadTime)
	stop()
	group.Wait()
	return sent
}

// compare holds what is in the file against what was answered.
func compare(t *testing.T, data string, sent map[string]bool) (acknowledged, unanswered int) {
	t.Helper()
	found := map[string]int{}
	for _, line := range export(t, data) {
		found[line]++
	}
	lost, strange := 0, 0
	for line, ok := range sent {
		switch {
		case ok:
			acknowledged++
			if found[line] != 1 {
				lost++
			}
		case found[line] > 0:
			unanswered++
		}
	}
	for line := range found {
		if _, known := sent[line]; !known {
			strange++
		}
	}
	assert.Zero(t, lost, "acknowledged plants that are not there once and exactly")
	assert.Zero(t, strange, "plants that nobody sent")
	return acknowledged, unanswered
}

func rounds(t *testing.T, signal syscall.Signal, check func(error)) (acknowledged, unanswered int) {
	data := filepath.Join(t.TempDir(), "plants.db")
	all := map[string]bool{}
	for round := range loadRounds {
		p := begin(t, nil, "--data", data)
		for line, ok := range under(t, p, round, func() { check(p.end(t, signal)) }) {
			all[line] = ok
		}
	}
	return compare(t, data, all)
}

func TestKilledTenTimesUnderLoadTheServerFindsEveryPlantThatItAcknowledged(t *testing.T) {
	acknowledged, unanswered := rounds(t, syscall.SIGKILL, func(err error) { assert.ErrorContains(t, err, "killed") })
	t.Logf("%d acknowledged, %d stored but unanswered", acknowledged, unanswered)
}

func TestTerminatedTenTimesUnderLoadTheServerAnswersWhatItStoredAndStoresWhatItAnswered(t *testing.T) {
	acknowledged, unanswered := rounds(t, syscall.SIGTERM, func(err error) { assert.NoError(t, err) })
	assert.Zero(t, unanswered, "stored but unanswered")
	t.Logf("%d acknowledged, %d stored but unanswered", acknowledged, unanswered)
}
