package proof_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// knowing is a target that serves one connection, so that requests come in the
// order of the run, and checks no body: it refuses what a function says.
type knowing struct {
	mu     sync.Mutex
	at     int
	refuse func(at int, body string) bool
}

const knowingToken = "a-token-of-this-test"

func (k *knowing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	k.mu.Lock()
	refused := k.refuse(k.at, string(body))
	k.at++
	k.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+knowingToken:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":401,"message":"no"}`)
		return
	case refused:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":400,"message":"no"}`)
		return
	}
	var p struct {
		Name string  `json:"name"`
		Tag  *string `json:"tag,omitempty"`
	}
	_ = json.Unmarshal(body, &p) // whatever can be read is echoed
	out, _ := json.Marshal(p)
	_, _ = w.Write(out)
}

// judged runs the suite with a seed against a target that refuses so.
func (k *knowing) judged(t *testing.T, seed uint64, refuse func(at int, body string) bool) *report.Report {
	t.Helper()
	k.at, k.refuse = 0, refuse
	effort := "gate"
	if sample.Has(t.Name()+" in full", wholePlans) {
		effort = "full"
	}
	s := httptest.NewUnstartedServer(k)
	s.Listener = &lonely{Listener: s.Listener, free: make(chan struct{}, 1)}
	s.Start()
	defer s.CloseClientConnections()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: s.URL, Token: knowingToken, Seed: seed, Draws: 1, Effort: effort, Cache: shared})
	require.NoError(t, err)
	return r
}

// lonely takes a connection when the one before is closed.
type lonely struct {
	net.Listener
	free chan struct{}
}

func (l *lonely) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &leaving{Conn: c, left: func() { <-l.free }}, nil
}

type leaving struct {
	net.Conn
	once sync.Once
	left func()
}

func (c *leaving) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.left)
	return err
}

// TestATargetThatKnowsThePlanCannotPassByCounting: it learned from one run at
// which places bodies came that must be refused, and refuses what comes there in
// a run with another seed.
func TestATargetThatKnowsThePlanCannotPassByCounting(t *testing.T) {
	sample.OneIn(t, 4)
	t.Parallel()
	kind, err := conformance.Classifier(conformance.Config{Cache: shared}, "post-plants")
	require.NoError(t, err)
	var places []bool
	k := &knowing{}
	right := k.judged(t, 1, func(_ int, body string) bool {
		is := kind([]byte(body))
		places = append(places, strings.HasPrefix(is, "invalid") || strings.HasPrefix(is, "not JSON"))
		return places[len(places)-1]
	})
	require.Equal(t, report.Conformant, right.Summary.Verdict, "a target that looks at bodies is right: %v", right.Summary.Reasons)
	r := k.judged(t, 77, func(at int, _ string) bool { return at < len(places) && places[at] })
	assert.Equal(t, report.NotConformant, r.Summary.Verdict)
	refusals := 0
	for _, x := range r.Results {
		refuses := strings.HasPrefix(x.Requirement, "newplant-") && !strings.HasSuffix(x.Requirement, "-accepted") && x.Requirement != "newplant-tag-optional" ||
			x.Requirement == "post-plants-body-json"
		if x.Level == report.Must && refuses {
			refusals++
			assert.Equal(t, report.Fail, x.Verdict, "%s passed by counting", x.Requirement)
		}
	}
	assert.Greater(t, refusals, 7)
}
