package conformance_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
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
