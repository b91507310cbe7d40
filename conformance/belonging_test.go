package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
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
	last := ""
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
			time.Sleep(2 * time.Millisecond) // others come meanwhile
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
	for _, way := range []string{"the text of the request before", "the text of what came last"} {
		assert.Contains(t, failedOn(t, notebook, notes(way)), "post-notes-belongs", way)
	}
}

func TestAnswersThatMayHaveTheValuesOfAnotherRequestPass(t *testing.T) {
	for _, way := range []string{"", "upsert by title", "one for all", "with the one before"} {
		assert.NotContains(t, failedOn(t, notebook, notes(way)), "post-notes-belongs", way)
	}
}
