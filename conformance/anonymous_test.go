package conformance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
)

// TestNoFieldTellsWhichCaseIsAsked runs the whole plan against a target that
// takes everything, and reads the heads.
func TestNoFieldTellsWhichCaseIsAsked(t *testing.T) {
	var mu sync.Mutex
	agents := map[string]int{}
	target := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		agents[strings.Join(r.Header.Values("User-Agent"), ", ")]++
		for name, list := range r.Header {
			for _, v := range list {
				if name == "Authorization" {
					continue
				}
				assert.NotContains(t, v, "/invalid/", name)
				assert.NotContains(t, v, "post-plants", name)
			}
		}
		assert.Empty(t, r.Header.Get("X-Conformance-Case"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id": 1, "name": "n"}`))
	})
	judgeServer(t, target, conformance.Config{Token: "a-token-of-this-test", Draws: 1})
	// A few cases are about the field: they leave it out, make it long, or name a health check.
	usual, all := agents[conformance.Tool], 0
	for _, n := range agents {
		all += n
	}
	assert.Less(t, all-usual, usual/20)
	assert.NotZero(t, usual)
}
