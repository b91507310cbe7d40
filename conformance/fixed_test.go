package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// tickets is a document whose answers name what they made twice, in the body and in Location.
const tickets = `{openapi: 3.0.3, info: {title: Tickets, version: "1"}, paths: {
  /tickets: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"201": {description: made, headers: {Location: {schema: {type: string, format: uri-reference}}}, content: {application/json: {schema: {$ref: "#/components/schemas/Ticket"}}}}, "400": {description: refused}}}},
  "/tickets/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Ticket"}}}}, "400": {description: wrong}, "404": {description: none}}}}},
  components: {schemas: {Ticket: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`

// ticketsWith serves tickets. The functions change the number in the body and in Location of the answer
// that makes a ticket, and the number that a read shows.
func ticketsWith(body, location, read func(id int) int) http.HandlerFunc {
	var mu sync.Mutex
	var all []*jsontree.Value
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		in := members(r)
		text, one := strings.CutPrefix(r.URL.Path, "/tickets/")
		id, err := strconv.Atoi(text)
		w.Header().Set("Content-Type", "application/json")
		switch name := in.Get("name"); {
		case r.Method == http.MethodPost && (name == nil || name.Kind != jsontree.String), one && err != nil:
			w.WriteHeader(http.StatusBadRequest)
		case r.Method == http.MethodPost:
			all = append(all, name)
			w.Header().Set("Location", fmt.Sprint("/tickets/", location(len(all))))
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"id":%d,"name":%s}`, body(len(all)), name)
		case id < 1 || id > len(all):
			w.WriteHeader(http.StatusNotFound)
		default:
			fmt.Fprintf(w, `{"id":%d,"name":%s}`, read(id), all[id-1])
		}
	}
}

func TestAKeyThatDiffersFromLocationOrFromWhatIsReadIsFound(t *testing.T) {
	t.Parallel()
	same, far := func(id int) int { return id }, func(id int) int { return id + 1_000_000 }
	first, before := func(int) int { return 1 }, func(id int) int { return max(1, id-1) }
	for name, row := range map[string]struct {
		body, location, read func(int) int
		failed               string
	}{
		"right":                  {same, same, same, ""},
		"a body of nothing":      {far, same, same, "get-tickets-id-stored-created"},
		"a Location of nothing":  {same, far, same, "get-tickets-id-created-readable"},
		"a Location of another":  {same, before, same, "get-tickets-id-created-readable"},
		"a read of another":      {same, same, first, "get-tickets-id-stored-created"},
		"one number for several": {first, first, same, "get-tickets-id-stored-created"},
	} {
		if name != "right" && !sample.Has(t.Name()+name, 3) {
			continue
		}
		got := judgeServer(t, ticketsWith(row.body, row.location, row.read), conformance.Config{Spec: []byte(tickets), Effort: "gate", Draws: -1, Only: []string{"*/sequence/*"}})
		if row.failed == "" {
			assert.Empty(t, failing(got), name)
		} else {
			assert.Contains(t, failing(got), row.failed, name)
		}
	}
}

// fixed is a document of what stands at fixed paths, and of files.
const fixed = `{openapi: 3.0.3, info: {title: Fixed, version: "1"}, paths: {
  /settings: {get: {responses: {"200": {description: one, content: {application/json: {schema: &settings {type: object, required: [title], properties: {title: {type: string}, size: {type: integer}}}}}}}},
    put: {requestBody: {required: true, content: {application/json: {schema: *settings}}}, responses: {"204": {description: done}, "400": {description: refused}}}},
  /greeting: {get: {responses: {"200": {description: one, content: {text/plain: {schema: {type: string}}}}}},
    put: {requestBody: {required: true, content: {text/plain: {schema: {type: string}}}}, responses: {"204": {description: done}, "400": {description: refused}}}},
  "/files/{name}": {parameters: [{name: name, in: path, required: true, schema: {type: string, pattern: "^[a-z]{1,20}$"}}],
    get: {responses: {"200": &bytes {description: all, content: {application/octet-stream: {schema: {type: string, format: binary}}}}, "206": *bytes, "404": {description: none}}},
    put: {requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}, responses: {"204": {description: done}, "201": {description: made}, "400": {description: refused}}}}}}`

// shelved serves fixed. It does not store what is put at a path that lost has, and part changes what a
// part of a file is answered with.
func shelved(lost string, part func(first, last, size int) (from, to int, field string)) http.HandlerFunc {
	var mu sync.Mutex
	there := map[string][]byte{"/settings": []byte(`{"title":"a","size":1}`), "/greeting": []byte("hello")}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		is, known := there[r.URL.Path]
		media := map[string]string{"/settings": "application/json", "/greeting": "text/plain; charset=utf-8"}[r.URL.Path]
		if media == "" {
			media = "application/octet-stream"
		}
		if r.Method == http.MethodPut {
			if r.URL.Path != lost {
				there[r.URL.Path] = body
			}
			w.WriteHeader(map[bool]int{true: http.StatusNoContent, false: http.StatusCreated}[known])
			return
		}
		if !known {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", media)
		if r.Header.Get("Range") == "bytes=1-2" && len(is) > 3 && !strings.HasPrefix(media, "text/") {
			from, to, field := part(1, 2, len(is))
			w.Header().Set("Content-Range", field)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(is[from : to+1])
			return
		}
		_, _ = w.Write(is)
	}
}

func TestAPUTAtAFixedPathThatStoresNothingAndAWrongPartOfAFileAreFound(t *testing.T) {
	t.Parallel()
	field := func(first, last, size int) string { return fmt.Sprintf("bytes %d-%d/%d", first, last, size) }
	right := func(first, last, size int) (int, int, string) { return first, last, field(first, last, size) }
	const part = "get-files-name-partial-content"
	for name, row := range map[string]struct {
		lost   string
		part   func(first, last, size int) (int, int, string)
		failed []string
	}{
		"right":         {"", right, []string{}},
		"settings":      {"/settings", right, []string{"get-settings-stored-replaced"}},
		"a text":        {"/greeting", right, []string{"get-greeting-stored-replaced"}},
		"a byte less":   {"", func(first, last, size int) (int, int, string) { return first, last - 1, field(first, last, size) }, []string{part}},
		"bytes before":  {"", func(first, last, size int) (int, int, string) { return first - 1, last - 1, field(first, last, size) }, []string{part}},
		"another total": {"", func(first, last, size int) (int, int, string) { return first, last, field(first, last, size+1) }, []string{part}},
	} {
		if name != "right" && !sample.Has(t.Name()+name, 3) {
			continue
		}
		got := judgeServer(t, shelved(row.lost, row.part), conformance.Config{Spec: []byte(fixed), Effort: "gate", Draws: -1, Only: []string{"*/sequence/*"}})
		assert.Equal(t, row.failed, slices.DeleteFunc(failing(got), func(id string) bool { return !strings.Contains(id, "stored") && id != part }), name)
	}
}

// jobs is a document of jobs whose results come later.
const jobs = `{openapi: 3.0.3, info: {title: Jobs, version: "1"}, paths: {
  /jobs: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"202": {description: taken, headers: {Location: {schema: {type: string, format: uri-reference}}}, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}, "400": {description: refused}}}},
  "/jobs/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}, "303": {description: done, headers: {Location: {schema: {type: string}}}}, "400": {description: wrong}, "404": {description: none}}}},
  "/jobs/{id}/result": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {type: object, required: [sum], properties: {sum: {type: integer}}}}}}, "400": {description: wrong}, "404": {description: none}, "409": {description: not done}, "425": {description: early}}}}},
  components: {schemas: {Job: {type: object, required: [id, state], properties: {id: {type: integer}, state: {type: string, enum: [queued, running, done]}}}}}}`

// working serves jobs. Until a job is ready, its result is answered with the status not; a wrong one is no number.
func working(not int, ready func(polls int, age time.Duration) bool, wrong bool) http.HandlerFunc {
	var mu sync.Mutex
	var made []time.Time
	polls := map[int]int{}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		in := members(r)
		text, one := strings.CutPrefix(r.URL.Path, "/jobs/")
		text, result := strings.CutSuffix(text, "/result")
		id, err := strconv.Atoi(text)
		w.Header().Set("Content-Type", "application/json")
		switch name := in.Get("name"); {
		case r.Method == http.MethodPost && (name == nil || name.Kind != jsontree.String), one && err != nil:
			w.WriteHeader(http.StatusBadRequest)
		case r.Method == http.MethodPost:
			made = append(made, time.Now())
			w.Header().Set("Location", fmt.Sprint("/jobs/", len(made)))
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprintf(w, `{"id":%d,"state":"queued"}`, len(made))
		case id < 1 || id > len(made):
			w.WriteHeader(http.StatusNotFound)
		case result:
			if !ready(polls[id], time.Since(made[id-1])) {
				w.WriteHeader(not)
				return
			}
			if wrong {
				_, _ = io.WriteString(w, `{"sum":"x"}`)
				return
			}
			_, _ = io.WriteString(w, `{"sum":3}`)
		default:
			polls[id]++
			if ready(polls[id], time.Since(made[id-1])) {
				w.Header().Set("Location", r.URL.Path+"/result")
				w.WriteHeader(http.StatusSeeOther)
				return
			}
			fmt.Fprintf(w, `{"id":%d,"state":"running"}`, id)
		}
	}
}

func TestAResultThatComesLaterOrAfterSomeLooksAtItsJobIsWaitedForAndJudged(t *testing.T) {
	t.Parallel()
	for _, not := range []int{http.StatusNotFound, http.StatusConflict, http.StatusTooEarly} {
		for name, ready := range map[string]func(polls int, age time.Duration) bool{
			"time":  func(_ int, age time.Duration) bool { return age > 100*time.Millisecond },
			"looks": func(polls int, _ time.Duration) bool { return polls > 3 },
		} {
			if !sample.Has(fmt.Sprint(t.Name(), name, not), 3) {
				continue
			}
			for _, wrong := range []bool{false, true} {
				got := judgeServer(t, working(not, ready, wrong), conformance.Config{Spec: []byte(jobs), Effort: "smoke", Draws: -1})
				if wrong {
					assert.Equal(t, []string{"get-jobs-id-result-200-body-sum-integer"}, failedMusts(got), "%d %s", not, name)
				} else {
					assert.Equal(t, report.Conformant, got.Summary.Verdict, "%d %s: %v %v", not, name, failedMusts(got), got.Summary.Reasons)
				}
			}
		}
	}
}
