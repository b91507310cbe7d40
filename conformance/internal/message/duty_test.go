package message_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// sent is what a request is that change makes of the plainest one.
func sent(d *fake.Document, change func(m *message.Message)) *message.Sent {
	m := &message.Message{Op: d.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
	change(m)
	return d.Endpoint.Classify(m, d.Endpoint.Wire(m, "case"))
}

func field(name, value string) func(m *message.Message) {
	return func(m *message.Message) { m.Fields = append(m.Fields, exchange.Field{Name: name, Value: value}) }
}

func raw(body string) func(m *message.Message) {
	return func(m *message.Message) { m.Raw = []byte(body) }
}

func TestWhatAServerOwesARequestIsReadFromItsBytes(t *testing.T) {
	d := fake.Plants(t)
	credential := func(value string) func(m *message.Message) {
		return func(m *message.Message) {
			m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return value }}}
		}
	}
	none := func(m *message.Message) { m.Credentials = []message.Presented{} }
	both := func(list ...func(*message.Message)) func(*message.Message) {
		return func(m *message.Message) {
			for _, f := range list {
				f(m)
			}
		}
	}
	for name, c := range map[string]struct {
		change func(m *message.Message)
		want   message.Expectation
	}{
		"the plainest":              {func(*message.Message) {}, message.Accept},
		"an edge":                   {raw(`{"name":"fern2","id":0}`), message.Either},
		"invalid":                   {raw(`{"name":"fern2"}`), message.Refuse},
		"no JSON":                   {raw("{"), message.RefuseNotJSON},
		"no body":                   {raw(""), message.RefuseNotJSON},
		"no body and no length":     {both(raw(""), func(m *message.Message) { m.Drop = []string{"Content-Length"} }), message.RefuseAnyhow},
		"a query":                   {func(m *message.Message) { m.Query = "x=1" }, message.Anything},
		"a query, invalid":          {both(raw("{}"), func(m *message.Message) { m.Query = "x=1" }), message.RefuseAnyhow},
		"another field":             {field("X-A", "b"), message.Anything},
		"another type":              {field("Content-Type", "text/plain"), message.Anything},
		"no type":                   {func(m *message.Message) { m.Drop = []string{"Content-Type"} }, message.Anything},
		"no user agent":             {func(m *message.Message) { m.Drop = []string{"User-Agent"} }, message.Anything},
		"no accept":                 {func(m *message.Message) { m.Drop = []string{"Accept"} }, message.Accept},
		"chunked":                   {func(m *message.Message) { m.Framing = message.Chunked }, message.Anything},
		"in pieces":                 {func(m *message.Message) { m.Framing = message.Pieces }, message.Accept},
		"takes nothing but text":    {both(raw("{}"), field("Accept", "text/html")), message.Anything},
		"no credential":             {none, message.RefuseCredential},
		"no credential, invalid":    {both(none, raw("{}")), message.RefuseCredential},
		"a wrong token":             {credential("Bearer other"), message.RefuseCredential},
		"another scheme":            {credential("Basic " + fake.Token), message.RefuseCredential},
		"another case":              {credential("bearer " + fake.Token), message.Anything},
		"blanks behind the scheme":  {credential("Bearer   " + fake.Token), message.Anything},
		"the token and more":        {credential("Bearer " + fake.Token + "x"), message.RefuseCredential},
		"the token in another case": {credential("Bearer " + strings.ToUpper(fake.Token)), message.RefuseCredential},
	} {
		assert.Equal(t, c.want, sent(d, c.change).Expectation(), name)
	}
	s := sent(d, func(*message.Message) {})
	assert.Equal(t, message.Accept, s.Expectation())
	s.Reused = true
	assert.Equal(t, message.Either, s.Expectation(), "a value sent before may be refused")
}

