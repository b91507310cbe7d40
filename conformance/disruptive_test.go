package conformance_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

// station has an operation that stops it, one that gives a new key to whom the run made, and
// one that gives a value to others, and throws everything away.
const station = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
	"components": {"schemas": {"New": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
		"Made": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
		"responses": {"Made": {"description": "made", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Made"}}}}, "Done": {"description": "done"}}},
	"paths": {
		"/crew": {"post": {"operationId": "addCrew", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}},
			"responses": {"201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/crew/{crewId}/password": {"post": {"operationId": "newPassword", "parameters": [{"name": "crewId", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"responses": {"204": {"$ref": "#/components/responses/Done"}, "404": {"$ref": "#/components/responses/Done"}}}},
		"/epochs/reset": {"post": {"operationId": "newEpoch", "responses": {"201": {"$ref": "#/components/responses/Made"}}}},
		"/epochs/{epochId}": {"get": {"operationId": "getEpoch", "parameters": [{"name": "epochId", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"responses": {"200": {"$ref": "#/components/responses/Made"}, "404": {"$ref": "#/components/responses/Done"}}}},
		"/engine": {"delete": {"operationId": "engineShutdown", "responses": {"204": {"$ref": "#/components/responses/Done"}}}}}}`

// stationed counts how often its harmful operations were called.
type stationed struct{ off, reset, passwords atomic.Int64 }

func (s *stationed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.Handle("POST /crew", answering(201, `{"id": 7}`))
	mux.HandleFunc("POST /crew/7/password", func(w http.ResponseWriter, _ *http.Request) { s.passwords.Add(1); w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("POST /epochs/reset", func(w http.ResponseWriter, r *http.Request) { s.reset.Add(1); answering(201, `{"id": 1}`)(w, r) })
	mux.Handle("GET /epochs/1", answering(200, `{"id": 1}`))
	mux.HandleFunc("DELETE /engine", func(w http.ResponseWriter, _ *http.Request) { s.off.Add(1); w.WriteHeader(http.StatusNoContent) })
	mux.ServeHTTP(w, r)
}

func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestWhatSoundsDisruptiveIsNotSentUnaskedEvenToHelpOthers(t *testing.T) {
	s := &stationed{}
	got := judgeServer(t, s, conformance.Config{Spec: []byte(station), Draws: -1, Effort: "smoke"})
	assert.Zero(t, s.off.Load())
	assert.Zero(t, s.reset.Load())
	assert.Positive(t, s.passwords.Load(), "of a member of the crew that the run made")
	assert.True(t, got.Summary.Partial)
	assert.Contains(t, got.Header.LeftOut, "newEpoch, engineShutdown: not sent, because the name suggests a disruption: --allow-disruptive, or --include with the whole name")
}

func TestWhatSoundsDisruptiveIsSentIfItIsAllowedOrNamed(t *testing.T) {
	for name, c := range map[string]conformance.Config{
		"allowed":               {AllowDisruptive: true},
		"named":                 {Include: []string{"engineShutdown", "newEpoch"}},
		"named by method, path": {Include: []string{"DELETE /engine", "POST /epochs/reset"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stationed{}
			c.Spec, c.Draws, c.Effort = []byte(station), -1, "smoke"
			got := judgeServer(t, s, c)
			assert.Positive(t, s.off.Load())
			assert.Positive(t, s.reset.Load())
			assert.Empty(t, got.Header.LeftOut)
		})
	}
}

func TestAPatternDoesNotAskForWhatSoundsDisruptive(t *testing.T) {
	s := &stationed{}
	judgeServer(t, s, conformance.Config{Spec: []byte(station), Draws: -1, Effort: "smoke", Include: []string{"POST", "DELETE"}})
	assert.Zero(t, s.off.Load()+s.reset.Load())
}

func TestNothingIsLeftIfAllSoundsDisruptive(t *testing.T) {
	_, err := conformance.Run(t.Context(), conformance.Config{Target: "http://127.0.0.1:1", Spec: []byte(station), Include: []string{"/engine*"}})
	require.ErrorContains(t, err, "no operation is left to try: ")
	require.ErrorContains(t, err, "engineShutdown: not sent, because the name suggests a disruption: --allow-disruptive")
}
