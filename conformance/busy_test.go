package conformance_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const few = `
openapi: 3.1.0
info: {title: Few, version: "1"}
paths:
  /things:
    get:
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses:
        "200": {description: done}
`

// atMost answers 503 to a request beside so many others.
func atMost(n int, next http.HandlerFunc) http.HandlerFunc {
	places := make(chan struct{}, n)
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next(w, r)
		default:
			http.Error(w, "too many requests at the same time", http.StatusServiceUnavailable)
		}
	}
}

func TestAServerThatServesFewRequestsAtTheSameTimeKeepsTheContract(t *testing.T) {
	t.Parallel()
	slow := func(http.ResponseWriter, *http.Request) { time.Sleep(time.Millisecond) }
	r := judgeServer(t, atMost(3, slow), conformance.Config{Spec: []byte(few), Effort: "gate", Draws: -1, Only: []string{"get-things-answered"}})
	assert.Empty(t, r.Findings)
	assert.Positive(t, r.Times.Limits.Unavailable, "it did answer 503")

	broken := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("q") != "" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
	r = judgeServer(t, http.HandlerFunc(broken), conformance.Config{Spec: []byte(few), Effort: "gate", Draws: -1, Only: []string{"get-things-answered"}})
	if assert.Len(t, r.Findings, 1, "beside others and alone") {
		assert.Equal(t, report.Crash, r.Findings[0].Category)
	}
}
