package conformance_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// mailbox is the document of a service that holds messages which others sent.
const mailbox = `
openapi: 3.1.0
info: {title: Mailbox, version: '1'}
components:
  schemas:
    Summary: {type: object, required: [messages], properties: {messages: {type: array, items: {type: object, required: [id], properties: {id: {type: string}, subject: {type: string}}}}}}
    Marks: {type: object, properties: {ids: {type: array, items: {type: string}}, read: {type: boolean}}}
  parameters:
    Query: {name: query, in: query, required: true, schema: {type: string}}
    ID: {name: id, in: path, required: true, schema: {type: string}}
  responses:
    Summary: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Summary'}}}}
    No: {description: d}
paths:
  /messages:
    get: {operationId: messages, responses: {'200': {$ref: '#/components/responses/Summary'}}}
    put: {operationId: mark, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Marks'}}}}, responses: {'204': {description: d}, '400': {$ref: '#/components/responses/No'}}}
  /search:
    get: {operationId: search, parameters: [{$ref: '#/components/parameters/Query'}], responses: {'200': {$ref: '#/components/responses/Summary'}, '400': {$ref: '#/components/responses/No'}}}
    delete: {operationId: drop, parameters: [{$ref: '#/components/parameters/Query'}], responses: {'204': {description: d}, '400': {$ref: '#/components/responses/No'}}}
  /view/{id}.html:
    get: {operationId: view, parameters: [{$ref: '#/components/parameters/ID'}], responses: {'204': {description: d}, '404': {$ref: '#/components/responses/No'}}}
  /chaos:
    get: {operationId: chaos, responses: {'204': {description: d}, '400': {$ref: '#/components/responses/No'}}}
  /message/{id}/check:
    get: {operationId: check, parameters: [{$ref: '#/components/parameters/ID'}], responses: {'204': {description: d}, '400': {$ref: '#/components/responses/No'}, '404': {$ref: '#/components/responses/No'}}}
`

// mails serves it. Others sent what it holds, by id: the body of a message.
type mails struct {
	mu     sync.Mutex
	bodies map[string]string
	marked int
	asked  int
}

func newMails() *mails {
	return &mails{bodies: map[string]string{"m1": "<p>", "m2": "text", "m3": "<p>"}}
}

func (m *mails) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	query, asks := r.URL.Query()["query"]
	path, views := strings.CutPrefix(r.URL.Path, "/view/")
	body, found := m.bodies[strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(path, ".html"), "/message/"), "/check")]
	switch {
	case r.URL.Path == "/search" && (!asks || len(query) != 1):
		w.WriteHeader(http.StatusBadRequest)
	case r.URL.Path == "/chaos":
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("Chaos is not enabled"))
	case r.URL.Path == "/search" && r.Method == http.MethodDelete:
		clear(m.bodies)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		m.marked++
		w.WriteHeader(http.StatusNoContent)
	case !views && !strings.HasPrefix(r.URL.Path, "/message/"):
		var items []string
		for _, id := range slices.Sorted(maps.Keys(m.bodies)) {
			items = append(items, fmt.Sprintf(`{"id":%q,"subject":"s"}`, id))
		}
		if m.asked++; m.asked > 3 {
			items[0], items[1] = items[1], items[0] // as after a new message
		}
		answering(200, `{"messages":[`+strings.Join(items, ",")+`]}`)(w, r)
	case !found:
		w.WriteHeader(http.StatusNotFound)
	case !strings.HasPrefix(body, "<"):
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func TestWhatASearchChoosesIsNotDeletedAndAListNotChangedUnasked(t *testing.T) {
	t.Parallel()
	m := newMails()
	got := judgeServer(t, m, conformance.Config{Spec: []byte(mailbox), Draws: -1, Effort: "smoke"})
	assert.Empty(t, failedMusts(got))
	assert.Len(t, m.bodies, 3)
	assert.Zero(t, m.marked)
	assert.Contains(t, got.Header.LeftOut, "mark, drop: not sent, because it may harm others or their data: --allow-disruptive, or --include with the whole name")
}

func TestTheItemOfAListThatAnOperationTookIsTakenAgain(t *testing.T) {
	t.Parallel()
	got := judgeServer(t, newMails(), conformance.Config{Spec: []byte(mailbox), Draws: -1, Effort: "smoke", Include: []string{"messages", "check", "view"}})
	assert.Empty(t, failedMusts(got), "m2 is first in the list now and then, and is no HTML")
	assert.Equal(t, 3, got.Reach.Reached, "the first item of the list is not the only one, and another operation tells what an id is")
}

