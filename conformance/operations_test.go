package conformance_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/spec"
)

func TestOperationsAreThoseThatListHasCasesFor(t *testing.T) {
	t.Parallel()
	doc := []byte(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
		"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"200": {"description": "ok"}}}},
		"/b": {"trace": {"responses": {"200": {"description": "ok"}}}}}}`)
	c := conformance.Config{Spec: doc, Draws: -1}
	got, err := conformance.Operations(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []string{"POST /a"}, got.Tried)
	list, err := conformance.List(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, list.LeftOut, got.LeftOut)
	assert.NotEmpty(t, got.LeftOut)
	var tried []string
	for _, r := range list.Requirements {
		if r.Rule == "answered" {
			assert.Positive(t, r.Cases)
			tried = append(tried, r.Requirement)
		}
	}
	assert.Equal(t, []string{"post-a-answered"}, tried)
}

// The example of the document gets no answer. Another value is refused in order, and the one
// that the run uses.
func TestAnExampleThatTakesTheConnectionDownIsFoundThoughAnotherValueIsAnswered(t *testing.T) {
	t.Parallel()
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
		"/lamps": {"get": {"operationId": "listLamps", "responses": {"200": {"description": "ok"}}}},
		"/lamps/{lamp}": {"get": {"operationId": "getLamp", "parameters": [{"name": "lamp", "in": "path", "required": true, "schema": {"type": "string"}, "example": "a:b"}],
			"responses": {"200": {"description": "ok"}, "404": {"description": "none"}}}}}}`
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/lamps/a:b":
			panic(http.ErrAbortHandler)
		case r.URL.Path != "/lamps":
			w.WriteHeader(http.StatusNotFound)
		}
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(doc), Effort: "smoke"})
	assert.Equal(t, []string{"get-lamps-lamp-answered"}, failedMusts(got))
	for _, x := range got.Results {
		for _, f := range x.Failures {
			assert.True(t, f.Stable)
			assert.Empty(t, f.Cause)
			assert.Contains(t, f.Curl, "a%3Ab")
		}
	}
}

// A server cannot delete a film that somebody quotes: only what deletes the things of the run
// meets such a film.
func TestAServerErrorOfTheCleanUpIsAFailure(t *testing.T) {
	t.Parallel()
	const res = `{"content": {"application/json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}}, "description": "made"}`
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
		"/films": {"post": {"operationId": "addFilm", "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}},
			"responses": {"201": ` + res + `, "400": {"description": "bad"}}}},
		"/films/{id}": {"delete": {"operationId": "removeFilm", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
			"responses": {"204": {"description": "gone"}, "400": {"description": "bad"}, "404": {"description": "none"}}}},
		"/quotes": {"post": {"operationId": "addQuote", "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["filmId"], "properties": {"filmId": {"type": "integer"}}}}}},
			"responses": {"201": ` + res + `, "400": {"description": "bad"}}}}}}`
	var mu sync.Mutex
	films, last := map[string]int{}, 0
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body := members(r)
		made := func() {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, `{"id": %d}`, last)
		}
		id, deletes := strings.CutPrefix(r.URL.Path, "/films/")
		quotes, known := films[id]
		switch name, film := body.Get("name"), body.Get("filmId"); {
		case deletes && known && quotes > 0:
			w.WriteHeader(http.StatusInternalServerError)
		case deletes && known:
			delete(films, id)
			w.WriteHeader(http.StatusNoContent)
		case deletes:
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Path == "/films" && name != nil && name.Kind == jsontree.String:
			last++
			films[fmt.Sprint(last)] = 0
			made()
		case r.URL.Path == "/quotes" && film != nil && film.Kind == jsontree.Number:
			if _, known := films[film.Text]; !known {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			films[film.Text]++
			made()
		default:
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(doc), Effort: "smoke"})
	assert.Equal(t, []string{"delete-films-id-answered"}, failedMusts(got))
	require.NotNil(t, got.CleanUp)
}

// members returns the object in the body of a request, or nil.
func members(r *http.Request) *jsontree.Value {
	text, _ := io.ReadAll(r.Body)
	body, err := jsontree.Parse(text)
	if err != nil || len(body.Issues) > 0 || body.Root.Kind != jsontree.Object || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	return body.Root
}

// A list of a billion items takes the server down, in the pre-flight or later.
func TestTheRequestThatTakesTheTargetDownIsNamedThoughTheRunMeetsItBeforeItsCases(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
		"/health": {"get": {"operationId": "health", "responses": {"200": {"description": "ok"}}}},
		"/items": {"get": {"operationId": "listItems", "parameters": [{"name": "page_size", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
			"responses": {"200": {"description": "ok"}, "400": {"description": "bad"}}}}}}`
	var server *httptest.Server
	var once sync.Once
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch size := r.URL.Query().Get("page_size"); {
		case len(size) > 8:
			once.Do(func() { _ = server.Listener.Close() })
			panic(http.ErrAbortHandler)
		case r.URL.Query().Has("page_size") && strings.Trim(size, "0123456789") != "":
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer server.Close()
	got, err := conformance.Run(t.Context(), conformance.Config{Spec: []byte(doc), Target: server.URL, Effort: "smoke"})
	require.NoError(t, err)
	require.Equal(t, []string{"get-items-answered"}, failedMusts(got))
	assert.Less(t, got.Summary.Exchanges, 1000, "nothing is sent to a target that is gone")
	for _, x := range got.Results {
		for _, f := range x.Failures {
			assert.Regexp(t, `page_size=\d{9}`, f.Curl)
		}
	}
}

