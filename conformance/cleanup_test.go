package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// shelves is a document of shelves with books on them.
const shelves = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
	"components": {"schemas": {"New": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}},
		"Made": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
		"responses": {"Made": {"description": "made", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Made"}}}},
			"No": {"description": "no"}},
		"requestBodies": {"New": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/New"}}}}}},
	"paths": {
		"/shelves": {"post": {"operationId": "addShelf", "requestBody": {"$ref": "#/components/requestBodies/New"}, "responses": {"201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/No"}}}},
		"/shelves/{shelfId}": {"parameters": [{"name": "shelfId", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"delete": {"operationId": "removeShelf", "responses": {"204": {"description": "gone"}, "404": {"$ref": "#/components/responses/No"}, "409": {"$ref": "#/components/responses/No"}}}},
		"/shelves/{shelfId}/books": {"parameters": [{"name": "shelfId", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"post": {"operationId": "addBook", "requestBody": {"$ref": "#/components/requestBodies/New"}, "responses": {"201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/No"}, "404": {"$ref": "#/components/responses/No"}}}},
		"/shelves/{shelfId}/books/{bookId}": {"parameters": [{"name": "shelfId", "in": "path", "required": true, "schema": {"type": "integer"}}, {"name": "bookId", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"delete": {"operationId": "removeBook", "responses": {"204": {"description": "gone"}, "404": {"$ref": "#/components/responses/No"}}}}}}`

// library serves shelves. A shelf with books on it cannot be removed.
type library struct {
	mu      sync.Mutex
	last    int
	shelves map[string]map[string]bool
	// locked makes it refuse to remove shelves after the first ones.
	locked  bool
	removed int
}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shelves", func(w http.ResponseWriter, r *http.Request) {
		l.add(w, r, func(id string) { l.shelves[id] = map[string]bool{} })
	})
	mux.HandleFunc("DELETE /shelves/{shelf}", func(w http.ResponseWriter, r *http.Request) {
		books, found := l.shelves[r.PathValue("shelf")]
		switch {
		case !found:
			w.WriteHeader(http.StatusNotFound)
		case len(books) > 0 || l.locked && l.removed > 5:
			w.WriteHeader(http.StatusConflict)
		default:
			l.removed++
			delete(l.shelves, r.PathValue("shelf"))
			w.WriteHeader(http.StatusNoContent)
		}
	})
	mux.HandleFunc("POST /shelves/{shelf}/books", func(w http.ResponseWriter, r *http.Request) {
		books, found := l.shelves[r.PathValue("shelf")]
		if !found {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		l.add(w, r, func(id string) { books[id] = true })
	})
	mux.HandleFunc("DELETE /shelves/{shelf}/books/{book}", func(w http.ResponseWriter, r *http.Request) {
		books := l.shelves[r.PathValue("shelf")]
		if !books[r.PathValue("book")] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		delete(books, r.PathValue("book"))
		w.WriteHeader(http.StatusNoContent)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	mux.ServeHTTP(w, r)
}

// add makes what a valid body asks for.
func (l *library) add(w http.ResponseWriter, r *http.Request, store func(id string)) {
	b, _ := io.ReadAll(r.Body)
	doc, err := jsontree.Parse(b)
	if err != nil || doc.Root.Kind != jsontree.Object || doc.Root.Get("title") == nil || doc.Root.Get("title").Kind != jsontree.String {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	l.last++
	store(fmt.Sprint(l.last))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, _ = fmt.Fprintf(w, `{"id": %d}`, l.last)
}

// unanswered reports whether a request of the run got no answer, as on a busy machine: then nobody knows
// what else was made.
func unanswered(r *report.Report) bool {
	return r.CleanUp != nil && strings.Contains(strings.Join(r.CleanUp.Left, ""), "did not answer")
}

func TestWhatAnExcludedOperationWouldDeleteIsCountedAsLeft(t *testing.T) {
	t.Parallel()
	l := &library{shelves: map[string]map[string]bool{}, last: 100}
	got := judgeServer(t, l, conformance.Config{Spec: []byte(shelves), Draws: -1, Effort: "smoke", Include: []string{"addShelf"}})
	require.NotNil(t, got.CleanUp)
	assert.Zero(t, got.CleanUp.Deleted)
	assert.Equal(t, len(l.shelves), got.CleanUp.Made)
	assert.Equal(t, []string{fmt.Sprintf("removeShelf was not tried (%d)", len(l.shelves))}, got.CleanUp.Left)
}

// tidied runs the suite against a library that has one book already.
func tidied(t *testing.T, l *library, keep bool) *report.Report {
	t.Helper()
	l.shelves = map[string]map[string]bool{"7": {"8": true}}
	l.last = 100
	return judgeServer(t, l, conformance.Config{Spec: []byte(shelves), Draws: -1, Effort: "smoke", Keep: keep})
}

func TestARunDeletesWhatItMadeAndNothingElse(t *testing.T) {
	t.Parallel()
	l := &library{}
	got := tidied(t, l, false)
	require.NotNil(t, got.CleanUp)
	assert.Positive(t, got.CleanUp.Made)
	assert.Equal(t, got.CleanUp.Made, got.CleanUp.Deleted)
	assert.Empty(t, got.CleanUp.Left)
	assert.Equal(t, map[string]map[string]bool{"7": {"8": true}}, l.shelves, "what was there stays")
}

func TestARunKeepsWhatItMadeIfToldTo(t *testing.T) {
	t.Parallel()
	l := &library{}
	assert.Nil(t, tidied(t, l, true).CleanUp)
	assert.Greater(t, len(l.shelves), 2)
}

func TestWhatCannotBeDeletedIsCounted(t *testing.T) {
	t.Parallel()
	l := &library{locked: true}
	got := tidied(t, l, false)
	require.NotNil(t, got.CleanUp)
	require.Len(t, got.CleanUp.Left, 1, "it goes on after refusals")
	assert.Contains(t, got.CleanUp.Left[0], "removeShelf was answered with 409")
	assert.Equal(t, got.CleanUp.Made-got.CleanUp.Deleted, len(l.shelves)-1)
	assert.Zero(t, got.Summary.Errors)
}

// labels is a document of things whose names the client chooses.
const labels = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/labels/{label}": {
	"parameters": [{"name": "label", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^[a-z]{4,20}$"}}],
	"put": {"operationId": "setLabel", "responses": {"200": {"description": "replaced"}, "201": {"description": "made"}, "400": {"description": "no"}}},
	"delete": {"operationId": "removeLabel", "responses": {"204": {"description": "gone"}, "400": {"description": "no"}, "404": {"description": "no"}}}}}}`

// labelled serves labels. It answers a PUT with its status.
type labelled struct {
	mu     sync.Mutex
	known  map[string]bool
	status int
}

func (l *labelled) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	label := strings.TrimPrefix(r.URL.Path, "/labels/")
	switch {
	case !regexp.MustCompile("^[a-z]{4,20}$").MatchString(label):
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPut:
		l.known[label] = true
		w.WriteHeader(l.status)
	case r.Method == http.MethodDelete && l.known[label]:
		delete(l.known, label)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestWhatWasReplacedIsNotDeleted(t *testing.T) {
	t.Parallel()
	for status, deleted := range map[int]bool{http.StatusOK: false, http.StatusCreated: true} {
		l := &labelled{known: map[string]bool{}, status: status}
		got := judgeServer(t, l, conformance.Config{Spec: []byte(labels), Draws: -1, Effort: "smoke"})
		if unanswered(got) {
			continue
		}
		assert.Equal(t, deleted, got.CleanUp != nil, status)
		assert.Equal(t, deleted, len(l.known) == 0, "%d: %v", status, l.known)
	}
}

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
	t.Parallel()
	s := &stationed{}
	got := judgeServer(t, s, conformance.Config{Spec: []byte(station), Draws: -1, Effort: "smoke"})
	assert.Zero(t, s.off.Load())
	assert.Zero(t, s.reset.Load())
	assert.Positive(t, s.passwords.Load(), "of a member of the crew that the run made")
	assert.True(t, got.Summary.Partial)
	assert.Contains(t, got.Header.LeftOut, "newEpoch, engineShutdown: not sent, because it may harm others or their data: --allow-disruptive, or --include with the whole name")
}

func TestWhatSoundsDisruptiveIsSentIfItIsAllowedOrNamed(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
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
	t.Parallel()
	s := &stationed{}
	judgeServer(t, s, conformance.Config{Spec: []byte(station), Draws: -1, Effort: "smoke", Include: []string{"POST", "DELETE"}})
	assert.Zero(t, s.off.Load()+s.reset.Load())
}

// TestAThingThatTheUserNamesKeepsAllThatIsBelowIt: the user's books are not the run's to delete.
func TestAThingThatTheUserNamesKeepsAllThatIsBelowIt(t *testing.T) {
	t.Parallel()
	const list = `"/shelves/{shelfId}/books": {"get": {"operationId": "books", "parameters": [{"name": "shelfId", "in": "path", "required": true, "schema": {"type": "integer"}}], "responses": {"200": {"description": "all"}, "404": {"$ref": "#/components/responses/No"}}},
			"delete": {"operationId": "removeBooks", "parameters": [{"name": "shelfId", "in": "path", "required": true, "schema": {"type": "integer"}}], "responses": {"204": {"description": "gone"}, "404": {"$ref": "#/components/responses/No"}}},`
	for name, document := range map[string]string{
		"things are made":            shelves,
		"nothing tells what is made": strings.ReplaceAll(shelves, `{"id": {"type": "integer"}}`, `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			l := &library{last: 7, shelves: map[string]map[string]bool{"7": {"1": true}}}
			var emptied atomic.Int32
			serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				shelf, below, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/shelves/"), "/")
				l.mu.Lock()
				_, found := l.shelves[shelf]
				switch {
				case below != "books" || r.Method == http.MethodPost:
					l.mu.Unlock()
					l.ServeHTTP(w, r)
					return
				case !found:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodDelete:
					l.shelves[shelf] = map[string]bool{}
					emptied.Add(1)
					w.WriteHeader(http.StatusNoContent)
				}
				l.mu.Unlock()
			})
			spec := strings.Replace(document, `"/shelves/{shelfId}/books": {`, list, 1)
			judgeServer(t, serve, conformance.Config{Spec: []byte(spec), Draws: -1, Effort: "smoke", Values: []string{"path/shelfId=7"}})
			assert.True(t, l.shelves["7"]["1"], "a book of the user")
			assert.Zero(t, emptied.Load())
			if name == "things are made" {
				judgeServer(t, serve, conformance.Config{Spec: []byte(spec), Draws: -1, Effort: "smoke"})
				assert.Positive(t, emptied.Load(), "shelves of the run are emptied")
				assert.True(t, l.shelves["7"]["1"], "a book of the user")
			}
		})
	}
}

func TestNothingIsLeftIfAllSoundsDisruptive(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Config{Target: "http://127.0.0.1:1", Spec: []byte(station), Include: []string{"/engine*"}})
	require.ErrorContains(t, err, "no operation is left to try: ")
	require.ErrorContains(t, err, "engineShutdown: not sent, because it may harm others or their data: --allow-disruptive")
}

// parcels is a document of boxes that are made by POST, which gives them a key, or by PUT at a key of
// the client, and of notes, which nothing deletes.
const parcels = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"},
	"components": {"schemas": {"Made": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "title": {"type": "string"}}}},
		"requestBodies": {"New": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}}}}},
		"responses": {"Made": {"description": "made", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Made"}}}}, "Done": {"description": "done"}}},
	"paths": {
		"/boxes": {"post": {"operationId": "addBox", "requestBody": {"$ref": "#/components/requestBodies/New"}, "responses": {"201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/Done"}}}},
		"/boxes/{boxId}": {"parameters": [{"name": "boxId", "in": "path", "required": true, "schema": {"type": "string", "pattern": "^[a-z0-9]{4,30}$"}}],
			"put": {"operationId": "setBox", "requestBody": {"$ref": "#/components/requestBodies/New"}, "responses": {"200": {"$ref": "#/components/responses/Made"}, "201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/Done"}}},
			"delete": {"operationId": "removeBox", "responses": {"204": {"$ref": "#/components/responses/Done"}, "400": {"$ref": "#/components/responses/Done"}, "404": {"$ref": "#/components/responses/Done"}}}},
		"/notes": {"post": {"operationId": "addNote", "requestBody": {"$ref": "#/components/requestBodies/New"}, "responses": {"201": {"$ref": "#/components/responses/Made"}, "400": {"$ref": "#/components/responses/Done"}}}}}}`

// storing serves boxes and notes.
type storing struct {
	mu           sync.Mutex
	boxes, notes map[string]bool
}

func (s *storing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	store := func(in map[string]bool, key string) {
		b, _ := io.ReadAll(r.Body)
		doc, err := jsontree.Parse(b)
		if err != nil || doc.Root.Kind != jsontree.Object || doc.Root.Get("title") == nil || doc.Root.Get("title").Kind != jsontree.String {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		status := http.StatusCreated
		if in[key] {
			status = http.StatusOK
		}
		in[key] = true
		answering(status, `{"id": "`+key+`"}`)(w, r)
	}
	key, item := strings.CutPrefix(r.URL.Path, "/boxes/")
	switch {
	case item && !regexp.MustCompile("^[a-z0-9]{4,30}$").MatchString(key):
		w.WriteHeader(http.StatusBadRequest)
	case r.Method == http.MethodPost && r.URL.Path == "/boxes":
		store(s.boxes, fmt.Sprintf("made%d", len(s.boxes)+1000))
	case r.Method == http.MethodPost && r.URL.Path == "/notes":
		store(s.notes, fmt.Sprintf("note%d", len(s.notes)))
	case item && r.Method == http.MethodPut:
		store(s.boxes, key)
	case item && r.Method == http.MethodDelete && s.boxes[key]:
		delete(s.boxes, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestWhatWasMadeInAnotherWayThanWhatWasDeletedFirstIsDeletedAndWhatNothingDeletesIsCounted(t *testing.T) {
	t.Parallel()
	s := &storing{boxes: map[string]bool{"mine": true}, notes: map[string]bool{}}
	got := judgeServer(t, s, conformance.Config{Spec: []byte(parcels), Draws: -1, Effort: "smoke"})
	require.NotNil(t, got.CleanUp)
	assert.Equal(t, map[string]bool{"mine": true}, s.boxes, "%+v", *got.CleanUp)
	assert.Equal(t, got.CleanUp.Made, got.CleanUp.Deleted)
	assert.Contains(t, got.CleanUp.Left, fmt.Sprintf("addNote made what no operation deletes (%d)", len(s.notes)))
}
