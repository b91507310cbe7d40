package conformance_test

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
