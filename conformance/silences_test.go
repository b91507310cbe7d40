package conformance_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// counted is a document whose parameters are numbers and texts, in each place.
const counted = `{openapi: 3.0.3, info: {title: Rooms, version: "1"}, paths: {"/rooms/{id}/{key}": {get: {parameters: [
  {name: id, in: path, required: true, example: 12, schema: {type: integer}}, {name: key, in: path, required: true, example: k12, schema: {type: string}},
  {name: n, in: query, schema: {type: integer}}, {name: text, in: query, schema: {type: string}}, {name: Size, in: header, schema: {type: integer}}],
  responses: {"200": {description: ok}, "400": {description: refused}, "404": {description: none}}}}}}`

// rooms serves counted. Wrong gives the status of a parameter that is read in a wrong way, or 0.
func rooms(wrong func(place, text string) int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/rooms/"), "/")
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil || len(path) != 2 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		id, _ := url.PathUnescape(path[0])
		key, _ := url.PathUnescape(path[1])
		given := map[string][]string{"id": {id}, "key": {key}, "n": query["n"], "text": query["text"], "size": r.Header.Values("Size")}
		status := http.StatusOK
		for _, place := range []string{"id", "n", "size", "text", "key"} {
			values := given[place]
			if len(values) == 0 {
				continue
			}
			is := wrong(place, strings.Join(values, ","))
			switch number := place != "text" && place != "key"; {
			case is != 0:
				status = is
			case len(values) > 1 || number && !wholeNumber.MatchString(values[0]):
				status = max(status, http.StatusBadRequest)
			case place == "id" && id != "12" && wrong("id", id) == 0, place == "key" && key != "k12":
				status = max(status, http.StatusNotFound)
			}
		}
		w.WriteHeader(status)
	}
}

func digits(text string, least int) bool {
	return len(text) >= least && strings.Trim(text, "0123456789") == ""
}

func TestAServerThatFailsAtAnUnusualTextOfAParameterIsFoundInEachPlace(t *testing.T) {
	t.Parallel()
	const crash = "get-rooms-id-key-answered"
	numbers := map[string]string{"id": "path-id", "n": "query-n", "size": "header-size"}
	type fault struct {
		status int
		shows  func(text string) bool
		failed string
	}
	rows := map[string]map[string]fault{"": {"right": {0, nil, ""}}}
	for place, name := range numbers {
		rows[place] = map[string]fault{
			"13 digits": {500, func(text string) bool { return digits(text, 13) }, crash},
			"letters": {200, func(text string) bool {
				return text != "12" && strings.HasPrefix(text, "12") && strings.Trim(text[2:], "abcdefghijklmnopqrstuvwxyz") == ""
			}, "get-rooms-id-key-" + name + "-integer"},
			"300 digits": {500, func(text string) bool { return digits(text, 300) }, crash},
		}
	}
	for _, place := range []string{"key", "text"} {
		rows[place] = map[string]fault{
			"a zero byte":    {500, func(text string) bool { return strings.Contains(text, "\x00") }, crash},
			"300 characters": {500, func(text string) bool { return len(text) >= 300 }, crash},
			"13 digits":      {500, func(text string) bool { return digits(text, 13) }, crash},
		}
	}
	for _, place := range []string{"n", "text"} {
		rows[place]["twice"] = fault{500, func(text string) bool {
			return strings.Contains(text, ",") && place == "n" || strings.Count(text, ",") == 1 && text != ","
		}, crash}
	}
	for place, faults := range rows {
		for name, f := range faults {
			t.Run(place+" "+name, func(t *testing.T) {
				t.Parallel()
				sample.OneIn(t, 16)
				got := judgeServer(t, rooms(func(at, text string) int {
					if at == place && f.shows(text) {
						return f.status
					}
					return 0
				}), conformance.Config{Spec: []byte(counted), Effort: "full"})
				if f.failed == "" {
					assert.Equal(t, report.Conformant, got.Summary.Verdict, "%v %v", failedMusts(got), got.Summary.Reasons)
				} else {
					assert.Equal(t, []string{f.failed}, failedMusts(got))
				}
			})
		}
	}
}

