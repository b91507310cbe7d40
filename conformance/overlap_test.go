package conformance_test

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// A server of few connections answers the others when one is closed; this one never does.
func TestOneOfSeveralRequestsAtOnceThatIsNeverAnsweredFails(t *testing.T) {
	right := notes("")
	var mu sync.Mutex
	under, lost := 0, false
	assert.Contains(t, failedOn(t, notebook, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		under++
		lose := under > 2 && !lost
		lost = lost || lose
		mu.Unlock()
		defer func() {
			mu.Lock()
			under--
			mu.Unlock()
		}()
		if lose {
			_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection goes unnoticed
			<-r.Context().Done()
			return
		}
		time.Sleep(5 * time.Millisecond) // so that requests overlap
		right(w, r)
	}), "post-notes-answered")
}

// Alone, each of these requests is answered.
func TestOneOfSeveralRequestsAtOnceThatIsNeverAnsweredFailsAlsoLateInARun(t *testing.T) {
	right := notes("")
	var mu sync.Mutex
	under, seen := 0, 0
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		under++
		seen++
		lost := under > 1 && seen > 60 && seen%40 == 0
		mu.Unlock()
		defer func() {
			mu.Lock()
			under--
			mu.Unlock()
		}()
		if lost {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		time.Sleep(2 * time.Millisecond)
		right(w, r)
	})
	r := judgeServer(t, serve, conformance.Config{Spec: []byte(notebook), Effort: "gate", Draws: -1, Timeout: time.Second, Only: []string{"post-notes/valid/*"}})
	var failed []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			failed = append(failed, x.Requirement)
		}
	}
	assert.Contains(t, failed, "post-notes-answered")
}
