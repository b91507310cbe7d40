package checks

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

func TestWhatIsLeftOfAValueIsToldFromASpellingOfIt(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, content: {application/json: {schema: {properties: {
  email: {type: string, format: email}, kind: {type: string, enum: [a, b]}, small: {type: number, format: float}, price: {type: number}, made: {type: string, readOnly: true}, note: {type: string},
  map: {type: object, additionalProperties: {type: string}}, inner: {type: object, properties: {on: {type: boolean}, n: {type: integer}}}, list: {type: array, items: {type: string}}}}}}}}}}}}`))
	require.NoError(t, err)
	s := c.Operations[0].Responses[0].Media[0].Shape.Schema
	for _, row := range []struct {
		want, got string
		is        bool
	}{
		{`{"note":"A Town by the Sea"}`, `{"note":" A Town by the Sea"}`, false},
		{`{"note":"A Town by the Sea"}`, `{"note":"a town by the sea"}`, false},
		{`{"note":"Sea Town"}`, `{"note":"sea town"}`, false},
		{`{"note":"a & b"}`, `{"note":"a &amp; b"}`, false},
		{`{"note":"town"}`, `{"note":"<p>town</p>"}`, false},
		{`{"note":"+49 (30) 12"}`, `{"note":"+493012"}`, false},
		{`{"note":"a long text"}`, `{"note":"a long"}`, true},
		{`{"note":"word 植物"}`, `{"note":"word ??"}`, true},
		{`{"note":"a 🌱 leaf"}`, `{"note":"a ? leaf"}`, true},
		{`{"note":"a 🌱 leaf"}`, `{"note":"a ?? leaf"}`, true},
		{`{"note":"a 🌱 leaf"}`, `{"note":"a \uFFFD\uFFFD leaf"}`, true},
		{`{"note":"🌱"}`, `{"note":"?"}`, true},
		{`{"note":"a 🌱 leaf"}`, `{"note":"a 🌱 leaf?"}`, false},
		{`{"note":"Zoë of the sea"}`, `{"note":"Zoë of the sea"}`, false},
		{`{"note":"town"}`, `{"note":"sea"}`, false},
		{`{"email":"Ann@Example.com"}`, `{"email":"ann+x@example.com"}`, false},
		{`{"kind":"b"}`, `{"kind":"a"}`, false},
		{`{"inner":{"n":9007199254740993}}`, `{"inner":{"n":9007199254740992}}`, true},
		{`{"inner":{"n":5}}`, `{"inner":{"n":6}}`, false},
		{`{"inner":{"n":5}}`, `{"inner":{"n":5.0}}`, false},
		{`{"inner":{"on":false}}`, `{"inner":{"on":true}}`, false},
		{`{"inner":{"on":false}}`, `{"inner":{}}`, false},
		{`{"inner":{"n":5}}`, `{"inner":{}}`, false},
		{`{"small":16777217}`, `{"small":16777216}`, false},
		{`{"x":5.376}`, `{"x":5.4}`, false},
		{`{"x":5.376}`, `{"x":6.4}`, false},
		{`{"small":5.75}`, `{"small":5}`, true},
		{`{"small":-0.5}`, `{"small":0}`, true},
		{`{"small":5.75}`, `{"small":6}`, false},
		{`{"small":5.0}`, `{"small":5}`, false},
		{`{"inner":{"n":5.75}}`, `{"inner":{"n":5}}`, false},
		{`{"price":19.99}`, `{"price":19.989999771118164}`, true},
		{`{"price":0.1}`, `{"price":0.10000000149011612}`, true},
		{`{"price":0.5}`, `{"price":0.5000000}`, false},
		{`{"price":0.1}`, `{"price":0.1000000000000000055511151231257827}`, false},
		{`{"small":0.1}`, `{"small":0.10000000149011612}`, false},
		{`{"price":12345.678}`, `{"price":12345.68}`, false},
		{`{"map":{"a":"x","b":"y"}}`, `{"map":{"b":"y","a":"x"}}`, false},
		{`{"map":{"a":"x","b":"y"}}`, `{"map":{"a":"x"}}`, true},
		{`{"list":["x","y"]}`, `{"list":["y","x"]}`, false},
		{`{"list":["x","x"]}`, `{"list":["x"]}`, false},
		{`{"list":["x","y"]}`, `{"list":["x"]}`, false},
		{`{"list":["long text","y"]}`, `{"list":["long","y"]}`, true},
		{`{"list":["x","y"]}`, `{"list":["x","z"]}`, false},
		{`{"list":["a","b","c","d","e"]}`, `{"list":["a","b","c"]}`, true},
		{`{"list":["a","b","c","d","e"]}`, `{"list":["a","c","e"]}`, false},
		{`{"list":["a","b","c","d","e"]}`, `{"list":[]}`, false},
		{`{"list":["a","b","c","c","C"]}`, `{"list":["a","b","c"]}`, false},
		{`{"list":["x"]}`, `{"list":[{"id":"x"}]}`, false},
		{`{"made":"x","password":"y","status":"z"}`, `{"made":"1","password":"2","status":"3"}`, false},
		{`{"note":null}`, `{"note":"x"}`, false},
	} {
		assert.Equal(t, row.is, damaged(s, parsed(t, row.want), parsed(t, row.got)), "%s as %s", row.want, row.got)
	}
}

func parsed(t *testing.T, text string) *jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	require.NoError(t, err)
	return v.Root
}

func TestEachWrongMemberOfAnAnswerIsToldWithItsOwnValue(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {
  url: {type: string}, uptime: {type: integer}}}}}}}}}}}`))
	require.NoError(t, err)
	op := c.Operations[0]
	p := tried{status: 200, media: "application/json", came: `{"url":null,"uptime":175.87}`}
	form := &op.Responses[0].Media[0]
	in := &requirement.Input{Op: op, Exchange: &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(p.came)}}, Got: &requirement.Answer{Status: 200, Media: p.media, Documented: op.Response(200), Form: form, Reading: form.Shape.Read([]byte(p.came))}}
	for path, value := range map[string]string{"/url": "null", "/uptime": "175.87"} {
		kind := map[string]string{"/url": "string", "/uptime": "integer"}[path]
		in.Requirement = &requirement.Requirement{Sentence: kind, Args: requirement.Args{Statuses: []string{"200"}, Key: schema.Key{Path: path, Keyword: "type"}}}
		got := answerSchema.Check(in)
		assert.Contains(t, got.Got, value+" in 200 OK", path)
	}
}

