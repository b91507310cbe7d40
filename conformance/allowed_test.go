package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// lodgers is a document of lodgers who are replaced.
const lodgers = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
	"/lodgers": {"post": {"operationId": "add", "responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}}}},
	"/lodgers/{lodgerId}": {"parameters": [{"name": "lodgerId", "in": "path", "required": true, "schema": {"type": "integer"}}],
		"put": {"operationId": "replace", "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "tag": {"type": "string"}}}}}},
			"responses": {"204": {"description": "ok"}, "400": {"description": "no"}, "404": {"description": "no"}}}}}}`

// A server that knows none of our tags is asked without one about a thing that exists.
func TestWhereEveryTagOfAThingIsRefusedTheUserIsAskedForOne(t *testing.T) {
	var mu sync.Mutex
	made := 0
	mux := http.NewServeMux()
	mux.HandleFunc("POST /lodgers", func(w http.ResponseWriter, _ *http.Request) {
		made++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id": %d}`, made)
	})
	mux.HandleFunc("PUT /lodgers/{id}", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		doc, err := jsontree.Parse(b)
		switch id, bad := strconv.Atoi(r.PathValue("id")); {
		case bad != nil || err != nil || doc.Root.Get("name") == nil || doc.Root.Get("name").Kind != jsontree.String || doc.Root.Get("tag") != nil:
			w.WriteHeader(http.StatusBadRequest)
		case id < 1 || id > made:
			w.WriteHeader(http.StatusNotFound)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		mux.ServeHTTP(w, r)
	}), conformance.Config{Spec: []byte(lodgers), Draws: -1, Effort: "gate", RequirementsName: "r.yaml", Requirements: []byte("domains: [{path: /tag, given: may-refuse}]\n")})
	assert.Empty(t, failedMusts(got))
	for _, x := range got.Results {
		if x.Requirement == "put-lodgers-lodgerid-body-tag-accepted" {
			assert.Equal(t, report.Inconclusive, x.Verdict)
			assert.Contains(t, x.Reason, "--value 'put-lodgers-lodgerid:/tag=VALUE'")
		}
	}
}
