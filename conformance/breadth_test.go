package conformance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// gates are three operations that want a key.
const gates = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "security": [{"key": []}],
	"components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
		"schemas": {"New": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}, "size": {"type": "integer", "minimum": 1}}}},
		"responses": {"Done": {"description": "done"}}},
	"paths": {
		"/north": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}, "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/south": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}, "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/east": {"get": {"parameters": [{"name": "size", "in": "query", "schema": {"type": "integer", "minimum": 1}}], "responses": {"200": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}}}}}}`

// TestEveryOperationHasItsShareBeforeAnyHasMore: its baseline, a violation and a request without
// a credential come before a second class of a mutator, whatever the operation.
func TestEveryOperationHasItsShareBeforeAnyHasMore(t *testing.T) {
	var mu sync.Mutex
	var order []string
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if id := r.Header.Get("X-Conformance-Case"); strings.Count(id, "/") > 2 {
			order = append(order, id)
		}
		if r.Header.Get("Authorization") != "Bearer right-token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
	})
	accepting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := r.Header.Get("X-Conformance-Case"); r.Header.Get("Authorization") == "Bearer right-token" && !strings.Contains(id, "/invalid/") && !strings.Contains(id, "/not-json/") {
			mu.Lock()
			order = append(order, id)
			mu.Unlock()
			return
		}
		serve(w, r)
	})
	judgeServer(t, accepting, conformance.Config{Spec: []byte(gates), Auth: map[string]string{"key": "right-token"}, NameCases: true, Workers: 1, Draws: -1, Effort: "gate"})
	// share is where the last operation has its first case of a kind.
	share := func(kind string) int {
		last := 0
		for _, op := range []string{"post-north", "post-south", "get-east"} {
			at := -1
			for i, id := range order {
				if strings.HasPrefix(id, op+kind) {
					at = i
					break
				}
			}
			require.GreaterOrEqual(t, at, 0, op+kind)
			last = max(last, at)
		}
		return last
	}
	seen, second := map[string]bool{}, len(order)
	for i, id := range order {
		parts := strings.Split(id, "/")
		if len(parts) < 5 || strings.Contains(id, "/sequence/") {
			continue
		}
		kind := strings.Join(parts[:3], "/")
		if seen[kind] && !strings.Contains(id, "/pauses/") {
			second = i
			break
		}
		seen[kind] = true
	}
	for _, kind := range []string{"/valid/baseline/", "/invalid/", "/credential/credentials/absent/"} {
		assert.Less(t, share(kind), second, "%s: %q is a second case of its kind", kind, order[second])
	}
	assert.Greater(t, share("/credential/credentials/wrong-invalid/"), second, "those that a target may count stay last")
}
