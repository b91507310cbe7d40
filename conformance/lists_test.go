package conformance_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// boxes is a document of boxes, and of the balls in each.
const boxes = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
	"/boxes": {"post": {"operationId": "addBox", "responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}}}},
	"/boxes/{boxId}/balls": {"parameters": [{"name": "boxId", "in": "path", "required": true, "schema": {"type": "integer"}}],
		POST
		"get": {"operationId": "balls", "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object", "required": ["colour"]}}}}}, "404": {"description": "no"}}}}}}`

const addsBall = `"post": {"operationId": "addBall", "responses": {"204": {"description": "ok"}, "404": {"description": "no"}}},`

// judgeBoxes runs the suite against a server of boxes whose balls have no colour.
func judgeBoxes(t *testing.T, doc string) map[string]report.Result {
	t.Helper()
	var mu sync.Mutex
	balls := map[string]int{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /boxes", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprint(len(balls) + 1)
		balls[id] = 0
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id": %s}`, id)
	})
	mux.HandleFunc("/boxes/{box}/balls", func(w http.ResponseWriter, r *http.Request) {
		box := r.PathValue("box")
		n, found := balls[box]
		switch {
		case !found:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodPost:
			balls[box]++
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("[" + strings.TrimSuffix(strings.Repeat("{},", n), ",") + "]"))
		}
	})
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		mux.ServeHTTP(w, r)
	})
	out := map[string]report.Result{}
	for _, x := range judgeServer(t, server, conformance.Config{Spec: []byte(doc), Draws: -1}).Results {
		out[x.Requirement] = x
	}
	return out
}

func TestAListIsFilledBeforeItIsReadSoThatItsItemsAreJudged(t *testing.T) {
	got := judgeBoxes(t, strings.Replace(boxes, "POST", addsBall, 1))
	assert.Equal(t, report.Fail, got["get-boxes-boxid-balls-200-body-items-colour-required"].Verdict)
}

func TestWhatIsSaidOfItemsDoesNotPassOnAListWithoutAny(t *testing.T) {
	got := judgeBoxes(t, strings.Replace(boxes, "POST", "", 1))
	items := got["get-boxes-boxid-balls-200-body-items-colour-required"]
	assert.Equal(t, report.Inapplicable, items.Verdict)
	assert.Equal(t, "no exchange tested it", items.Reason)
	assert.Equal(t, report.Pass, got["get-boxes-boxid-balls-200-body-array"].Verdict)
}