func TestSpellingsThatStoresChangeAreKept(t *testing.T) {
	value := func(text string) *jsontree.Value {
		doc, err := jsontree.Parse([]byte(text))
		require.NoError(t, err, text)
		return doc.Root
	}
	for _, same := range [][2]string{
		{`"Ann@X.ORG"`, `"ann@x.org"`}, {`" a "`, `"a"`}, {`"e\u0301"`, `"é"`}, {`5`, `5.0`}, {`5`, `"5"`}, {`1.2345`, `1.23`}, {`null`, `"x"`}, {`""`, `null`},
		{`"4111111111"`, `"******1111"`}, {`"2026-01-02T03:04:05.678Z"`, `"2026-01-02T04:04:05+01:00"`}, {`"2026-01-02T03:04:05Z"`, `"2026-01-02"`},
		{`["b","a"]`, `["a","b"]`}, {`["a","a"]`, `["a"]`}, {`{"a":1}`, `{"a":1,"b":2}`}, {`{"a":1,"b":1}`, `{"a":1}`}, {`"http://x.org"`, `"http://x.org/"`},
	} {
		assert.True(t, kept(value(same[0]), value(same[1])), fmt.Sprint(same))
	}
	for _, other := range [][2]string{
		{`"ann"`, `"anna"`}, {`5`, `6`}, {`1.5`, `1.4`}, {`1.57`, `1.6`}, {`true`, `false`}, {`"x"`, `null`}, {`["a"]`, `[]`}, {`["a"]`, `["a","b"]`}, {`{"a":1}`, `{"a":2}`},
		{`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05+01:00"`}, {`10`, `1`}, {`"a"`, `["a"]`},
	} {
		assert.False(t, kept(value(other[0]), value(other[1])), fmt.Sprint(other))
	}
}

const resources = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
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