// What is refused in any form is refused, and not a crash.
func TestAServerThatFailsAtALongCredentialIsFoundWhateverItsLength(t *testing.T) {
	t.Parallel()
	const secret = "ann:a-secret-0123456789"
	for scheme, row := range map[string]struct {
		field, right string
		least        int
	}{
		"{type: http, scheme: bearer}":             {"Authorization", "Bearer " + secret, 4000},
		"{type: apiKey, in: header, name: X-Key}":  {"X-Key", secret, 1000},
		"{type: http, scheme: basic}":              {"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(secret)), 100},
		"{type: http, scheme: bearer, x-right: 1}": {"Authorization", "Bearer " + secret, 0},
	} {
		doc := `{openapi: 3.0.3, info: {title: Safe, version: "1"}, components: {securitySchemes: {s: ` + scheme + `}}, security: [{s: []}], paths: {/safe: {get: {responses: {"200": {description: ok}, "401": {description: who}}}}}}`
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent := strings.Join(r.Header.Values(row.field), ",")
			kind, value, _ := strings.Cut(sent, " ")
			right, secret, _ := strings.Cut(row.right, " ")
			switch {
			case row.least > 0 && len(sent) > row.least:
				w.WriteHeader(http.StatusInternalServerError)
			case !(sent == row.right || secret != "" && strings.EqualFold(kind, right) && strings.TrimLeft(value, " ") == secret):
				w.Header().Set("WWW-Authenticate", right)
				w.WriteHeader(http.StatusUnauthorized)
			}
		}), conformance.Config{Spec: []byte(doc), Token: secret, Draws: -1})
		assert.Equal(t, row.least > 0, len(failedMusts(got)) > 0, "%s: %v %v", scheme, failedMusts(got), got.Summary.Reasons)
	}
}

// The command that is shown sends the empty body too.
func TestAServerErrorForAnEmptyBodyIsFoundAndItsCommandSendsOne(t *testing.T) {
	t.Parallel()
	for _, required := range []string{"true", "false"} {
		doc := `{openapi: 3.0.3, info: {title: Notes, version: "1"}, paths: {/notes: {post: {requestBody: {required: ` + required + `, content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}},
		  responses: {"200": {description: ok}, "400": {description: refused}}}}}}`
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch body := members(r); {
			case r.Header.Get("Content-Length") == "0" || r.ContentLength == 0 && r.Header.Get("Content-Type") != "":
				w.WriteHeader(http.StatusInternalServerError)
			case r.ContentLength == 0 && required == "false":
			case body == nil || body.Get("n") != nil && !whole(body.Get("n")):
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusBadRequest)
			}
		}), conformance.Config{Spec: []byte(doc), Draws: -1})
		assert.Equal(t, []string{"post-notes-answered"}, failedMusts(got), required)
		for _, x := range got.Results {
			for _, f := range x.Failures {
				assert.Contains(t, f.Curl, "--data-binary ''", "%s: %s", required, f.Sent)
			}
		}
	}
}

const shelf = `{openapi: 3.0.3, info: {title: Shelf, version: "1"}, paths: {
  /books: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}, "400": {description: refused}, "409": {description: known}}}},
  "/books/{id}": {delete: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"204": {description: gone}, "400": {description: refused}, "404": {description: none}, "409": {description: held}}}}}}`

