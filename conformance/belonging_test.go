package conformance_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

const notebook = `
openapi: 3.1.0
info: {title: Notebook, version: "1"}
paths:
  /notes:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "400": {description: refused}
  /notes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        "200": {description: found, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "404": {description: none}
components:
  schemas:
    New:
      type: object
      required: [title, text]
      properties: {title: {type: string}, text: {type: string}}
    Note:
      type: object
      required: [id, title, text]
      properties: {id: {type: integer}, title: {type: string}, text: {type: string}}
`

// note is what the server of notebook keeps.
type note struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// notes serves notebook. What is done in a strange or wrong way says the name.
func notes(way string) http.HandlerFunc {
	var mu sync.Mutex
	var all []*note
	last, next := "", make(chan struct{})
	write := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		text, _ := json.Marshal(v)
		_, _ = w.Write(text)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodGet {
			for _, n := range all {
				if fmt.Sprint("/notes/", n.ID) == r.URL.Path {
					write(w, 200, n)
					return
				}
			}
			w.WriteHeader(404)
			return
		}
		var in map[string]any
		err := json.Unmarshal(body, &in)
		title, ok := in["title"].(string)
		text, ok2 := in["text"].(string)
		if err != nil || !ok || !ok2 || r.Method != http.MethodPost {
			w.WriteHeader(400)
			return
		}
		n := &note{len(all) + 1, title, text}
		switch way {
		case "the text of the request before":
			if last != "" {
				n.Text = last
			}
			last = text
		case "the text of what came last":
			last = text
			mu.Unlock()
			select { // others come meanwhile
			case <-next:
			case next <- struct{}{}:
			case <-time.After(20 * time.Millisecond):
			}
			mu.Lock()
			n.ID, n.Text = len(all)+1, last
		case "upsert by title":
			for _, old := range all {
				if old.Title == title {
					write(w, 201, old)
					return
				}
			}
		case "one for all":
			if len(all) > 0 {
				write(w, 201, all[0])
				return
			}
		}
		all = append(all, n)
		switch way {
		case "with the one before":
			more := map[string]any{"id": n.ID, "title": n.Title, "text": n.Text, "before": all[max(0, len(all)-2)], "log": all[:min(len(all), 3)]}
			write(w, 201, more)
		default:
			write(w, 201, n)
		}
	}
}

func TestAnAnswerWithTheValuesOfAnotherRequestFailsAlthoughItIsWhatIsStored(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"the text of the request before", "the text of what came last"} {
		assert.Contains(t, failedOn(t, notebook, notes(way)), "post-notes-belongs", way)
	}
}

func TestAnswersThatMayHaveTheValuesOfAnotherRequestPass(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"", "upsert by title", "one for all", "with the one before"} {
		assert.NotContains(t, failedOn(t, notebook, notes(way)), "post-notes-belongs", way)
	}
}

const finder = `
openapi: 3.1.0
info: {title: Finder, version: "1"}
paths:
  /search:
    get:
      parameters:
        - {name: q, in: query, required: true, schema: {type: string}}
      responses:
        "200": {description: found, content: {application/json: {schema: {$ref: "#/components/schemas/Found"}}}}
        "400": {description: refused}
  /entries:
    post:
      requestBody:
        required: true
        content:
          FORM: {schema: {type: object, required: [title, text], properties: {title: {type: string}, text: {type: string}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Entry"}}}}
        "400": {description: refused}
  /wrapped:
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object, required: [data], properties: {data: {$ref: "#/components/schemas/Entry"}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: object, properties: {attributes: {$ref: "#/components/schemas/Entry"}}}}}}}}
        "400": {description: refused}
components:
  schemas:
    Found: {type: object, required: [hits], properties: {q: {type: string}, hits: {type: array, items: {type: object, properties: {q: {type: string}}}}, last: {type: object, properties: {q: {type: string}}}}}
    Entry: {type: object, required: [title, text], properties: {id: {type: integer, readOnly: true}, title: {type: string}, text: {type: string}}}
`

