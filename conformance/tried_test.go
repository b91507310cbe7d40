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

const oneFault = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /mine: {get: {responses: {"20": {description: up}}}}
  /beside: {get: {parameters: [{$ref: '#/components/parameters/none'}], responses: {"200": {description: up}}}}
`

func TestAnOperationWithAFaultThatTheUserCanMendIsIncompleteWithItsPlace(t *testing.T) {
	r := judgeServer(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), conformance.Config{Spec: []byte(oneFault), SpecName: "parts.yaml", Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	assert.Equal(t, []string{"1 of 3 operations tried; " +
		`1 has a fault in the document: parts.yaml:6:35: status "20": want three digits, 2XX or default; ` +
		`1 has a fault in the document: parts.yaml:7:32: $ref "#/components/parameters/none" points at nothing: fix the pointer`}, r.Summary.Reasons)
}

const oneBeyond = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /other:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$schema: "https://example.com/dialect", type: object}}}}
      responses: {"200": {description: up}}
  /trace: {trace: {responses: {"200": {description: up}}}}
`

func TestAnOperationThatThisVersionCannotReadDoesNotEndARunAsIncomplete(t *testing.T) {
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/up" {
			w.WriteHeader(http.StatusNotFound)
		}
	}), conformance.Config{Spec: []byte(oneBeyond), SpecName: "parts.yaml", Effort: "smoke"})
	assert.Equal(t, report.Conformant, r.Summary.Verdict, r.Summary.Reasons)
	assert.Equal(t, 2, r.Summary.Unsupported, r.Header.LeftOut)
}

func TestAnOperationThatIsNeverAvailableIsToldWithItsStatus(t *testing.T) {
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), conformance.Config{Spec: []byte(twoParts), Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	assert.Contains(t, strings.Join(r.Summary.Reasons, "\n"), "1 of 2 operations tried; 1 answers valid requests with 503: ")
}
