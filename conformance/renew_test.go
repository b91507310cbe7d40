package conformance

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A command often asks the target itself for its credential.
func TestACredentialIsAskedForOnceTheTargetIsUp(t *testing.T) {
	var asked, starting atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Authorization"), "there is none yet")
		if asked.Add(1) == 1 {
			starting.Store(1)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		starting.Store(0)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer srv.Close()
	renewed := false
	_, err := prepare(t.Context(), Config{Spec: []byte(doors), SpecName: "doors.yaml", Draws: 1, Target: srv.URL, Wait: time.Minute,
		Include: []string{"get-doors"},
		Renew: map[string]func(context.Context) (string, error){"staff": func(context.Context) (string, error) {
			renewed = true
			assert.Positive(t, asked.Load())
			assert.Zero(t, starting.Load())
			return "ann:a-secret", nil
		}}}, true, false)
	require.NoError(t, err)
	assert.True(t, renewed)
}
