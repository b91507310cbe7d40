package conformance_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

const albums = `
openapi: 3.0.3
info: {title: Albums, version: "1"}
paths:
  /albums:
    post:
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}
  "/albums/{album}":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}]
    delete: {responses: {"204": {description: gone}, "400": {description: wrong}, "404": {description: none}}}
  "/albums/{album}/photos":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}]
    get:
      responses: {"200": {description: some, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}, "400": {description: wrong}, "404": {description: none}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {"201": {description: made, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {type: object}}}}, "400": {description: wrong}, "404": {description: none}}
  "/albums/{album}/photos/{photo}":
    parameters: [{name: album, in: path, required: true, schema: {type: integer, format: int64}}, {name: photo, in: path, required: true, schema: {type: integer, format: int64}}]
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, "400": {description: wrong}, "404": {description: none}}}
components:
  schemas: {Thing: {type: object, required: [id], properties: {id: {type: integer, format: int64}, title: {type: string}}}}
`

// album serves albums. Each of the faults does one thing wrong.
type album struct {
	mu       sync.Mutex
	last     int64
	photos   map[int64]map[int64]string
	outlives bool // photos are listed when their album is gone
	nowhere  bool // the Location of a photo has another id
}

func (a *album) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var ids [2]int64
	for i, at := range []int{1, 3} {
		if at < len(parts) {
			n, err := strconv.ParseInt(parts[at], 10, 64)
			if err != nil || strconv.FormatInt(n, 10) != parts[at] {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			ids[i] = n
		}
	}
	within, exists := a.photos[ids[0]]
	gone := !exists || within[0] == "deleted"
	switch title := members(r).Get("title"); {
	case len(parts) == 1:
		a.last++
		a.photos[a.last] = map[int64]string{}
		answering(http.StatusCreated, fmt.Sprintf(`{"id":%d}`, a.last))(w, r)
	case !exists, gone && !(a.outlives && len(parts) == 3 && r.Method == http.MethodGet):
		w.WriteHeader(http.StatusNotFound)
	case len(parts) == 2:
		within[0] = "deleted"
		w.WriteHeader(http.StatusNoContent)
	case len(parts) == 4 && ids[1] != 0 && within[ids[1]] != "":
		answering(http.StatusOK, fmt.Sprintf(`{"id":%d,"title":%s}`, ids[1], within[ids[1]]))(w, r)
	case len(parts) == 4:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodGet:
		list := []string{}
		for id := int64(1); id <= a.last; id++ {
			if within[id] != "" {
				list = append(list, fmt.Sprintf(`{"id":%d,"title":%s}`, id, within[id]))
			}
		}
		answering(http.StatusOK, "["+strings.Join(list, ",")+"]")(w, r)
	case title == nil || title.Kind != jsontree.String:
		w.WriteHeader(http.StatusBadRequest)
	default:
		a.last++
		within[a.last] = string(title.Emit())
		at := a.last
		if a.nowhere {
			at += 1_000_000
		}
		w.Header().Set("Location", fmt.Sprintf("/albums/%d/photos/%d", ids[0], at))
		answering(http.StatusCreated, "{}")(w, r)
	}
}

func TestItemsThatOutliveWhatHeldThemAndALocationThatLeadsNowhereAreFound(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		server *album
		want   []string
	}{
		"right":    {&album{}, nil},
		"outlives": {&album{outlives: true}, []string{"get-albums-album-photos-gone"}},
		"nowhere":  {&album{nowhere: true}, []string{"get-albums-album-photos-photo-created-readable"}},
	} {
		row.server.photos = map[int64]map[int64]string{}
		r := judgeServer(t, row.server, conformance.Config{Spec: []byte(albums), Draws: -1, Effort: "gate", Only: []string{"*/sequence/*"}})
		var failed []string
		for _, x := range r.Results {
			if x.Verdict == report.Fail {
				failed = append(failed, x.Requirement)
			}
		}
		assert.Equal(t, row.want, failed, name)
	}
}
