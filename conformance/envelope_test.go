package conformance_test

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// articles is a document of which each body is an envelope, as in JSON:API.
const articles = `{openapi: 3.0.3, info: {title: Articles, version: "1"}, paths: {
  /articles: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [data], properties: {data: {$ref: '#/components/schemas/New'}}}}}},
    responses: {"201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}, "400": {description: wrong}}}},
  "/articles/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}, "404": {description: none}}},
    patch: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: object, required: [id, attributes], properties: {id: {type: string}, attributes: {$ref: '#/components/schemas/Attributes'}}}}}}}},
      responses: {"200": {description: changed, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}, "400": {description: wrong}, "404": {description: none}, "409": {description: another id}}}}},
  components: {schemas: {
    Attributes: {type: object, additionalProperties: false, properties: {title: {type: string, maxLength: 40}, stock: {type: integer, format: int32}}},
    New: {type: object, required: [type, attributes], properties: {type: {type: string, enum: [articles]}, attributes: {$ref: '#/components/schemas/Attributes'}}},
    Doc: {type: object, required: [data], properties: {data: {type: object, required: [id, attributes], properties: {id: {type: string}, attributes: {$ref: '#/components/schemas/Attributes'}}}}}}}}`

func TestALossBehindAnEnvelopeIsFound(t *testing.T) {
	t.Parallel()
	for fault, failed := range map[string]string{"": "", "ignored": "get-articles-id-stored-patched", "replaced": "get-articles-id-patch-leaves-rest"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			if fault == "" {
				sample.OneIn(t, 12)
			}
			got := judgeServer(t, articleServer(fault), conformance.Config{Spec: []byte(articles), Draws: -1})
			var warned []string
			for _, x := range got.Results {
				if x.Verdict == report.Fail && strings.HasPrefix(x.Requirement, "get-articles-id-") {
					warned = append(warned, x.Requirement)
				}
			}
			if failed == "" {
				assert.Empty(t, warned)
			} else {
				assert.Equal(t, []string{failed}, warned)
			}
		})
	}
}

// articleServer serves articles with a fault: each PATCH is ignored, or replaces all attributes.
func articleServer(fault string) http.HandlerFunc {
	type attributes struct {
		Title *string `json:"title,omitempty"`
		Stock *int32  `json:"stock,omitempty"`
	}
	var mu sync.Mutex
	stored := map[string]*attributes{}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var body struct {
			Data *struct {
				Type       string      `json:"type"`
				ID         *string     `json:"id"`
				Attributes *attributes `json:"attributes"`
			} `json:"data"`
		}
		id := strings.TrimPrefix(r.URL.Path, "/articles/")
		at := stored[id]
		if r.Method != http.MethodGet && (json.UnmarshalRead(r.Body, &body) != nil || body.Data == nil || body.Data.Attributes == nil) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		status := http.StatusOK
		switch {
		case r.Method == http.MethodPost:
			id, at, status = "a-"+strconv.Itoa(len(stored)), body.Data.Attributes, http.StatusCreated
			stored[id] = at
		case at == nil:
			w.WriteHeader(http.StatusNotFound)
			return
		case r.Method == http.MethodPatch && (body.Data.ID == nil || *body.Data.ID != id):
			w.WriteHeader(http.StatusConflict)
			return
		case r.Method == http.MethodPatch && fault == "replaced":
			*at = *body.Data.Attributes
		case r.Method == http.MethodPatch && fault == "":
			if v := body.Data.Attributes.Title; v != nil {
				at.Title = v
			}
			if v := body.Data.Attributes.Stock; v != nil {
				at.Stock = v
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.MarshalWrite(w, map[string]any{"data": map[string]any{"id": id, "attributes": at}})
	}
}

func TestAMapIsTriedWithKeysThatALanguageKnows(t *testing.T) {
	t.Parallel()
	const labels = `{openapi: 3.0.3, info: {title: Labels, version: "1"}, paths: {/labels: {put: {requestBody: {required: true, content: {application/json: {schema: {type: object, additionalProperties: {type: string, maxLength: 50}}}}},
	  responses: {"204": {description: kept}, "400": {description: wrong}, "422": {description: a key that is not taken}}}}}}`
	for bad, row := range map[string]struct {
		status int
		failed []string
	}{"__proto__": {500, []string{"put-labels-answered"}}, "a.b": {422, nil}} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var body map[string]*string
			err := json.UnmarshalRead(r.Body, &body)
			_, is := body[bad]
			for _, v := range body {
				if v == nil || utf8.RuneCountInString(*v) > 50 {
					err = errors.ErrUnsupported
				}
			}
			switch {
			case err != nil || body == nil:
				w.WriteHeader(http.StatusBadRequest)
			case is:
				w.WriteHeader(row.status)
			default:
				w.WriteHeader(http.StatusNoContent)
			}
		}), conformance.Config{Spec: []byte(labels), Draws: -1})
		assert.Equal(t, row.failed, failedMusts(got), bad)
	}
}