func TestAnOperationWithoutValuesThatIsRefusedNeedsNoValue(t *testing.T) {
	t.Parallel()
	got := judgeServer(t, newMails(), conformance.Config{Spec: []byte(mailbox), Draws: -1, Effort: "smoke", Include: []string{"messages", "chaos"}})
	assert.Equal(t, []report.Untried{{Operations: []string{"GET /chaos"}, Why: `refuse valid requests with 400, "Chaos is not enabled"`, Help: "set up the target so that it is accepted, or leave it out with --exclude"}}, got.Reach.Untried)
}

// club is the document of a service whose client chooses the names, one by one or several at once.
const club = `
openapi: 3.1.0
info: {title: Members, version: '1'}
components:
  schemas:
    Member: {type: object, required: [name], properties: {name: {type: string}}}
    Names: {type: object, required: [names], properties: {names: {type: array, minItems: 1, items: {type: string}}}}
    Me: {type: object, required: [rights], properties: {rights: {type: array, items: {type: string}}}}
  parameters:
    Name: {name: name, in: path, required: true, schema: {type: string}}
  responses:
    Member: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Member'}}}}
    Members: {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Member'}}}}}
    No: {description: d}
paths:
  /member: {get: {operationId: me, responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Me'}}}}}}}
  /members:
    post: {operationId: addAll, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Names'}}}}, responses: {'201': {$ref: '#/components/responses/Members'}, '409': {$ref: '#/components/responses/No'}, '400': {$ref: '#/components/responses/No'}}}
  /members/{name}:
    parameters: [{$ref: '#/components/parameters/Name'}]
    get: {responses: {'200': {$ref: '#/components/responses/Member'}, '404': {$ref: '#/components/responses/No'}}}
    post: {operationId: add, responses: {'201': {$ref: '#/components/responses/Member'}, '400': {$ref: '#/components/responses/No'}, '409': {$ref: '#/components/responses/No'}}}
    delete: {responses: {'204': {description: d}, '404': {$ref: '#/components/responses/No'}}}
`

func TestWhatAPostWithNamesMakesIsReachedAndDeleted(t *testing.T) {
	t.Parallel()
	for name, include := range map[string][]string{"one by one": {"me", "/members/*"}, "several": {"me", "addAll", "GET /members/{name}", "DELETE /members/{name}"}} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			held := map[string]bool{"rights:all": true, "ann": true}
			member := func(name string) string { return `{"name":` + jsontree.NewString(name).String() + `}` }
			got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				name := strings.TrimPrefix(r.URL.Path, "/members/")
				body, err := io.ReadAll(r.Body)
				doc, wrong := jsontree.Parse(body)
				switch {
				case r.URL.Path == "/member":
					answering(200, `{"rights":["rights:all"]}`)(w, r)
				case r.URL.Path == "/members" && (err != nil || wrong != nil || !named(doc.Root.Get("names"))):
					w.WriteHeader(http.StatusBadRequest)
				case r.URL.Path == "/members" && !slices.ContainsFunc(doc.Root.Get("names").Items, func(v *jsontree.Value) bool { return !held[v.Text] }):
					w.WriteHeader(http.StatusConflict) // as for one
				case r.URL.Path == "/members":
					var made []string
					for _, v := range doc.Root.Get("names").Items {
						held[v.Text] = true
						made = append(made, member(v.Text))
					}
					answering(201, "["+strings.Join(made, ",")+"]")(w, r)
				case r.Method == http.MethodPost && (!utf8.ValidString(name) || name == ""):
					w.WriteHeader(http.StatusBadRequest)
				case r.Method == http.MethodPost && held[name]:
					w.WriteHeader(http.StatusConflict)
				case r.Method == http.MethodPost:
					held[name] = true
					answering(201, member(name))(w, r)
				case !held[name]:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodDelete:
					delete(held, name)
					w.WriteHeader(http.StatusNoContent)
				default:
					answering(200, member(name))(w, r)
				}
			}), conformance.Config{Spec: []byte(club), Draws: -1, Effort: "smoke", Include: include})
			assert.Empty(t, failedMusts(got))
			assert.Equal(t, 4, got.Reach.Reached)
			if !unanswered(got) {
				assert.Equal(t, map[string]bool{"rights:all": true, "ann": true}, held, "as before")
			}
		})
	}
}

