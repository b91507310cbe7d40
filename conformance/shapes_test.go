package conformance_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

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
	}), conformance.Config{Spec: []byte(doc)})
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
