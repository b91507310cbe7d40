package conformance_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// A separator or a bracket in one of the texts once ended the run with an error of the suite.
func TestAnArrayOfTextsInAFormIsJudged(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const form = `{openapi: 3.0.1, info: {title: Form, version: "1"}, paths: {/forms: {post: {requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema:
	  {type: object, required: [n], properties: {n: {type: integer}, list: {type: array, items: {type: string}}}}}}},
	  responses: {"200": {description: ok}, "400": {description: refused}}}}}}`
	for name, row := range map[string]struct {
		refuses func(form url.Values) bool
		failed  string
	}{
		"right":             {func(url.Values) bool { return false }, ""},
		"refuses two texts": {func(form url.Values) bool { return len(form["list"]) > 1 }, "post-forms-body-list-accepted"},
	} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			form, bad := url.ParseQuery(string(body))
			n := form["n"]
			if err != nil || bad != nil || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") || len(n) != 1 || !wholeNumber.MatchString(n[0]) || row.refuses(form) {
				w.WriteHeader(http.StatusBadRequest)
			}
		}), conformance.Config{Spec: []byte(form)})
		assert.Zero(t, got.Summary.Errors, "%s: %v", name, got.Summary.Reasons)
		if row.failed == "" {
			assert.Equal(t, report.Conformant, got.Summary.Verdict, "%s: %v", failedMusts(got), got.Summary.Reasons)
		} else {
			assert.Equal(t, []string{row.failed}, failedMusts(got))
		}
	}
}

// Whatever bytes are sent, they are a file.
func TestARunIsCompleteWhereNoBodyIsInvalid(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	for media, schema := range map[string]string{"application/octet-stream": "{type: string, format: binary}", "application/json": "{}", "text/plain": "{type: string}"} {
		for _, answers := range []string{`"204": {description: ok}`, `"204": {description: ok}, "400": {description: refused}`} {
			doc := `{openapi: 3.1.0, info: {title: Blob, version: "1"}, paths: {/blob: {put: {requestBody: {required: true, content: {` + media + `: {schema: ` + schema + `}}}, responses: {` + answers + `}}}}}`
			got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				_, err := jsontree.Parse(body)
				if r.Header.Get("Content-Type") == "" || media == "application/json" && err != nil || len(body) == 0 && media == "application/json" {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				w.WriteHeader(http.StatusNoContent)
			}), conformance.Config{Spec: []byte(doc), Draws: -1})
			assert.Equal(t, report.Conformant, got.Summary.Verdict, "%s %s: %v %v", media, answers, failedMusts(got), got.Summary.Reasons)
		}
	}
}

func TestAnUnknownNameInAQueryIsNoMemberOfAnObjectWhoseMembersAreNames(t *testing.T) {
	t.Parallel()
	const boxes = `{openapi: 3.0.3, info: {title: Boxes, version: "1"}, paths: {/boxes: {get: {parameters: [{name: shape, in: query, style: form, explode: true,
	  schema: {type: object, required: [width], properties: {width: {type: integer}, height: {type: integer}}}}],
	  responses: {"200": {description: ok}, "400": {description: refused}}}}}}`
	for name, row := range map[string]struct{ closed, loose bool }{"unknown names are ignored": {}, "unknown names are refused": {closed: true}, "a height alone is taken": {loose: true}} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q, err := url.ParseQuery(r.URL.RawQuery)
			bad := err != nil || !row.loose && q.Has("height") && !q.Has("width")
			for name, values := range q {
				known := name == "width" || name == "height"
				bad = bad || row.closed && !known || known && (len(values) != 1 || !wholeNumber.MatchString(values[0]))
			}
			if bad {
				w.WriteHeader(http.StatusBadRequest)
			}
		}), conformance.Config{Spec: []byte(boxes), Draws: -1})
		if row.loose {
			assert.Equal(t, []string{"get-boxes-query-shape-width-required"}, failedMusts(got), name)
		} else {
			assert.Equal(t, report.Conformant, got.Summary.Verdict, "%s: %v", name, failedMusts(got))
		}
	}
}

func TestAPathOfTheDocumentIsAnsweredByItsOwnOperationThoughATemplateFitsToo(t *testing.T) {
	t.Parallel()
	const users = `{openapi: 3.0.3, info: {title: Users, version: "1"}, paths: {
	  "/users/{id}": {get: {parameters: [{name: id, in: path, required: true, example: me, schema: {type: string}}], responses: {
	    "200": {description: ok, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}, "404": {description: none}}}},
	  /users/me: {get: {responses: {"200": {description: ok, content: {application/json: {schema: {type: object, required: [mail], properties: {mail: {type: string}}}}}}}}}}}`
	for mine, failed := range map[string][]string{`{"mail":"a@b"}`: nil, `{"id":"me"}`: {"get-users-me-200-body-mail-required"}} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path != "/users/me" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			_, _ = io.WriteString(w, mine)
		}), conformance.Config{Spec: []byte(users), Draws: -1})
		assert.Equal(t, failed, failedMusts(got), mine)
	}
}

// Deep bodies are sent late in a run, so their failures stand behind all that passed.
func TestACrashByDeepBodiesIsNotBlamedOnTheTime(t *testing.T) {
	t.Parallel()
	const doc = `{openapi: 3.0.3, info: {title: Notes, version: "1"}, paths: {/notes: {post: {requestBody: {required: true, content: {application/json: {schema:
	  {type: object, required: [n], properties: {n: {type: integer}}}}}}, responses: {"200": {description: ok}, "400": {description: refused}}}}}}`
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch parsed, err := jsontree.Parse(body); {
		case nestedBelow(body, 900):
			w.WriteHeader(http.StatusInternalServerError)
		case err != nil || parsed.Root.Kind != jsontree.Object || parsed.Has(jsontree.DuplicateName) || !whole(parsed.Root.Get("n")):
			w.WriteHeader(http.StatusBadRequest)
		}
	}), conformance.Config{Spec: []byte(doc), Effort: "full"})
	require.Equal(t, []string{"post-notes-answered"}, failedMusts(got))
	for _, x := range got.Results {
		for _, f := range x.Failures {
			assert.NotContains(t, f.Cause, "since", "the request alone is the cause")
			assert.Contains(t, f.Sent+f.Common, "nest", "%+v", f)
		}
	}
}

func whole(v *jsontree.Value) bool {
	return v != nil && v.Kind == jsontree.Number && jsontree.IsInteger(v.Text)
}

func nestedBelow(body []byte, than int) bool {
	depth := 0
	for _, b := range body {
		switch b {
		case '[', '{':
			if depth++; depth > than {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}

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
			got := judgeServer(t, articleServer(fault), conformance.Config{Spec: []byte(articles), Only: []string{"*/sequence/*"}})
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
		Title *string `json:"title,omitzero"`
		Stock *int32  `json:"stock,omitzero"`
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
