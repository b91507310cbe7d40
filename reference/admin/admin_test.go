package admin_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/reference"
	"plantstore/reference/admin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func get(h http.Handler, method, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

func TestReadinessFollowsTheStoreAndHealthDoesNot(t *testing.T) {
	var state error
	h := admin.Handler(admin.NewMetrics(func() int { return 0 }), func(ctx context.Context) error {
		_, bounded := ctx.Deadline()
		assert.True(t, bounded, "a store that hangs does not hang the operator")
		return state
	})
	for _, c := range []struct {
		err    error
		status int
		line   string
	}{{nil, 200, "ready\n"}, {errors.New("storing fails"), 503, "not ready: storing fails\n"}, {nil, 200, "ready\n"}} {
		state = c.err
		status, line := get(h, "GET", "/readyz")
		assert.Equal(t, c.status, status)
		assert.Equal(t, c.line, line)
		status, _ = get(h, "GET", "/healthz")
		assert.Equal(t, 200, status)
	}
	status, _ := get(h, "POST", "/readyz")
	assert.Equal(t, 405, status)
	status, _ = get(h, "GET", "/plants")
	assert.Equal(t, 404, status)
}

func TestTheMetricsCountAnswersTransactionsAndTheQueue(t *testing.T) {
	m := admin.NewMetrics(func() int { return 7 })
	m.Request(reference.Outcome{Status: 200, Took: time.Millisecond})
	m.Request(reference.Outcome{Status: 200, Took: time.Millisecond})
	m.Request(reference.Outcome{Status: 400, Error: 401, Took: time.Second})
	m.Commit(64, 2*time.Millisecond)
	m.Commit(2, time.Millisecond)
	status, text := get(admin.Handler(m, nil), "GET", "/metrics")
	assert.Equal(t, 200, status)
	for _, line := range []string{
		`plantstore_requests_total{error="0",status="200"} 2`, `plantstore_requests_total{error="401",status="400"} 1`,
		`plantstore_request_seconds_count{status="200"} 2`, `plantstore_queue_plants 7`, `plantstore_commits_total 2`,
		`plantstore_batch_plants_sum 66`, `plantstore_batch_plants_bucket{le="2"} 1`, `plantstore_commit_seconds_count 2`, `go_goroutines `,
	} {
		assert.Contains(t, text, "\n"+line)
	}
}

func TestTheListenerServesUntilItIsStopped(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	stop := admin.Start(ln, admin.Handler(admin.NewMetrics(func() int { return 0 }), nil))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + ln.Addr().String() + "/healthz")
	require.NoError(t, err)
	line, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, "ok\n", string(line))
	require.NoError(t, stop())
	_, err = client.Get("http://" + ln.Addr().String() + "/healthz")
	assert.Error(t, err)
}