func TestABodyOrAHeadIsLargeAbove8KiBAndNotAtIt(t *testing.T) {
	d := fake.Plants(t)
	body := func(n int) func(m *message.Message) {
		const frame = `{"name":"fern2","id":7}`
		return raw(frame + strings.Repeat(" ", n-len(frame)))
	}
	assert.Empty(t, sent(d, body(8<<10)).Transport)
	assert.Equal(t, []string{"large body"}, sent(d, body(8<<10+1)).Transport)

	head := func(n int) *message.Sent {
		m := &message.Message{Op: d.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
		m.Fields = []exchange.Field{{Name: "X-A", Value: "b"}}
		field("X-A", strings.Repeat("b", n-len(d.Endpoint.Wire(m, "").Head)+1))(m)
		m.Fields = m.Fields[1:]
		assert.Len(t, d.Endpoint.Wire(m, "").Head, n)
		return d.Endpoint.Classify(m, d.Endpoint.Wire(m, ""))
	}
	assert.Equal(t, []string{"field x-a"}, head(8<<10).Transport)
	assert.Equal(t, []string{"field x-a", "large head"}, head(8<<10+1).Transport)
}

func TestAServerMayCloseOnAWrongCredentialAbove1kBAndNeverAnswersItWithAServerError(t *testing.T) {
	d := fake.Plants(t)
	for n, long := range map[int]bool{1 << 10: false, 1<<10 + 1: true} {
		m := &message.Message{Op: d.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
		m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer " + strings.Repeat("x", n-7) }}}
		assert.Equal(t, long, d.Endpoint.Wire(m, "").MayClose, n)
		s := d.Endpoint.Classify(m, d.Endpoint.Wire(m, ""))
		assert.Equal(t, message.RefuseCredential, s.Expectation(), n)
		assert.False(t, s.Refusable(500), n)
	}
}

func TestARequestThatAsksForAnotherAnswerIsNegotiated(t *testing.T) {
	d := fake.Plants(t)
	for f, want := range map[exchange.Field]bool{
		{Name: "Accept", Value: "application/json"}:            false,
		{Name: "Accept", Value: "*/*"}:                         false,
		{Name: "Accept", Value: "application/*"}:               false,
		{Name: "Accept", Value: "text/html"}:                   true,
		{Name: "Accept", Value: "application/json, text/html"}: true,
		{Name: "Accept", Value: "application/json;q=0"}:        true,
		{Name: "Accept", Value: "application/json;q=0.5"}:      false,
		{Name: "Prefer", Value: "return=minimal"}:              true,
		{Name: "Range", Value: "bytes=0-1"}:                    false, // only GET has ranges
		{Name: "X-HTTP-Method-Override", Value: "GET"}:         true,
		{Name: "If-None-Match", Value: "*"}:                    false, // 412, as any refusal
		{Name: "A-IM", Value: "feed"}:                          true,
		{Name: "Accept-Datetime", Value: "now"}:                true,
		{Name: "X-A", Value: "text/html"}:                      false,
	} {
		assert.Equal(t, want, sent(d, field(f.Name, f.Value)).Negotiated, "%v", f)
	}
	assert.Equal(t, message.Anything, sent(d, func(m *message.Message) {
		field("Accept", "text/html")(m)
		raw("{}")(m)
	}).Expectation(), "an invalid body behind it may be answered in any way")
}

func TestAServersErrorIsARefusalOnlyWhereTheHeadAsksForIt(t *testing.T) {
	d := fake.Plants(t)
	plain := sent(d, func(*message.Message) {})
	odd := sent(d, field("X-A", "b"))
	stored := sent(d, field("Cache-Control", "max-age=0, only-if-cached"))
	for status, want := range map[int][3]bool{500: {}, 501: {false, true, true}, 503: {}, 504: {false, false, true}, 505: {false, true, true}} {
		assert.Equal(t, want, [3]bool{plain.Refusable(status), odd.Refusable(status), stored.Refusable(status)}, status)
	}
	assert.Empty(t, plain.Transport)
}

func TestTheFieldsOfTheUserAreNoChangeOfARequest(t *testing.T) {
	d := fake.Plants(t)
	e := *d.Endpoint
	e.Headers = []exchange.Field{{Name: "X-Tenant", Value: "a"}}
	e.ShownHeaders = e.Headers
	m := &message.Message{Op: d.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
	assert.Equal(t, message.Accept, e.Classify(m, e.Wire(m, "")).Expectation())
	field("X-Tenant", "b")(m)
	assert.Equal(t, message.Anything, e.Classify(m, e.Wire(m, "")).Expectation(), "another value than the user's")
	e.NameCases = true
	m.Fields = nil
	wire := e.Wire(m, "a/b/0")
	assert.Contains(t, string(wire.Head), message.CaseField+": a/b/0\r\n")
	assert.Equal(t, message.Accept, e.Classify(m, wire).Expectation())
}

func TestTheIdentityOfARequestIsItsNumbersAndTextsThatAreNoChoice(t *testing.T) {
	c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {n: {type: integer}, s: {type: string}, e: {enum: [a]}, c: {const: 1}, b: {type: boolean}, l: {type: array}}}}}}
      responses: {'200': {description: ok}}