// named reports whether a value is a list of texts that is not empty.
func named(v *jsontree.Value) bool {
	return v != nil && v.Kind == jsontree.Array && len(v.Items) > 0 && !slices.ContainsFunc(v.Items, func(v *jsontree.Value) bool {
		return v.Kind != jsontree.String || v.Text == "" || !utf8.ValidString(v.Text)
	})
}

// An account under a key that the client chooses has a list, which others take values from.
func TestWhatAPutMakesIsOneThingAlthoughItHasAList(t *testing.T) {
	t.Parallel()
	got, err := conformance.Operations(t.Context(), conformance.Config{Spec: []byte(`
openapi: 3.1.0
info: {title: Ledger, version: '1'}
components:
  parameters:
    Book: {name: book, in: path, required: true, schema: {type: string}}
    Account: {name: account, in: path, required: true, schema: {type: integer, minimum: 1000}}
  schemas: {Account: {type: object, properties: {number: {type: integer}, parts: {type: array, items: {type: object, properties: {id: {type: integer}, label: {type: string}}}}}}}
paths:
  /books/{book}/accounts/{account}:
    parameters: [{$ref: '#/components/parameters/Book'}, {$ref: '#/components/parameters/Account'}]
    get: {parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}}}
    put: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}, responses: {'201': {description: d}}}
    delete: {responses: {'204': {description: d}}}
  /books/{book}/accounts/{account}:close:
    parameters: [{$ref: '#/components/parameters/Book'}, {$ref: '#/components/parameters/Account'}]
    post: {responses: {'204': {description: d}}}
`)})
	require.NoError(t, err)
	assert.Empty(t, got.LeftOut)
}

// A value that exists changes nothing about such an answer, so the reason must not ask for one.
func TestAnOperationWhoseFirstAnswerNoValueExplainsFailsWithItsOwnReason(t *testing.T) {
	t.Parallel()
	const links = `{openapi: 3.0.3, info: {title: Links, version: "1"}, paths: {
	  /links: {post: {responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}},
	  "/links/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"302": {description: there}, "404": {description: none}}}}}}`
	for answer, want := range map[string]string{
		"HTTP/1.1 302 Found\r\nLocation: /a\r\n":             "",
		"HTTP/1.1 301 Moved Permanently\r\nLocation: /a\r\n": "get-links-id-valid-accepted",
		"HTTP/1.1 302 Found\r\nLocation : /a\r\n":            "get-links-id-framing",
	} {
		var made atomic.Int64
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/links/"), 10, 64)
			switch {
			case r.Method == http.MethodPost:
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
				_, _ = fmt.Fprintf(w, `{"id": %d}`, made.Add(1))
			case want == "" && (err != nil || id < 1 || id > made.Load()):
				w.WriteHeader(http.StatusNotFound)
			default:
				conn, _, err := http.NewResponseController(w).Hijack()
				assert.NoError(t, err)
				_, _ = io.WriteString(conn, answer+"Content-Length: 0\r\n\r\n")
				_ = conn.Close()
			}
		}), conformance.Config{Spec: []byte(links), Effort: "smoke"})
		assert.Equal(t, want, strings.Join(failedMusts(got), " "), "%v", got.Summary.Reasons)
		for _, u := range append(got.Reach.Untried, report.Untried{Why: strings.Join(got.Summary.Reasons, "; ")}) {
			assert.NotContains(t, u.Why+u.Help, "value that exists", want)
		}
	}
}

func TestTheReasonSaysWhichFormOfTheKeysLeavesItOpenWhetherTheyMustBeAccepted(t *testing.T) {
	t.Parallel()
	const doc = `{openapi: 3.0.3, info: {title: Keys, version: "1"}, paths: {
	  /keys: {post: {responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}}}},
	  "/keys/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"204": {description: one}, "404": {description: none}}}}}}`
	for key, want := range map[string]string{"a ": "", "a/": "no exchange could be judged: a server may refuse values of path/id as this one gives them (encoded slash): name another one with --value"} {
		var made atomic.Int64
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/keys/"+key), 10, 64)
			switch {
			case r.Method == http.MethodPost:
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
				_, _ = fmt.Fprintf(w, `{"id": "%s%d"}`, key, made.Add(1))
			case err != nil || n < 1 || n > made.Load():
				w.WriteHeader(http.StatusNotFound)
			default:
				w.WriteHeader(http.StatusNoContent)
			}
		}), conformance.Config{Spec: []byte(doc), Effort: "smoke"})
		assert.Empty(t, failedMusts(got), key)
		for _, x := range got.Results {
			if x.Requirement == "get-keys-id-valid-accepted" {
				assert.Equal(t, want, x.Reason, key)
			}
		}
	}
}
