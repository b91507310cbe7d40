package checks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

const things = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /things: {get: {operationId: list, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}},
    post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}, until: {type: string, format: date-time}, w: {writeOnly: true}, pw: {type: string, writeOnly: true}, of: {type: object, properties: {pin: {type: string, writeOnly: true}}}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {}}}}}}},
  /payments: {post: {operationId: pay, parameters: [{name: Idempotency-Key, in: header, description: The same key pays once., schema: {type: string}}], requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {}}}}}}},
  /pages: {get: {operationId: page, parameters: [{name: limit, in: query, schema: {type: integer, default: 3}}, {name: offset, in: query, schema: {type: integer}},
      {name: state, in: query, schema: {type: string, enum: [x, y]}}, {name: a, in: query, schema: {type: string}}, {name: tags, in: query, schema: {type: array, items: {type: string}}},
      {name: sort, in: query, schema: {type: string, enum: [n, -n, a]}}],
    responses: {"200": {description: d, content: {application/json: {schema: &pages {properties: {total: {type: integer}, next: {type: string}, items: {type: array, items: {properties:
      {id: {type: string}, a: {type: string}, n: {type: [number, string, 'null']}, state: {type: string}, tags: {type: array, items: {type: string}}}}}}}}}}}}},
  /latest: {get: {operationId: latest, description: "All things, newest first.", parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}}, {name: sort, in: query, schema: {type: string, enum: [n, -n]}}],
    responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {properties: {id: {type: string}, a: {type: string}, n: {type: number}}}}}}}}}},
  /scroll: {get: {operationId: scroll, parameters: [{name: limit, in: query, schema: {type: integer}}, {name: cursor, in: query, schema: {type: string}}],
    responses: {"200": {description: d, content: {application/json: {schema: *pages}}}}}},
  "/things/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: read, responses: {"200": {description: d, content: {application/json: {schema: {properties: {made: {readOnly: true}, c: {type: string}, w: {writeOnly: true}}}}}}, "304": {description: d}, "404": {description: d}, "410": {description: d}}},
    head: {operationId: head, responses: {"200": {description: d}, "404": {description: d}}},
    put: {operationId: put, description: Replaces everything but c., requestBody: {content: {application/json: {schema: {type: object, properties: {b: {type: string}, n: {type: integer}, d: {type: string, default: x}, ownerId: {type: string}, owner: {type: string, readOnly: true}, id: {type: string, readOnly: true}}}}}}, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}},
    patch: {operationId: patch, requestBody: {content: {application/merge-patch+json: {schema: {type: object}}, application/json-patch+json: {schema: {type: array}}}}, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}},
    delete: {operationId: drop, responses: {"204": {description: d}}}},
  "/wholes/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    put: {operationId: putWhole, description: Members that are left out get their defaults., requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}, b: {type: string}, d: {type: string, default: first}}}}}}, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}}},
  "/things/{id}/notes": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: notes, parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {properties: {id: {type: string}, a: {type: string}, n: {type: integer}}}}}}}}},
    post: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {}}}}}}},
  "/things/{id}/close": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    post: {operationId: close, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}}},
  "/boards/{bid}/cards": {parameters: [&bid {name: bid, in: path, required: true, schema: {type: string}}],
    get: {operationId: cards, responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {properties: {id: {type: string}, a: {type: string}}}}}}}}},
    post: {operationId: card, requestBody: {content: {application/json: {schema: &card {type: object, properties: {a: {type: string}, d: {type: string, default: first}, n: {type: integer}, state: {type: string, enum: [waiting, finished]}, on: {type: string, format: date}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {properties: {d: {type: string}}}}}}}}},
  "/boards/{bid}/cards/{cid}": {parameters: [*bid, {name: cid, in: path, required: true, schema: {type: string}}],
    get: {operationId: readCard, responses: {"200": {description: d, content: {application/json: {schema: {properties: {a: {type: string}, open: {type: boolean}, state: {type: string, enum: [waiting, finished]}}}}}}, "404": {description: d}}},
    patch: {operationId: setCard, requestBody: {content: {application/json: {schema: *card}}}, responses: {"200": {description: d, content: {application/json: {schema: {}}}}}},
    delete: {operationId: dropCard, responses: {"204": {description: d}}}},
  "/boards/{bid}/cards/{cid}/finish": {parameters: [*bid, {name: cid, in: path, required: true, schema: {type: string}}],
    post: {operationId: finish, description: Refused with 409 if the card is not waiting., responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "409": {description: d}}}}}}`

// said is one request of a history: what was sent, and what came back. The keys of a path
// stand before the body: @b1/c1.
type said struct {
	op, body string
	status   int
	came     string
	tag      string
}

// at is the same with the field Last-Modified in the answer, in place of an entity tag.
func (s said) at(modified string) said {
	s.tag = lastModified + modified
	return s
}

// asked is the same with a field in the request, which is written before its body.
func (s said) asked(field string) said {
	s.body = field + "\n" + s.body
	return s
}

const lastModified = "Last-Modified: "

// tagged is the same with an entity tag in the answer.
func (s said) tagged(tag string) said {
	s.tag = tag
	return s
}

// history returns the input of a rule: the last request with those before it.
func history(t *testing.T, list ...said) *rule.Input {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(things))
	require.NoError(t, err)
	resource.FindPaging(c)
	var past []rule.Earlier
	var answer *exchange.Exchange
	for _, s := range list {
		name, beside := strings.CutPrefix(s.op, "beside ")
		op := c.Find(name)
		require.NotNil(t, op, name)
		field := ""
		if strings.HasPrefix(strings.ToLower(s.body), "if-") {
			field, s.body, _ = strings.Cut(s.body, "\n")
		}
		key := ""
		if rest, keyed := strings.CutPrefix(s.body, "#"); keyed {
			key, s.body, _ = strings.Cut(rest, " ")
		}
		path := ""
		if rest, named := strings.CutPrefix(s.body, "@"); named {
			path, s.body, _ = strings.Cut(rest, " ")
		}
		modified, dated := strings.CutPrefix(s.tag, lastModified)
		if dated {
			s.tag = ""
		}
		e := rule.Earlier{Op: op, Sent: &message.Sent{}, Key: jsontree.NewString("k1"), Aside: s.op == "close" || strings.HasPrefix(path, "b2/")}
		if beside {
			e.Key, e.Aside = jsontree.NewString("k2"), true
		}
		if op.Body != nil {
			e.Sent.Body = op.Body.Shape.Read([]byte(s.body))
		} else if op.Listing != nil {
			e.Sent.Body = e.Sent.Body.Beside(op.Params.Read([]byte(`{"query":{` + s.body + `}}`)))
		}
		if key != "" {
			e.Sent.Body = e.Sent.Body.Beside(op.Params.Read([]byte(`{"header":{"Idempotency-Key":"` + key + `"}}`)))
		}
		if path != "" {
			keys := strings.Split(path, "/")
			var named []string
			for i, name := range openapi.Expressions(op.Path)[:len(keys)] {
				named = append(named, `"`+name+`":"`+keys[i]+`"`)
			}
			e.Sent.Body = e.Sent.Body.Beside(op.Params.Read([]byte(`{"path":{` + strings.Join(named, ",") + `}}`)))
		}
		r := &exchange.Response{Status: s.status, Content: []byte(s.came)}
		if s.came != "" {
			r.Fields = []exchange.Field{{Name: "Content-Type", Value: "application/json"}}
		}
		if s.tag != "" {
			r.Fields = append(r.Fields, exchange.Field{Name: "ETag", Value: s.tag})
		}
		e.Tag, e.Type, e.Size = s.tag, r.Get("Content-Type"), len(s.came)
		e.Repeated = rule.Repeated(r)
		if dated {
			e.Modified = modified
			r.Fields = append(r.Fields, exchange.Field{Name: "Last-Modified", Value: modified})
		}
		answer = &exchange.Exchange{Response: r, Request: &exchange.Request{Head: []byte("GET / HTTP/1.1\r\n" + field + "\r\n\r\n")}}
		e.Got = rule.Read(op, answer)
		past = append(past, e)
	}
	last := past[len(past)-1]
	args := requirement.Args{Kind: c.Find("drop").Slug, From: "query/state"}
	return &rule.Input{Requirement: &requirement.Requirement{Args: args}, Op: last.Op, Sent: last.Sent, Got: last.Got, History: past[:len(past)-1], Exchange: answer}
}