// found serves finder. What is done in a strange or wrong way says the name.
func found(way string) http.HandlerFunc {
	var mu sync.Mutex
	lastText, lastQuery := map[string]string{}, ""
	var asked []any
	made := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		write := func(status int, v any) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			text, _ := json.Marshal(v)
			_, _ = w.Write(text)
		}
		if r.URL.Path == "/search" {
			q, own := r.URL.Query()["q"], ""
			if len(q) != 1 || r.Method != http.MethodGet {
				w.WriteHeader(400)
				return
			}
			own = q[0]
			answer := map[string]any{"q": own, "hits": []any{}}
			switch {
			case way == "the query of the request before" && lastQuery != "":
				answer["q"] = lastQuery
			case way == "recent queries":
				answer["hits"], answer["last"] = asked, map[string]any{"q": lastQuery}
			case way == "recent queries alone":
				answer = map[string]any{"hits": asked}
			case way == "what somebody made" && lastText["/entries"] != "":
				answer = map[string]any{"q": lastText["/entries"], "hits": []any{}}
			}
			lastQuery, asked = own, append(asked[:min(len(asked), 3)], map[string]any{"q": own})
			write(200, answer)
			return
		}
		var in map[string]any
		switch body, _ := io.ReadAll(r.Body); r.URL.Path {
		case "/wrapped":
			var outer map[string]any
			if json.Unmarshal(body, &outer) == nil {
				in, _ = outer["data"].(map[string]any)
			}
		default:
			r.Body = io.NopCloser(bytes.NewReader(body))
			_ = r.ParseMultipartForm(1 << 20)
			in = map[string]any{}
			for name, values := range r.Form {
				if len(values) == 1 {
					in[name] = values[0]
				}
			}
		}
		title, ok := in["title"].(string)
		text, ok2 := in["text"].(string)
		if !ok || !ok2 || r.Method != http.MethodPost {
			w.WriteHeader(400)
			return
		}
		before := lastText[r.URL.Path]
		lastText[r.URL.Path] = text
		if way == "the text of the request before" && before != "" {
			text = before
		}
		made++
		entry := map[string]any{"id": made, "title": title, "text": text}
		if r.URL.Path == "/wrapped" {
			write(201, map[string]any{"data": map[string]any{"attributes": entry}})
			return
		}
		write(201, entry)
	}
}

func TestAnotherRequestsValuesAreFoundInFormsEnvelopesAndAnswersToQueries(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	for _, form := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
		spec := strings.Replace(finder, "FORM", form, 1)
		failed := failedOn(t, spec, found("the text of the request before"))
		assert.Contains(t, failed, "post-entries-belongs", form)
		assert.Contains(t, failed, "post-wrapped-belongs")
	}
	assert.Contains(t, failedOn(t, strings.Replace(finder, "FORM", "multipart/form-data", 1), found("the query of the request before")), "get-search-belongs")
}

func TestAnAnswerToAQueryMayListEarlierQueriesAndWhatOthersMade(t *testing.T) {
	t.Parallel()
	spec := strings.Replace(finder, "FORM", "application/x-www-form-urlencoded", 1)
	for _, way := range []string{"", "recent queries", "recent queries alone", "what somebody made"} {
		assert.Empty(t, failedOn(t, spec, found(way)), way)
	}
}

// A server of few connections answers the others when one is closed; this one never does.
func TestOneOfSeveralRequestsAtOnceThatIsNeverAnsweredFails(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	right := notes("")
	var mu sync.Mutex
	under, lost := 0, false
	assert.Contains(t, failedOn(t, notebook, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		under++
		lose := under > 2 && !lost
		lost = lost || lose
		mu.Unlock()
		defer func() {
			mu.Lock()
			under--
			mu.Unlock()
		}()
		if lose {
			_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection goes unnoticed
			<-r.Context().Done()
			return
		}
		time.Sleep(5 * time.Millisecond) // so that requests overlap
		right(w, r)
	}), "post-notes-answered")
}

// Alone, each of these requests is answered.
func TestOneOfSeveralRequestsAtOnceThatIsNeverAnsweredFailsAlsoLateInARun(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	right := notes("")
	var mu sync.Mutex
	under, seen := 0, 0
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		under++
		seen++
		lost := under > 1 && seen > 60 && seen%40 == 0
		mu.Unlock()
		defer func() {
			mu.Lock()
			under--
			mu.Unlock()
		}()
		if lost {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		time.Sleep(2 * time.Millisecond)
		right(w, r)
	})
	r := judgeServer(t, serve, conformance.Config{Spec: []byte(notebook), Effort: "gate", Draws: -1, Timeout: time.Second, Only: []string{"post-notes/valid/*"}})
	var failed []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			failed = append(failed, x.Requirement)
		}
	}
	assert.Contains(t, failed, "post-notes-answered")
}

// lodgers is a document of lodgers who are replaced.
const lodgers = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
	"/lodgers": {"post": {"operationId": "add", "responses": {"201": {"description": "made", "content": {"application/json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}}}},
	"/lodgers/{lodgerId}": {"parameters": [{"name": "lodgerId", "in": "path", "required": true, "schema": {"type": "integer"}}],
		"put": {"operationId": "replace", "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "tag": {"type": "string"}}}}}},
			"responses": {"204": {"description": "ok"}, "400": {"description": "no"}, "404": {"description": "no"}}}}}}`

// A server that knows none of our tags is asked without one about a thing that exists.
func TestWhereEveryTagOfAThingIsRefusedTheUserIsAskedForOne(t *testing.T) {
	t.Parallel()
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