// A pattern that matches nothing observes nothing, and nobody would notice: a
// class was renamed, or the pattern never fitted.
func TestEveryClassPatternOfTheRequirementsFileMatchesAClassOfThePlan(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	set, c, err := requirement.Overlay(requirement.Derive(c, checks.Rules()), c, "requirements.yaml", spec.Requirements, checks.Names())
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 100, plan.Effort{}, append(mutate.List(), mutate.Sequences()...)...)
	classes := map[string]bool{}
	for _, k := range p.Cases {
		classes[k.Class.Slug] = true
	}
	patterns := 0
	for _, r := range set.List {
		for _, pattern := range r.Args.Classes {
			patterns++
			found := false
			for slug := range classes {
				found = found || plan.Match(pattern, slug)
			}
			assert.True(t, found, "requirements.yaml, %s: class pattern %q matches none of the %d classes: fix it or take it out", r.ID, pattern, len(classes))
		}
	}
	assert.Positive(t, patterns)
	assert.False(t, slices.ContainsFunc(set.List, func(r *requirement.Requirement) bool {
		return r.Rule == "observe" && len(r.Args.Classes) == 0
	}))
}

const refundsDocument = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
 /orders: {post: {operationId: addOrder, responses: {'201': &one {description: d, content: {application/json: {schema: {type: object, required: [id, state], properties: {id: {type: string, format: uuid}, state: {enum: [open, paid, refunded]}}}}}}}}},
 '/orders/{id}': {get: {operationId: getOrder, parameters: &id [{name: id, in: path, required: true, schema: {type: string, format: uuid}}], responses: {'200': *one, '404': {description: d}}}},
 '/orders/{id}/pay': {post: {operationId: pay, parameters: *id, responses: &done {'204': {description: d}, '404': {description: d}, '409': {description: d}}}},
 '/orders/{id}/refund': {post: {operationId: refund, parameters: *id, responses: *done}}}}`

// refunds is a server of orders that shows a state after a refund, of a paid order alone, that its
// document does not list.
func refunds() http.Handler {
	orders := map[string]string{}
	answer := func(w http.ResponseWriter, status int, id string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"id":%q,"state":%q}`, id, orders[id])
	}
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		parts := strings.Split(r.URL.Path, "/")
		if len(parts) == 2 {
			id := fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(len(orders)+1)*2654435761, len(orders))
			orders[id] = "open"
			answer(w, 201, id)
			return
		}
		state, found := orders[strings.ToLower(parts[2])]
		next := map[string]string{"open pay": "paid", "paid refund": "REFUNDED"}[state+" "+parts[len(parts)-1]]
		switch {
		case !found:
			w.WriteHeader(404)
		case len(parts) == 3:
			answer(w, 200, strings.ToLower(parts[2]))
		case next == "":
			w.WriteHeader(409)
		default:
			orders[strings.ToLower(parts[2])] = next
			w.WriteHeader(204)
		}
	})
}

// A user who repeats one failure of a whole run must not be told that it is gone.
func TestARequirementThatFailsOnlyBehindAnActionFailsToo(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	whole := judgeServer(t, refunds(), conformance.Config{Spec: []byte(refundsDocument), SpecName: "a.yaml", Draws: -1})
	failed := slices.DeleteFunc(failedMusts(whole), func(id string) bool { return !strings.HasPrefix(id, "get-") })
	require.NotEmpty(t, failed)
	for _, id := range failed {
		alone := judgeServer(t, refunds(), conformance.Config{Spec: []byte(refundsDocument), SpecName: "a.yaml", Draws: -1, Only: []string{id}})
		assert.Contains(t, failedMusts(alone), id)
	}
}

// Only a paid order can be refunded: without the payment nobody can repeat what was seen.
func TestAFailureShowsEveryRequestThatItNeeds(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	server := httptest.NewServer(refunds())
	defer server.Close()
	var trace bytes.Buffer
	c := conformance.Config{Target: server.URL, Spec: []byte(refundsDocument), SpecName: "a.yaml", Draws: -1, Trace: &trace, Only: []string{"get-orders-id/sequence/*"}}
	got, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	i := slices.IndexFunc(got.Results, func(r report.Result) bool { return r.Requirement == "get-orders-id-200-body-state-enum" })
	require.NotEmpty(t, got.Results[i].Failures)
	f := got.Results[i].Failures[0]
	for _, shown := range []string{strings.Join(f.Story, "\n"), f.Curl} {
		at := -1
		for _, part := range []string{"/orders", "/pay", "/refund"} {
			next := strings.Index(shown, part)
			assert.Greater(t, next, at, "%s in\n%s", part, shown)
			at = next
		}
	}
	out, err := conformance.Replay(t.Context(), c, f.Case)
	require.NoError(t, err)
	require.NotEmpty(t, out.Failures)
	assert.True(t, slices.ContainsFunc(out.Steps, func(st report.Step) bool { return strings.Contains(string(st.Request.Data), "/pay ") }))
	assert.Contains(t, trace.String(), "/pay ")
}

