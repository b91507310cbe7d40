package judge

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

// stays is a document with a member of each kind.
const stays = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {parameters: [{name: lang, in: query, schema: {type: string, example: en1}}],
	requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}, kind: {enum: [a, b]}, mail: {type: string, format: email},
	beds: {type: integer, minimum: 1, maximum: 9}, day: {type: string, format: date}, owner: {type: string, format: uuid}, code: {type: string, pattern: "^[a-z]{3}$"},
	note: {type: string, maxLength: 5}, late: {type: boolean}, unit: {type: string, default: m}, tags: {type: array, items: {enum: [x, y]}}}}}}},
	responses: {"201": {description: d}, "400": {description: d}, "404": {description: d}}}}}}`

// posted is a request to stays and what came back.
func posted(j *Judge, op *openapi.Operation, body string, status int, lang string) *subject {
	ex := answered(status, "", "")
	m := &message.Message{Op: op, Raw: []byte(body)}
	if lang != "" {
		m.Params = jsontree.NewObject(jsontree.Member{Name: "query", Value: jsontree.NewObject(jsontree.Member{Name: "lang", Value: jsontree.NewString(lang)})})
	}
	ex.Request = j.Endpoint.Wire(m, "case")
	return &subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: rule.Read(op, ex)}
}

func judgeOf(t *testing.T, document string) (*Judge, *openapi.Operation) {
	t.Helper()
	d := fake.Of(t, document)
	return New(d.Set, d.Rules, d.Plan, d.Endpoint), d.Op()
}

// accept notes that the target accepted a request.
func accept(j *Judge, s *subject) {
	list, added := j.choices(s.op, s.sent.Body, nil)
	j.Taken.note(s.op, list, added)
}

func TestARefusalIsAFailureWhereTheDocumentStatesTheValue(t *testing.T) {
	for _, row := range []struct {
		body, lang string
		status     int
		open       []string
	}{
		{`{"room":"r1","kind":"b"}`, "", 400, nil},
		{`{"room":"r1","kind":"b"}`, "", 404, nil},
		{`{"room":"r1","late":true}`, "", 400, nil},
		{`{"room":"r1","unit":"m"}`, "", 400, nil},
		{`{"room":"r1","unit":"km1"}`, "", 400, []string{"/unit"}},
		{`{"room":"r1","tags":["x","y"]}`, "", 400, nil},
		{`{"room":"r1","mail":"a.b@example.com"}`, "", 400, nil},
		{`{"room":"r1","mail":"a.b@example.com"}`, "", 404, []string{"/mail"}},
		{`{"room":"r1","beds":9}`, "", 400, []string{"/beds"}}, // none of its values is known to be accepted
		{`{"room":"r1","beds":5}`, "", 400, []string{"/beds"}},
		{`{"room":"r1","owner":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}`, "", 400, []string{"/owner"}},
		{`{"room":"r1","code":"abc"}`, "", 400, []string{"/code"}},
		{`{"room":"r1","note":"hello"}`, "", 400, []string{"/note"}},
		{`{"room":"r1","day":"2030-02-03"}`, "", 400, []string{"/day"}},
		{`{"room":"a word"}`, "", 400, []string{"/room"}},
		{`{"room":"r1"}`, "en1", 400, []string{"query/lang"}},
		{`{"room":"r1"}`, "en1", 404, []string{"query/lang"}},
		{`{"room":"r1","kind":"a","late":false}`, "", 400, []string{"/kind", "/late"}}, // only together
		{` {"room":"r1"}`, "", 400, nil},
		{`{"room":"r1","kind":"b"}`, "", 422, nil}, // the document does not list the status
		{`{"room":"r1","note":"abc"}`, "", 422, nil},
		{`{"room":"r1","note":"abc"}`, "", 500, nil},
	} {
		t.Run(fmt.Sprintf("%s %s %d", row.body, row.lang, row.status), func(t *testing.T) {
			j, op := judgeOf(t, stays)
			accept(j, posted(j, op, `{"room":"r2"}`, 201, ""))
			j.Taken.Settle()
			s := posted(j, op, row.body, row.status, row.lang)
			require.Equal(t, message.Accept, s.sent.Expectation(), s.sent.Body.Reasons)
			open := j.open(s)
			assert.Equal(t, row.open, open)
			got := j.check(s, Set{})
			assert.Equal(t, len(row.open) == 0, got.Reason != nil)
			op.Accepted.Valid = true
			assert.Empty(t, j.open(s), "the requirements file says that valid requests are accepted")
		})
	}
}

func TestARefusalIsAFailureWhereALikeRequestWasAccepted(t *testing.T) {
	for _, row := range []struct{ accepted, refused string }{
		{`{"room":"r1"}`, `{"room":"r2"}`},
		{`{"room":"a word"}`, `{"room":"a word"}`},
		{`{"room":"r1","beds":5}`, `{"room":"r2","beds":5}`},
		{`{"room":"r1","beds":5}`, `{"room":"r2","beds":9}`}, // the bound is the reason
		{`{"room":"r1","note":"abc"}`, `{"room":"r2","note":"hello"}`},
		{`{"room":"r1","code":"abc"}`, `{"room":"r2","code":"abd"}`},
		{`{"room":"r1","kind":"a","late":false}`, `{"room":"r2","kind":"b","late":true}`},
	} {
		t.Run(row.refused, func(t *testing.T) {
			j, op := judgeOf(t, stays)
			accept(j, posted(j, op, row.accepted, 201, ""))
			s := posted(j, op, row.refused, 400, "")
			assert.NotEmpty(t, j.open(s), "while the run lasts, a like request may still be accepted")
			j.Taken.Settle()
			assert.Empty(t, j.open(s))
		})
	}
}

func TestANumberMayBeWhyABaselineRequestIsRefusedIfOthersAreAccepted(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [beds],
		properties: {beds: {type: integer}, kind: {enum: [a, b]}}}}}}, responses: {"201": {description: d}, "400": {description: d}}}}}}`)
	accept(j, posted(j, op, `{"beds":5}`, 201, ""))
	j.Taken.Settle()
	other := posted(j, op, `{"beds":7,"kind":"b"}`, 400, "")
	assert.Empty(t, j.open(other), "the listed value is the reason")
	assert.Equal(t, []string{"/beds"}, j.open(posted(j, op, `{"beds":6}`, 400, "")))
	assert.Equal(t, []string{"/beds"}, j.open(other), "so it may be here")
}

