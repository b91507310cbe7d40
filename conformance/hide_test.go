package conformance_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// Who names a token after the operation still reads which case is meant.
func TestAReasonNamesItsCaseThoughTheTokenHasTheWordsOfIt(t *testing.T) {
	const token = "post-plants-token"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no such path for "+r.Header.Get("Authorization"), http.StatusNotFound)
	}))
	defer s.Close()
	r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: token, Draws: 1, Cache: plantPlans})
	require.NoError(t, err)
	var reasons []string
	for _, x := range r.Results {
		reasons = append(reasons, x.Reason)
	}
	all := strings.Join(reasons, "\n")
	assert.Contains(t, all, "no case of post-plants/")
	assert.NotContains(t, all, token)
}

// The flag that helps names a place of the document, which has a word of the token.
func TestAPlaceToGiveAValueForIsNamedThoughTheTokenHasItsWords(t *testing.T) {
	const token = "member-7c1d9e"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"detail":"no member for ` + token + `"}`))
	}))
	defer s.Close()
	spec := []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, security: [{key: []}], components: {securitySchemes: {key: {type: http, scheme: bearer}}},
  paths: {/loans: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [memberId], properties: {memberId: {type: string}}}}}},
  responses: {"201": {description: d}, "401": {description: d}, "409": {description: d}}}}}}`)
	c := conformance.Config{Target: s.URL, Token: token, Spec: spec}
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Contains(t, strings.Join(r.Summary.Reasons, " "), "--value 'post-loans:/memberId=VALUE'")
	reach, err := conformance.Reach(t.Context(), c)
	require.NoError(t, err)
	assert.Contains(t, reach.Ways[0].Help, "--value 'post-loans:/memberId=VALUE'")
	assert.NotContains(t, fmt.Sprint(r.Summary, reach.Ways), token)
}