// books serves shelf. The functions give the status of a book that is not made, or not deleted.
func books(notMade func(name string, known bool) int, notDeleted func(id int) int) (http.HandlerFunc, func() []int) {
	var mu sync.Mutex
	names, there, last := map[string]bool{}, map[int]bool{}, 0
	left := func() []int {
		mu.Lock()
		defer mu.Unlock()
		return slices.Sorted(maps.Keys(there))
	}
	return func(w http.ResponseWriter, r *http.Request) {
		body := members(r)
		mu.Lock()
		defer mu.Unlock()
		text, one := strings.CutPrefix(r.URL.Path, "/books/")
		id, err := strconv.Atoi(text)
		switch name := body.Get("name"); {
		case one && (err != nil || !wholeNumber.MatchString(text)):
			w.WriteHeader(http.StatusBadRequest)
		case one && !there[id]:
			w.WriteHeader(http.StatusNotFound)
		case one && notDeleted(id) != 0:
			w.WriteHeader(notDeleted(id))
		case one:
			delete(there, id)
			w.WriteHeader(http.StatusNoContent)
		case name == nil || name.Kind != jsontree.String:
			w.WriteHeader(http.StatusBadRequest)
		case notMade(name.Text, names[name.Text]) != 0:
			w.WriteHeader(notMade(name.Text, names[name.Text]))
		default:
			last++
			names[name.Text], there[last] = true, true
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, `{"id": %d}`, last)
		}
	}, left
}

// A run learns much from the first requests, and a server error is no lesson.
func TestAServerErrorOfTheFirstRequestsIsAFailure(t *testing.T) {
	t.Parallel()
	all := func(int) int { return 0 }
	for name, notMade := range map[string]func(name string, known bool) int{
		"right":                  func(_ string, known bool) int { return map[bool]int{true: 409}[known] },
		"a repeated name is 500": func(_ string, known bool) int { return map[bool]int{true: 500}[known] },
		"nothing is ever made":   func(string, bool) int { return 500 },
	} {
		server, _ := books(notMade, all)
		got := judgeServer(t, server, conformance.Config{Spec: []byte(shelf), Effort: "smoke"})
		if name == "right" {
			assert.Equal(t, report.Conformant, got.Summary.Verdict, "%v %v", failedMusts(got), got.Summary.Reasons)
			continue
		}
		assert.Equal(t, report.NotConformant, got.Summary.Verdict, name)
		assert.Contains(t, failedMusts(got), "post-books-answered", name)
	}
}

func TestTheCleanUpGoesOnAfterManyRefusals(t *testing.T) {
	t.Parallel()
	server, left := books(func(string, bool) int { return 0 }, func(id int) int { return map[bool]int{true: 409}[id%4 != 0] })
	got := judgeServer(t, server, conformance.Config{Spec: []byte(shelf), Effort: "smoke"})
	require.NotNil(t, got.CleanUp)
	still := left()
	assert.Greater(t, len(still), 20, "most are held")
	if unanswered(got) {
		return
	}
	for _, id := range still {
		assert.NotZero(t, id%4, "what can be deleted is deleted, but: %s", got.CleanUp.Left)
	}
}

// A PUT that makes what its path names is answered with 404 where it lacks an optional member: the
// path is not the reason, as other names are taken with the member.
func TestAnOptionalMemberThatAServerDemandsIsFoundThoughTheRefusalIsThatOfAMissingThing(t *testing.T) {
	t.Parallel()
	sample.OneIn(t, 7)
	const files = `{openapi: 3.0.3, info: {title: Files, version: "1"}, paths: {"/files/{path}": {
	  parameters: [{name: path, in: path, required: true, schema: {type: string}}],
	  put: {requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"201": {description: made}, "400": {description: refused}, "404": {description: none}}},
	  get: {responses: {"200": {description: found}, "404": {description: none}}}}}}`
	for demands, want := range map[bool][]string{false: nil, true: {"put-files-path-body-text-optional"}} {
		var there sync.Map
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := members(r)
			_, known := there.Load(r.URL.Path)
			switch text := body.Get("text"); {
			case r.Method == http.MethodGet && !known:
				w.WriteHeader(http.StatusNotFound)
			case r.Method == http.MethodGet:
			case body == nil || text != nil && text.Kind != jsontree.String:
				w.WriteHeader(http.StatusBadRequest)
			case demands && text == nil:
				w.WriteHeader(http.StatusNotFound)
			default:
				there.Store(r.URL.Path, true)
				w.WriteHeader(http.StatusCreated)
			}
		}), conformance.Config{Spec: []byte(files), Draws: -1})
		assert.Equal(t, want, failedMusts(got), got.Summary.Reasons)
	}
}