`))
	assert.NoError(t, err)
	op := c.Operations[0]
	r := op.Body.Shape.Read([]byte(`{"n":1,"s":"x","e":"a","c":1,"b":true,"l":[],"more":"y"}`))
	var names []string
	for _, m := range message.Values(op, r.Root()) {
		names = append(names, m.Name)
	}
	assert.Equal(t, []string{"n", "s"}, names)
	assert.Empty(t, message.Values(op, nil))
	assert.Empty(t, message.Values(op, op.Body.Shape.Read([]byte("[1]")).Root()))
}

func TestACommandIsGivenWhereCurlSendsTheSameBytesAndTheTokenStaysAVariable(t *testing.T) {
	d := fake.Plants(t)
	curl := func(change func(m *message.Message)) string {
		m := &message.Message{Op: d.Op(), Raw: []byte(`{"name":"fern2","id":7}`)}
		change(m)
		return d.Endpoint.Curl(m)
	}
	plain := curl(func(*message.Message) {})
	assert.Equal(t, `curl -i -X POST 'http://target/plants' -H "Content-Type: application/json" -H "Authorization: Bearer $CONFORMANCE_TOKEN" --data-binary '{"name":"fern2","id":7}'`,
		strings.ReplaceAll(plain, `'Content-Type: application/json'`, `"Content-Type: application/json"`))
	assert.NotContains(t, plain, fake.Token)
	for _, f := range []message.Framing{message.Expect, message.Pieces, message.HeadPieces} {
		assert.Empty(t, curl(func(m *message.Message) { m.Framing = f }), f)
	}
	assert.Contains(t, curl(raw(`{"name":"O'x"}`)), `'{"name":"O'\''x"}'`)
	assert.Contains(t, curl(raw("\x00")), "base64 -d")
	assert.Contains(t, curl(raw("@x")), "base64 -d", "curl would read a file")
	assert.Contains(t, curl(raw("")), "--data-binary ''")
	assert.NotContains(t, curl(raw("")), "-H 'Content-Type:'")
	assert.Contains(t, curl(func(m *message.Message) { m.Drop = append(m.Drop, "Content-Type") }), "-H 'Content-Type:' --data-binary")
	assert.NotContains(t, curl(func(m *message.Message) { m.Tree, m.Raw, m.Drop = nil, []byte{}, []string{"Content-Length"} }), "--data-binary")
	for _, f := range []exchange.Field{{Name: "User-Agent", Value: "odd"}, {Name: "Accept", Value: "application/json"}, {Name: "accept", Value: "text/odd"}, {Name: "Host", Value: "elsewhere"}} {
		assert.Contains(t, curl(field(f.Name, f.Value)), "-H '"+f.Name+": "+f.Value+"'", "it may be why the request fails")
	}
	for _, name := range []string{"User-Agent", "Accept", "Host", "Content-Length"} {
		assert.Contains(t, curl(func(m *message.Message) { m.Drop = append(m.Drop, strings.ToLower(name)) }), "-H '"+name+":'", "curl would send one")
	}
	assert.NotEmpty(t, curl(raw(strings.Repeat("x", 8<<10))))
	assert.Empty(t, curl(raw(strings.Repeat("x", 8<<10+1))))
}

