package conformance_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
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
  /message/{id}/check:
    get: {operationId: check, parameters: [{$ref: '#/components/parameters/ID'}], responses: {'204': {description: d}, '400': {$ref: '#/components/responses/No'}, '404': {$ref: '#/components/responses/No'}}}
`

// mails serves it. Others sent what it holds, by id: the body of a message.
type mails struct {
	mu     sync.Mutex
	bodies map[string]string
	marked int
}

func newMails() *mails {
	return &mails{bodies: map[string]string{"m1": "<p>", "m2": "text", "m3": "<p>"}}
}

func (m *mails) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	query, asks := r.URL.Query()["query"]
	body, found := m.bodies[strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/message/"), "/check")]
	switch {
	case r.URL.Path == "/search" && (!asks || len(query) != 1):
		w.WriteHeader(http.StatusBadRequest)
	case r.URL.Path == "/search" && r.Method == http.MethodDelete:
		clear(m.bodies)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		m.marked++
		w.WriteHeader(http.StatusNoContent)
	case !strings.HasPrefix(r.URL.Path, "/message/"):
		var items []string
		for _, id := range slices.Sorted(maps.Keys(m.bodies)) {
			items = append(items, fmt.Sprintf(`{"id":%q,"subject":"s"}`, id))
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
