package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const twoParts = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /down: {get: {responses: {"200": {description: up}, "503": {description: not now}}}}
`

func TestAnOperationThatIsNeverAvailableIsToldWithItsStatus(t *testing.T) {
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), conformance.Config{Spec: []byte(twoParts), Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	assert.Contains(t, strings.Join(r.Summary.Reasons, "\n"), "1 of 2 operations tried; 1 answers valid requests with 503: ")
}