func TestOnTheWireAFieldOfAMessageReplacesOneOfTheSameNameInPlace(t *testing.T) {
	d := fake.Plants(t)
	head := func(change func(m *message.Message)) string {
		m := &message.Message{Op: d.Op(), Raw: []byte("{}")}
		change(m)
		return string(d.Endpoint.Wire(m, "").Head)
	}
	usual := "POST /plants HTTP/1.1\r\nHost: target\r\nUser-Agent: test\r\nAccept: %s\r\nContent-Type: application/json\r\nAuthorization: Bearer " + fake.Token + "\r\nContent-Length: 2\r\n%s\r\n"
	assert.Equal(t, fmt.Sprintf(usual, "application/json", ""), head(func(*message.Message) {}))
	assert.Equal(t, fmt.Sprintf(usual, "*/*", ""), strings.Replace(head(field("accept", "*/*")), "accept:", "Accept:", 1))
	assert.Equal(t, fmt.Sprintf(usual, "application/json", "X-A: b\r\n"), head(field("X-A", "b")))
	assert.Equal(t, strings.Replace(fmt.Sprintf(usual, "application/json", ""), "User-Agent: test\r\n", "", 1), head(func(m *message.Message) { m.Drop = []string{"user-agent"} }))
	assert.Equal(t, strings.Replace(fmt.Sprintf(usual, "application/json", ""), "HTTP/1.1", "HTTP/1.0", 1), head(func(m *message.Message) { m.Version = "HTTP/1.0" }))
	wire := d.Endpoint.Wire(&message.Message{Op: d.Op(), Raw: []byte(`{"é":1}`), Framing: message.Pieces}, "")
	assert.Equal(t, []int{0, 3}, wire.Cuts, "inside of the first character of several bytes")
}

func TestAPartHasTheHeaderFieldsOfItsEncoding(t *testing.T) {
	doc := `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "components": {"headers": {"Kind": {"schema": {"type": "string", "enum": ["cat", "dog"]}}}}, "paths": {"/a": {"post": {
		"requestBody": {"required": true, "content": {"multipart/form-data": {"schema": {"type": "object", "required": ["photo", "meta", "note"], "properties": {
				"photo": {"type": "string", "contentMediaType": "image/png"}, "meta": {"type": "object"}, "note": {"type": "string"}}},
			"encoding": {"photo": {"headers": {"X-Kind": {"$ref": "#/components/headers/Kind"}, "X-Size": {"required": true, "schema": {"type": "integer"}, "example": 7}, "Content-Type": {"schema": {"type": "string", "enum": ["no"]}}}},
				"meta": {"headers": {"X-Optional": {"schema": {"type": "string"}}}}}}}},
		"responses": {"204": {"description": "ok"}}}}}}`
	c, err := openapi.Load("a.json", []byte(doc))
	require.NoError(t, err)
	tree, err := jsontree.Parse([]byte(`{"photo": "x", "meta": {"a": 1}, "note": "n"}`))
	require.NoError(t, err)
	m := &message.Message{Op: c.Operations[0], Tree: tree.Root}
	body := string(m.Body())
	assert.Contains(t, body, "name=\"photo\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\nX-Kind: cat\r\nX-Size: 7\r\n\r\nx\r\n")
	assert.Contains(t, body, "name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n")
	assert.Contains(t, body, "name=\"note\"\r\n\r\nn\r\n")
	assert.NotEqual(t, schema.Invalid, m.Reading().Kind)
	assert.NotEqual(t, schema.NotJSON, m.Reading().Kind)
}