func TestARefusalBecauseOfTheStateOfAThingHasItsDocumentedForm(t *testing.T) {
	sample.OneIn(t, 3)
	t.Parallel()
	const desks = `{openapi: 3.0.3, info: {title: Desks, version: "1"}, paths: {/desks: {post: {responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}},
	  "/desks/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: one}, "400": {description: wrong}, "404": {description: none}}}},
	  "/desks/{id}/taken": {post: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"204": {description: taken}, "400": {description: wrong}, "404": {description: none},
	    "409": {description: taken before, content: {application/json: {schema: {type: object, required: [reason]}}}}}}}}}`
	for body, failed := range map[string][]string{`{"reason":"taken"}`: nil, `{"error":"no"}`: {"post-desks-id-taken-409-body-reason-required"}} {
		var mu sync.Mutex
		var taken []bool
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			w.Header().Set("Content-Type", "application/json")
			at, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/desks/"), "/taken"))
			switch {
			case r.URL.Path == "/desks":
				taken = append(taken, false)
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"id":%d}`, len(taken))
			case err != nil:
				w.WriteHeader(http.StatusBadRequest)
			case at < 1 || at > len(taken):
				w.WriteHeader(http.StatusNotFound)
			case r.Method == http.MethodGet:
				w.WriteHeader(http.StatusOK)
			case taken[at-1]:
				w.WriteHeader(http.StatusConflict)
				_, _ = w.Write([]byte(body))
			default:
				taken[at-1] = true
				w.WriteHeader(http.StatusNoContent)
			}
		}), conformance.Config{Spec: []byte(desks)})
		assert.Equal(t, failed, failedMusts(got), body)
	}
}

func TestBytesThatAPUTDoesNotStoreAreFound(t *testing.T) {
	t.Parallel()
	const bytes = `{content: {application/octet-stream: {schema: {type: string, format: binary}}}}`
	const files = `{openapi: 3.0.3, info: {title: Files, version: "1"}, paths: {
	  /files: {post: {requestBody: ` + bytes + `, responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}},
	  "/files/{id}/content": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
	    get: {responses: {"200": {description: one, headers: {ETag: {schema: {type: string}}}, content: {application/octet-stream: {}}}, "400": {description: wrong}, "404": {description: none}}},
	    put: {requestBody: ` + bytes + `, responses: {"204": {description: replaced}, "400": {description: wrong}, "404": {description: none}}}}}}`
	for fault, want := range map[string]string{"": "", "nothing": "get-files-id-content-stored-replaced", "appended": "get-files-id-content-stored-replaced", "tag": "get-files-id-content-strong-etag", "octets": "put-files-id-content-answered"} {
		if fault != "" && !sample.Has(t.Name()+fault, 5) {
			continue
		}
		var mu sync.Mutex
		var stored [][]byte
		changes := 0
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			body, _ := io.ReadAll(r.Body)
			at, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/files/"), "/content"))
			switch {
			case r.URL.Path == "/files":
				stored = append(stored, body)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"id":%d}`, len(stored))
			case err != nil:
				w.WriteHeader(http.StatusBadRequest)
			case at < 1 || at > len(stored):
				w.WriteHeader(http.StatusNotFound)
			case r.Method == http.MethodGet:
				w.Header().Set("Content-Type", "application/octet-stream")
				w.Header().Set("ETag", fmt.Sprintf(`"%d"`, changes))
				_, _ = w.Write(stored[at-1])
			case fault == "octets" && !utf8.Valid(body):
				w.WriteHeader(http.StatusInternalServerError)
			default:
				w.WriteHeader(http.StatusNoContent)
				switch fault {
				case "appended":
					stored[at-1] = append(stored[at-1], body...)
				case "", "tag", "octets":
					stored[at-1] = body
				}
				if fault != "tag" {
					changes++
				}
			}
		}), conformance.Config{Spec: []byte(files), Draws: -1})
		failed := ""
		for _, x := range got.Results {
			if x.Verdict == report.Fail {
				failed += x.Requirement
			}
		}
		assert.Equal(t, want, failed, fault)
	}
}
