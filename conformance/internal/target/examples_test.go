package target_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// A server knows only some plans and regions, and takes each name once. The document lists none
// of them, but has examples.
func TestValuesOfExamplesAreUsedWhereNoOthersAreAccepted(t *testing.T) {
	body := `{type: object, required: [plan, name, region, seats], properties: {
    plan: {type: string, example: basic}, name: {type: string, example: Acme}, region: {type: string, example: north}, seats: {type: integer, example: 205}}}`
	text := document(path("/accounts", "", strings.Replace(operation("post", "addAccount", body, "201", identified),
		"responses:\n", "responses:\n        '422': {description: refused}\n", 1)))
	known, names := map[string]bool{"basic": true, "north": true, "205": true}, map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("POST /accounts", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		doc, err := jsontree.Parse(sent)
		require.NoError(t, err)
		name := doc.Root.Get("name").Text
		for _, member := range []string{"plan", "region", "seats"} {
			if v := doc.Root.Get(member); v == nil || !known[v.Text] {
				respond(w, 422, `{}`)
				return
			}
		}
		if names[name] {
			respond(w, 422, `{}`)
			return
		}
		names[name] = true
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	require.True(t, w.Facts.Of(w.op("addAccount")).Accepted)
	got := map[string]string{}
	m := w.Fresh(w.op("addAccount")).Baseline()
	for path, v := range m.Bound {
		got[path] = v.Text
	}
	assert.Equal(t, map[string]string{"/plan": "basic", "/region": "north", "/seats": "205"}, got)
}