// ofResources loads the document of all histories, once.
var ofResources = sync.OnceValues(func() (*openapi.Contract, error) {
	c, err := openapi.Load("d.yaml", []byte(resources))
	if err != nil {
		return nil, err
	}
	return resource.FindPaging(c), nil
})

// history returns the input of a rule: the last request with those before it.
func history(t *testing.T, list ...said) *requirement.Input {
	t.Helper()
	c, err := ofResources()
	require.NoError(t, err)
	var past []requirement.TraceStep
	var answer *exchange.Exchange
	for _, s := range list {
		name, beside := strings.CutPrefix(s.op, "beside ")
		op := c.Find(name)
		require.NotNil(t, op, name)
		fields := ""
		for strings.HasPrefix(strings.ToLower(s.body), "if-") {
			field, rest, _ := strings.Cut(s.body, "\n")
			fields, s.body = fields+field+"\r\n", rest
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
		e := requirement.TraceStep{Op: op, Sent: &message.Sent{}, Key: jsontree.NewString("k1"), Aside: s.op == "close" || strings.HasPrefix(path, "b2/")}
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
		if of, ranged := strings.CutPrefix(s.tag, "Content-Range: "); ranged {
			r.Fields, s.tag = append(r.Fields[:1:1], exchange.Field{Name: "ETag", Value: `"1"`}, exchange.Field{Name: "Content-Range", Value: of}), `"1"`
		}
		e.Tag, e.Type, e.Body = s.tag, r.Get("Content-Type"), []byte(s.came)
		e.Repeated = requirement.Repeated(r)
		if dated {
			e.Modified = modified
			r.Fields = append(r.Fields, exchange.Field{Name: "Last-Modified", Value: modified})
		}
		answer = &exchange.Exchange{Response: r, Request: &exchange.Request{Head: []byte("GET / HTTP/1.1\r\n" + fields + "\r\n")}}
		e.Got = requirement.Read(op, answer)
		past = append(past, e)
	}
	last := past[len(past)-1]
	args := requirement.Args{Kind: c.Find("drop").Slug, From: "query/state"}
	return &requirement.Input{Requirement: &requirement.Requirement{Args: args}, Op: last.Op, Sent: last.Sent, Got: last.Got, History: past[:len(past)-1], Exchange: answer}
}

func TestATextThatWasPutIsReadAgain(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/notes: {
  put: {requestBody: {content: {text/plain: {schema: {type: string}}}}, responses: {"204": {description: d}}},
  get: {responses: {"200": {description: d, content: {text/plain: {schema: {type: string}}}}}}}}}`))
	require.NoError(t, err)
	put, get := c.Find("PUT /notes"), c.Find("GET /notes")
	answered := func(status int, body string) *exchange.Exchange {
		return &exchange.Exchange{Response: &exchange.Response{Status: status, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: "text/plain"}}}}
	}
	for read, want := range map[string]report.Verdict{"second": report.Pass, "first": report.Fail, "firstsecond": report.Fail} {
		in := &requirement.Input{Requirement: &requirement.Requirement{}, Op: get, Sent: &message.Sent{}, Exchange: answered(200, read)}
		in.Got = requirement.Read(get, in.Exchange)
		for _, text := range []string{"made", "first", "second"} {
			in.History = append(in.History, requirement.TraceStep{Op: put, Sent: &message.Sent{Body: put.Body.Shape.ReadValue(jsontree.NewString(text), nil, schema.Bindings{})}, Got: requirement.Read(put, answered(204, ""))})
		}
		assert.Equal(t, want, storedReplaced.Check(in).Verdict, read)
	}
}

// A link that is made with a time in the past leads nowhere, and that is what 410 is for.
func TestAThingThatWasMadeWithATimeMayBeOver(t *testing.T) {
	for body, want := range map[string]report.Verdict{
		`{"a":"x1","until":"2020-01-02T03:04:05Z"}`: report.Inapplicable,
		`{"a":"x1"}`: report.Fail,
	} {
		p := history(t, said{"add", body, 201, `{"id":"k1","a":"x1"}`, ""}, said{"read", "", 410, "", ""})
		assert.Equal(t, want, createdReadable.Check(p).Verdict, body)
	}
}
