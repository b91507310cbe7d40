package services_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// notes is a document with patterns that no table here decides: an optional
// member of the request, and one of the answer.
const notes = `openapi: 3.1.0
info: {title: notes, version: '1'}
paths:
  /notes:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: {type: string, minLength: 1, maxLength: 40}
                mood: {type: string, pattern: '^\p{Emoji}+$'}
      responses:
        '200':
          description: taken
          content:
            application/json:
              schema:
                type: object
                required: [mood]
                properties: {mood: {type: string, pattern: '^\p{Emoji}+$'}}
        '400': {description: refused}
`

// takesNotes answers everything with one mood; the suite can not know whether
// it is right.
func takesNotes(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !strings.HasPrefix(string(body), `{"title":"`) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"mood":"no emoji at all"}`)
}

func TestNothingIsJudgedByAPatternThatCannotBeDecided(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(takesNotes))
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: []byte(notes), SpecName: "notes.yaml", Draws: -1})
	require.NoError(t, err)
	seen := 0
	for _, x := range r.Results {
		if !strings.Contains(x.Requirement, "mood-pattern") {
			continue
		}
		seen++
		assert.Equal(t, report.Inconclusive, x.Verdict, "%s: never green, and no failure: %s", x.Requirement, x.Reason)
	}
	assert.Equal(t, 2, seen, "one of the request, one of the answer")
}

// "unstable: it did not fail again" was said of what nobody had tried again.
func TestAFailureThatTheRunHadNoTimeToTryAgainIsNotCalledUnstable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"mood":7}`)
	}))
	defer server.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: []byte(notes), SpecName: "notes.yaml",
		Rate: 60, MaxTime: 2 * time.Second})
	require.NoError(t, err)
	assert.NotEmpty(t, tripped(r))
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if !f.Stable { // a tenth of the time is kept for some
				assert.Equal(t, "the run ended before it was tried", f.NotTriedAgain, x.Requirement)
			}
		}
	}
	assert.NotContains(t, shown(t, r), "unstable")
}