func TestARefusalBecauseOfTheStateOfAThingSaysNothingOfTheRequest(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, "400": {description: d}, "409": {description: taken}}}}}}`)
	judges(t, j, op, map[int]bool{409: true, 400: false, 201: false, 422: false})
}

func TestTheResponseDefaultIsEnoughForAConflict(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, default: {description: d}}}}}}`)
	judges(t, j, op, map[int]bool{409: true, 423: true, 400: false, 422: false, 428: false})
}

// judges asks whether answers with a status may be due to the state of things.
func judges(t *testing.T, j *Judge, op *openapi.Operation, want map[int]bool) {
	t.Helper()
	for status, taken := range want {
		s := posted(j, op, `{"room":"r1"}`, status, "")
		assert.Equal(t, taken, j.ofState(s), status)
		if taken {
			got := j.check(s, Set{})
			assert.Empty(t, got.Failed(), status)
		}
	}
}

func TestAThingThatTheRunCannotMakeMayHaveChangedSinceItsTagWasRead(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/rooms/{id}": {put: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
		{name: If-Match, in: header, schema: {type: string}}], responses: {"200": {description: d}, "412": {description: d}}}}}}`)
	op := d.Contract.Find("put-rooms-id")
	s := &subject{op: op, sent: &message.Sent{}, Exchange: answered(412, "", "")}
	s.Exchange.Request = &exchange.Request{Head: []byte("PUT /rooms/1 HTTP/1.1\r\nIf-Match: \"1\"\r\n\r\n")}
	s.Answer = rule.Read(op, s.Exchange)
	for kind, taken := range map[resource.Kind]bool{resource.List: true, resource.Example: true, resource.Any: false} {
		assert.Equal(t, taken, s.overtaken(&explore.Reached{Own: true, Ways: map[string]resource.Way{"path/id": {Kind: kind}}}), kind.String())
	}
}

func TestADocumentedUnavailabilitySaysNothingOfAValidRequest(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, "400": {description: d}, "500": {description: d}, "503": {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	for _, row := range []struct {
		body   string
		status int
		fails  string
	}{{`{"room":"r1"}`, 503, ""}, {`{"room":"r1"}`, 500, "post-stays-answered"}, {`{"room":"r1"}`, 501, "post-stays-answered"}, {`{"room":1}`, 503, "post-stays-answered"}} {
		got := j.check(posted(j, d.Op(), row.body, row.status, ""), Set{})
		if row.fails == "" {
			assert.Empty(t, got.Failed())
			continue
		}
		require.NotNil(t, got.Reason, row)
		assert.Equal(t, row.fails, j.Bound[got.Reason.At].ID)
	}
}