// What is made under a key that the run chose is deleted at its end: without the PUT nobody can repeat it.
func TestAnExampleMakesWhatItNeedsUnderAChosenKey(t *testing.T) {
	t.Parallel()
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
 '/wallets/{name}': {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
  put: {requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {limit: {type: integer}}}}}}, responses: {'201': {description: d}}}},
 '/wallets/{name}/entries': {parameters: [{name: name, in: path, required: true, schema: {type: string}}],
  post: {requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {memo: {type: [string, 'null']}}}}}}, responses: {'201': {description: d}, '404': {description: d}}}}}}`
	var mu sync.Mutex
	made := map[string]bool{}
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		name, _, entries := strings.Cut(strings.TrimPrefix(r.URL.Path, "/wallets/"), "/")
		switch {
		case !entries:
			made[name] = true
			w.WriteHeader(201)
		case !made[name]:
			w.WriteHeader(404)
		case bytes.Contains(body, []byte("null")):
			w.WriteHeader(500)
		default:
			w.WriteHeader(201)
		}
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Effort: "smoke", Draws: -1, Only: []string{"post-wallets-name-entries-answered"}})
	require.NotEmpty(t, got.Results)
	require.NotEmpty(t, got.Results[0].Failures)
	assert.Regexp(t, `(?s)curl -i -X PUT '[^']*/wallets/(\w+)'.*curl -i -X POST '[^']*/wallets/\w+/entries'`, got.Results[0].Failures[0].Curl)
}

// Whoever tries a tool on a service of theirs does not expect that it deletes all mail.
func TestAChangeOfAWholeCollectionIsNotSentUnasked(t *testing.T) {
	t.Parallel()
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {Todo: {type: object, properties: {id: {type: integer}, title: {type: string}}}}}, paths: {
 /todos: {get: {operationId: listTodos, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Todo'}}}}}}},
  patch: {operationId: patchTodos, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Todo'}}}}, responses: {'204': {description: d}}}},
 '/todos/{id}': {get: {operationId: getTodo, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'200': {description: d}, '404': {description: d}}}}}}`
	var changed atomic.Int64
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch {
			changed.Add(1)
			w.WriteHeader(204)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `[{"id":1,"title":"a"}]`)
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Effort: "smoke"})
	assert.Zero(t, changed.Load())
	assert.Contains(t, strings.Join(got.Header.LeftOut, "\n"), "patchTodos: not sent")
	judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Effort: "smoke", Include: []string{"patchTodos"}})
	assert.NotZero(t, changed.Load())
}

func TestADeleteOfAWholeCollectionIsNotSentUnasked(t *testing.T) {
	t.Parallel()
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/mails: {
 get: {operationId: listMails, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: string}}}}}}},
 delete: {operationId: dropMails, requestBody: {content: {application/json: {schema: {type: object, properties: {ids: {type: array, items: {type: string}}}}}}}, responses: {'204': {description: d}}}}}}`
	var deleted atomic.Int64
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			deleted.Add(1)
			w.WriteHeader(204)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `["a"]`)
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Effort: "smoke"})
	assert.Zero(t, deleted.Load())
	assert.Contains(t, strings.Join(got.Header.LeftOut, "\n"), "dropMails: not sent")
	judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Effort: "smoke", Include: []string{"dropMails"}})
	assert.NotZero(t, deleted.Load())
}

// A framework may answer a media type that it does not know before the service's own handling of errors.
func TestTheRefusalOfAnUnknownMediaTypeHasTheFormThatIsDocumentedForIt(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"415", "4XX", "default"} {
		document := fmt.Sprintf(`{openapi: 3.1.0, info: {title: Notes, version: "1"}, paths: {/notes: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object}}}},
  responses: {"204": {description: made}, "400": {$ref: '#/components/responses/No'}, %q: {$ref: '#/components/responses/No'}}}}},
  components: {responses: {"No": {description: no, content: {application/json: {schema: {type: object, required: [why]}}}}}}}`, status)
		for answer, want := range map[string]report.Outcome{"application/json": report.Conformant, "text/plain": report.NotConformant} {
			verdict, got := judgeAnswers(t, document, func(w http.ResponseWriter, r *http.Request) {
				var note map[string]any
				switch {
				case r.Header.Get("Content-Type") != "" && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
					w.Header().Set("Content-Type", answer)
					w.WriteHeader(http.StatusUnsupportedMediaType)
				case json.UnmarshalRead(r.Body, &note) != nil || note == nil:
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusBadRequest)
				default:
					w.WriteHeader(http.StatusNoContent)
					return
				}
				_, _ = w.Write([]byte(`{"why": "no"}`))
			})
			assert.Equal(t, want, verdict, "%s %s: %v", status, answer, got[report.Fail])
		}
	}
}