// locked is a document of things that are deleted with the entity tag of what was read.
const locked = `{openapi: 3.1.0, info: {title: Locked, version: "1"}, paths: {
  /things: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, meta], properties: {title: {type: string}, meta: {type: object, required: [label], properties: {label: {type: string}}}}}}}},
    responses: {"201": {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, "400": {description: wrong}}}},
  "/things/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {operationId: show, responses: {"200": {description: one, headers: {ETag: {required: true, schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, "404": {description: none}}},
    delete: {operationId: drop, parameters: [{name: If-Match, in: header, schema: {type: string}}],
      responses: {"204": {description: gone}, "404": {description: none}, "412": {description: another}, "428": {description: which one}}}}},
  components: {schemas: {Thing: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string},
    meta: {type: object, properties: {label: {type: string}, version: {type: integer}}}}}}}}`

// lockedServer serves things, each of which has the version of the whole store in its meta. Dropped
// things stay if keeps is set.
func lockedServer(keeps bool) http.HandlerFunc {
	type thing struct {
		ID    int    `json:"id"`
		Title string `json:"title"`
		Meta  struct {
			Label   string `json:"label"`
			Version int    `json:"version"`
		} `json:"meta"`
	}
	var mu sync.Mutex
	things, last, version := map[string]*thing{}, 0, 0
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		id := strings.TrimPrefix(r.URL.Path, "/things/")
		is := things[id]
		show := func(status int) {
			version++
			is.Meta.Version = version
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("ETag", strconv.Quote("v"+id))
			w.WriteHeader(status)
			text, _ := json.Marshal(is)
			_, _ = w.Write(text)
		}
		switch doc, err := jsontree.Parse(body); {
		case r.Method == http.MethodPost:
			text := func(v *jsontree.Value) bool { return v != nil && v.Kind == jsontree.String }
			if err != nil || !text(doc.Root.Get("title")) || doc.Root.Get("meta") == nil || !text(doc.Root.Get("meta").Get("label")) || !utf8.Valid(body) {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			last++
			id, is = strconv.Itoa(last), &thing{ID: last, Title: doc.Root.Get("title").Text}
			is.Meta.Label = doc.Root.Get("meta").Get("label").Text
			things[id] = is
			show(http.StatusCreated)
		case is == nil:
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			show(http.StatusOK)
		case r.Header.Get("If-Match") == "":
			w.WriteHeader(http.StatusPreconditionRequired)
		case r.Header.Get("If-Match") != strconv.Quote("v"+id):
			w.WriteHeader(http.StatusPreconditionFailed)
		default:
			if !keeps {
				delete(things, id)
			}
			w.WriteHeader(http.StatusNoContent)
		}
	}
}

// A step of another operation has what that operation demands. What a server sets inside an object
// is its own.
func TestAThingIsDroppedWithTheTagThatIsDemandedAndKeepsWhatItWasGiven(t *testing.T) {
	t.Parallel()
	for keeps, want := range map[bool][]string{false: {}, true: {"get-things-id-gone"}} {
		got := judgeServer(t, lockedServer(keeps), conformance.Config{Spec: []byte(locked), Draws: -1, Effort: "smoke"})
		failed := []string{}
		for _, x := range got.Results {
			if x.Verdict == report.Fail && (strings.HasSuffix(x.Requirement, "-gone") || strings.Contains(x.Requirement, "-stored-")) {
				failed = append(failed, x.Requirement)
			}
		}
		assert.Equal(t, want, failed)
	}
}
