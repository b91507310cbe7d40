package conformance_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/report"
)

func TestWhatFailedBeforeIsTriedFirstAndChangesNothingInTheReport(t *testing.T) {
	spec, err := os.ReadFile("../testdata/openapi/desk.yaml")
	require.NoError(t, err)
	var mu sync.Mutex
	var bodies []string
	wrong := "title long"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.Header()["Date"] = nil
		mu.Lock()
		bodies = append(bodies, string(body))
		mu.Unlock()
		otherservers.Desk(wrong).ServeHTTP(w, r)
	}))
	defer server.Close()
	run := func(first []report.Result) (r *report.Report, text string, early []report.TriedFirst, doneAt int) {
		bodies = nil
		done := 0
		r, err := conformance.Run(t.Context(), conformance.Config{Target: server.URL, Token: otherservers.Key, Spec: spec, SpecName: "desk.yaml", Workers: 1, Only: []string{"note-title-*"},
			First: first, FirstTried: func(x report.TriedFirst) { early, doneAt = append(early, x), done },
			Progress: func(n, _, _ int) { done = n }})
		require.NoError(t, err)
		whole := *r
		whole.Times = report.Times{}
		var b bytes.Buffer
		require.NoError(t, formats.JSON(&b, &whole, formats.Options{}))
		return r, b.String(), early, doneAt
	}
	r, before, early, _ := run(nil)
	assert.Empty(t, early)
	usual := len(bodies)
	var failed []report.Result
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			failed = append(failed, x)
		}
	}
	require.Len(t, failed, 1)

	_, again, early, doneAt := run(failed)
	assert.Equal(t, before, again, "the same report, to the byte")
	assert.Len(t, bodies, usual)
	require.Len(t, early, 1)
	x := early[0]
	assert.Equal(t, failed[0].Requirement, x.Requirement)
	assert.Positive(t, x.Failed)
	assert.Zero(t, x.Unanswered)
	assert.Less(t, doneAt, x.Cases, "no other case was done before")

	wrong = ""
	fixed, _, early, _ := run(failed)
	assert.Equal(t, report.Conformant, fixed.Summary.Verdict)
	assert.Equal(t, []report.TriedFirst{{Requirement: x.Requirement, Cases: x.Cases}}, early)
}
