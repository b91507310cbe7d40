package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const twoSchemes = `{openapi: 3.0.3, info: {title: t, version: "1"}, components: {securitySchemes: {agent: {type: http, scheme: basic}, key: {type: apiKey, in: query, name: api_key}, admin: {type: http, scheme: bearer}}}, paths: {
  /reports: {get: {security: [{agent: []}, {key: []}], responses: {"200": {description: d}, "401": {description: d}}}},
  /audits: {get: {security: [{admin: []}], responses: {"200": {description: d}, "401": {description: d}}}},
  /secrets: {get: {security: [{agent: []}], responses: {"200": {description: d}, "401": {description: d}}}}}}`

// The key of reports opens nothing else. The token of an admin is in the place of an agent's
// credential, and an admin may be an agent too.
func TestACredentialOfOtherOperationsDoesNotLetIn(t *testing.T) {
	for _, careless := range []bool{false, true} {
		agent := func(r *http.Request) bool {
			user, password, ok := r.BasicAuth()
			return ok && user == "mia" && password == "n3st-pass-77" || r.Header.Get("Authorization") == "Bearer admin-token-4711"
		}
		key := func(r *http.Request) bool { return r.URL.Query().Get("api_key") == "hk-55d1-9922" }
		mux := http.NewServeMux()
		guard := func(path string, ok func(r *http.Request) bool) {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
				if !ok(r) {
					w.Header().Set("WWW-Authenticate", "Basic")
					w.WriteHeader(http.StatusUnauthorized)
				}
			})
		}
		guard("/reports", func(r *http.Request) bool { return agent(r) || key(r) })
		guard("/audits", func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer admin-token-4711" })
		guard("/secrets", func(r *http.Request) bool { return agent(r) || careless && key(r) })
		s := httptest.NewServer(mux)
		defer s.Close()
		r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Spec: []byte(twoSchemes), Only: []string{"*/credential-other-schemes/*"},
			Auth: map[string]string{"agent": "mia:n3st-pass-77", "key": "hk-55d1-9922", "admin": "admin-token-4711"}})
		require.NoError(t, err)
		var failed []string
		for _, x := range r.Results {
			if x.Verdict == report.Fail {
				failed = append(failed, x.Requirement)
			}
		}
		if careless {
			assert.Equal(t, []string{"get-secrets-agent-required"}, failed)
			continue
		}
		assert.Empty(t, failed)
		assert.Positive(t, r.Summary.Passed)
	}
}
