package proof_test

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/reference"
)

// A machine that becomes busy while connections are counted made a server look
// as if it served one, and then nothing was tried on several.
func TestASlowSpellDoesNotMakeATargetServeFewerConnections(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	first := ""
	var busy time.Time
	cfg := reference.Config{Tokens: []string{proof.Token}, Alter: func(s *reference.Stages) {
		before := s.Wrap
		s.Wrap = func(h http.Handler) http.Handler {
			h = before(h)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				if first == "" {
					first = r.RemoteAddr
				}
				if r.RemoteAddr != first && busy.IsZero() {
					busy = time.Now().Add(3 * time.Second)
				}
				slow := time.Now().Before(busy)
				mu.Unlock()
				if slow {
					time.Sleep(2 * time.Second)
				}
				h.ServeHTTP(w, r)
			})
		}
	}}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := reference.New(cfg)
	go func() { _ = s.Serve(t.Context(), ln, nil) }()
	got, err := conformance.Run(t.Context(), conformance.Config{Target: "http://" + ln.Addr().String(), Token: proof.Token,
		Draws: -1, Only: []string{"bearer-required"}})
	require.NoError(t, err)
	require.NotEmpty(t, got.Facts)
	assert.Equal(t, report.Fact{Name: "concurrent connections", Value: "8 or more"}, got.Facts[0])
	assert.Equal(t, report.Conformant, got.Summary.Verdict)
}
