package proof_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference"
)

// silent is a server that never answers one kind of request; held counts how
// long its clients waited for it in vain.
func silent(held *atomic.Int64, timeouts func(r *http.Request, body []byte) bool) reference.Config {
	return reference.Config{Alter: func(s *reference.Stages) {
		before := s.Wrap
		s.Wrap = func(h http.Handler) http.Handler {
			h = before(h)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err == nil && timeouts(r, body) {
					began := time.Now()
					<-r.Context().Done()
					held.Add(int64(time.Since(began)))
					panic(http.ErrAbortHandler) // a client that ends its half gets no answer either
				}
				r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
				h.ServeHTTP(w, r)
			})
		}
	}}
}

// failing ends a body as it ended before.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

func broken(_ *http.Request, body []byte) bool {
	_, err := reference.Decode(body)
	return err != nil
}

func unknownMember(_ *http.Request, body []byte) bool {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(body, &m)
	delete(m, "id")
	delete(m, "name")
	delete(m, "tag")
	return len(m) > 0
}

// A run took 112 s where one class got no answer, and longer where many did.
func TestAServerThatNeverAnswersOneKindOfRequestIsJudgedWithin30Seconds(t *testing.T) {
	for name, timeouts := range map[string]func(*http.Request, []byte) bool{
		"one class":         func(_ *http.Request, b []byte) bool { return strings.Contains(string(b), `"tag":null`) },
		"an unknown member": unknownMember,
		"any invalid body":  broken,
		"any chunked body":  func(r *http.Request, _ []byte) bool { return len(r.TransferEncoding) > 0 },
		"a wrong token": func(r *http.Request, _ []byte) bool {
			return !strings.Contains(r.Header.Get("Authorization"), "Reference-Token")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, 10)
			var held atomic.Int64
			got := judge(t, silent(&held, timeouts), false)
			// Eight workers that wait for 30 s; how busy this machine is says nothing.
			assert.Less(t, time.Duration(held.Load()), 8*30*time.Second)
			assert.Equal(t, report.NotConformant, got.Summary.Verdict)
			for _, r := range got.Results {
				if r.Verdict == report.Inconclusive {
					assert.Equal(t, "suppressed by post-plants-answered", r.Reason, r.Requirement)
				}
				if r.Verdict == report.Fail && r.Level == report.Must {
					assert.Equal(t, "post-plants-answered", r.Requirement)
					for _, f := range r.Failures {
						assert.True(t, f.Stable, "it got no answer where it happened, and alone")
					}
				}
			}
		})
	}
}

// What takes longer than a first try waits is slow and no more: it is tried
// again, alone, and answered.
func TestAServerThatIsSlowForOneKindOfRequestPasses(t *testing.T) {
	sample.OneIn(t, 4)
	t.Parallel()
	var held atomic.Int64
	got := judge(t, silent(&held, func(r *http.Request, b []byte) bool {
		if strings.Contains(string(b), `"tag":null`) {
			select {
			case <-time.After(2500 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
		return false
	}), false)
	assert.Equal(t, report.Conformant, got.Summary.Verdict, got.Summary.Reasons)
	for _, r := range got.Results {
		assert.Zero(t, r.Cases.NotTried, "%s: %s", r.Requirement, r.Reason)
	}
}
