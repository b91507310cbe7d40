package message

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

func answering(responses ...*openapi.Response) *openapi.Operation {
	return &openapi.Operation{Responses: responses}
}

func response(status string, media ...string) *openapi.Response {
	r := &openapi.Response{Status: status}
	for _, m := range media {
		one := openapi.Media{Type: m}
		if m == "application/json" {
			one.Shape = &schema.Shape{}
		}
		r.Media = append(r.Media, one)
	}
	return r
}

func TestABaselineRequestAcceptsTheDocumentedSuccesses(t *testing.T) {
	for want, op := range map[string]*openapi.Operation{
		"application/json":                    answering(),
		"text/csv":                            answering(response("200", "text/csv"), response("400", "application/json")),
		"application/json, application/xml":   answering(response("200", "application/xml", "application/json")),
		"application/json, text/csv, image/*": answering(response("200", "text/csv"), response("201", "application/json", "text/csv"), response("2XX", "image/*")),
		"text/plain":                          answering(response("200", "text/plain; charset=utf-8")),
		"application/vnd.x+json; version=2":   answering(response("200", "application/vnd.x+json; version=2")),
		"application/problem+json":            answering(response("default", "application/problem+json"), response("404", "text/html")),
	} {
		assert.Equal(t, want, (&Message{Op: op}).accept(t))
	}
	assert.Equal(t, "application/json", answering(response("200", "json", "", "a b/c")).Wanted().Field, "a media type that is none is not sent")
	assert.Equal(t, "application/json", answering(response("204"), response("404", "text/plain")).Wanted().Field)
}

// accept is the Accept field that a message has on the wire.
func (m *Message) accept(t *testing.T) string {
	t.Helper()
	e := &Endpoint{Auth: func(*openapi.Operation) *Auth { return nil }}
	for _, f := range e.fields(m, serialize.Encoded{}, nil, 0, "", "", 0, false) {
		if f.Name == "Accept" {
			return f.Value
		}
	}
	return ""
}

func TestAnAcceptFieldThatTakesDocumentedSuccessesAloneIsBaseline(t *testing.T) {
	for value, want := range map[string]bool{
		"application/json": true, "*/*": true, "application/json, */*": true, "*/*;q=0.1": true, "application/json ; q=1.0": true,
		"": false, "text/html": false, "application/json, text/html": false, "application/*": false, "*": false,
		"application/json;q=0": false, "application/json;q=0.0": false, "application/json;q=x": false, "application/json;version=2": false,
	} {
		assert.Equal(t, want, TakesUsual(answering(response("200", "application/json")), value), value)
		assert.Equal(t, want, TakesUsual(answering(), value), "none documented: %s", value)
	}
	both := answering(response("200", "text/csv", "application/json"))
	for value, want := range map[string]bool{
		"application/json, text/csv": true, "text/csv": true, "text/csv;q=0.5, */*": true, "text/html": false, "application/json, text/html": false,
	} {
		assert.Equal(t, want, TakesUsual(both, value), value)
	}
}

func TestAnAcceptFieldWithoutADocumentedSuccessAsksForAnotherAnswer(t *testing.T) {
	both := answering(response("200", "text/csv", "application/json"))
	for value, want := range map[string]bool{
		"application/json, text/csv": false, "text/csv": false, "text/*": false, "*/*": false, "application/*": false,
		"text/html": true, "application/json, text/html": true, "image/png": true, "text/csv;q=0": true,
	} {
		assert.Equal(t, want, negotiates(both, exchange.Field{Name: "Accept", Value: value}), value)
	}
}

func TestAFieldThatNamesCodingsOrLanguagesGivesAnErrorNoOtherForm(t *testing.T) {
	for value, want := range map[string]bool{"gzip": true, "gzip, deflate, br": true, "*": true, "de-DE,en": true, "": false, "gzip;q=0": false, "identity;q=0, *;q=0": false, "en_US": false} {
		assert.Equal(t, want, understood([]string{"field accept-encoding"}, []exchange.Field{{Name: "Accept-Encoding", Value: value}}), value)
		assert.Equal(t, want, understood([]string{"field accept-language"}, []exchange.Field{{Name: "Accept-Language", Value: value}}), value)
	}
	assert.False(t, understood(nil, nil), "a baseline head")
	assert.False(t, understood([]string{"field accept-encoding", "field expect"}, []exchange.Field{{Name: "Accept-Encoding", Value: "gzip"}}), "another field")
	assert.False(t, understood([]string{"field accept-encoding twice"}, []exchange.Field{{Name: "Accept-Encoding", Value: "gzip"}}))
}

// The text that stands for a tag may be an asterisk by chance, and one that is meant stays.
func TestAFixedValueIsNotReplacedEvenIfTheSameOneStoodForThatOfTheTarget(t *testing.T) {
	const place = "/tag"
	asterisk := func() *Message {
		m := &Message{Op: &openapi.Operation{Bind: []string{place}}, Tree: jsontree.NewObject(jsontree.Member{Name: "tag", Value: jsontree.NewString("*")})}
		m.Bind()
		return m
	}
	real := map[string]*jsontree.Value{place: jsontree.NewString("v1")}
	usual, fixed := asterisk(), asterisk()
	fixed.Fix(place, jsontree.NewString("*"))
	assert.Equal(t, "v1", usual.Put(real).At(place).Text)
	assert.Equal(t, "*", fixed.Put(real).At(place).Text)
}

// Only 12abc shows who reads 12 and finds it: a number that nothing has is not found either way.
func TestATextThatIsMadeOfAStandingValueIsMadeOfThatOfTheTarget(t *testing.T) {
	const place = "/id"
	for sent, want := range map[string]string{"1134017651abc": "12abc", "1134017651": "12", "113401765'1": "113401765'1", "x": "x"} {
		m := &Message{Op: &openapi.Operation{Bind: []string{place}}, Tree: jsontree.NewObject(jsontree.Member{Name: "id", Value: jsontree.NewNumber("1134017651")})}
		m.Bind()
		if sent != "1134017651" {
			m.Set(place, jsontree.NewString(sent))
		}
		assert.Equal(t, want, m.Put(map[string]*jsontree.Value{place: jsontree.NewNumber("12")}).At(place).Text, sent)
	}
}

func TestABodyIsReadAsItsFramingSays(t *testing.T) {
	for _, row := range []struct {
		fields, after, body string
		want                carriage
	}{
		{"Content-Length: 2\r\n", "{}", "{}", carriage{known: true}},
		{"Content-Length: 002\r\n", "{}", "{}", carriage{known: true}},
		{"Content-Length: 2\r\nContent-Length: 2\r\n", "{}", "{}", carriage{known: true, closes: true}},
		{"Content-Length: 2, 2\r\n", "{}", "{}", carriage{known: true, closes: true}},
		{"Content-Length: 1\r\n", "{}", "{", carriage{known: true, closes: true}},
		{"", "{}", "", carriage{known: true, closes: true}},
		{"", "", "", carriage{known: true}},
		{"Content-Length: 2\r\nContent-Length: 1\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: -2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: +2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: \r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: 0x2\r\n", "{}", "", carriage{closes: true}},
		{"Content-Length: 2.0\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Content-Length: 99999999999999999999\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Content-Length: 3\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: Chunked\r\n", "002\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true}},
		{"Transfer-Encoding: chunked\r\n", "2;a=b\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\nA: b\r\n\r\n", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\nx", "{}", carriage{known: true, closes: true}},
		{"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "2\r\n{}\r\n0\r\n\r\n", "{}", carriage{known: true, closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\n", "x\r\n{}\r\n0\r\n\r\n", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: gzip\r\n", "{}", "", carriage{closes: true, waits: true}},
		{"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n", "", carriage{closes: true, waits: true}},
	} {
		got := carried([]byte("POST / HTTP/1.1\r\nHost: a\r\n"+row.fields+"\r\n"), []byte(row.after))
		assert.Equal(t, row.body, string(got.body), row.fields+row.after)
		got.body = nil
		assert.Equal(t, row.want, got, row.fields+row.after)
	}
	old := carried([]byte("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), []byte("2\r\n{}\r\n0\r\n\r\n"))
	assert.Equal(t, carriage{closes: true, waits: true}, old, "HTTP/1.0 has no chunks (RFC 9112, 6.1)")
}

// The other principal has a credential of its own for a, and the usual one for b.
func TestTheOtherPrincipalSendsItsOwnCredential(t *testing.T) {
	a, b := keyed("a"), keyed("b")
	auth := authOf(t, []*openapi.Scheme{a, b})
	e := &Endpoint{Target: exchange.Target{Authority: "t"}, Keys: NewKeys(map[string]string{"a": "A1", "b": "B1"}),
		Other: map[string]string{"a": "A2"}, Auth: func(*openapi.Operation) *Auth { return auth }}
	usual, other := &Message{Op: auth.op}, &Message{Op: auth.op, Other: true}
	for m, want := range map[*Message][]string{usual: {"X-a: A1", "X-b: B1"}, other: {"X-a: A2", "X-b: B1"}} {
		wire := e.Wire(m, "")
		for _, line := range want {
			assert.Contains(t, string(wire.Head), line+"\r\n")
		}
		assert.Equal(t, CredentialValid, e.Classify(m, wire).Credential, want)
	}
	assert.Equal(t, "A1", e.Credential("a"))
	assert.Equal(t, "A2", e.AsOther().Credential("a"))
	assert.Equal(t, "B1", e.AsOther().Credential("b"))
	e.Keys.Renew(map[string]string{"b": "B2"})
	assert.Contains(t, string(e.Wire(other, "").Head), "X-a: A2\r\nX-b: B2\r\n")
	assert.NotContains(t, string(e.Shown(other, "").Head), "A2")
}

// A wrong credential may be that of the other principal by chance.
func TestACredentialOfTheOtherPrincipalIsNotWrong(t *testing.T) {
	a := keyed("a")
	auth := authOf(t, []*openapi.Scheme{a})
	e := &Endpoint{Target: exchange.Target{Authority: "t"}, Keys: NewKeys(map[string]string{"a": "key-1"}),
		Other: map[string]string{"a": "key-2"}, Auth: func(*openapi.Operation) *Auth { return auth }}
	for value, want := range map[string]Credential{"key-1": CredentialValid, "key-2": CredentialUnclear, "key-3": CredentialToken} {
		m := &Message{Op: auth.op, Credentials: []Presented{{Field: "X-a", Value: func(string) string { return value }, Show: "w"}}}
		assert.Equal(t, want, e.Classify(m, e.Wire(m, "")).Credential, value)
	}
}

// A text that servers may read as a valid value is no violation, whatever another
// reading of it is. What is wrong elsewhere stays wrong.
func TestAViolationCountsOnlyWhereEveryServerReadsTheSame(t *testing.T) {
	c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    get:
      parameters:
        - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 10}}
        - {name: limits, in: query, schema: {type: integer}}
        - {name: mix, in: query, schema: {type: [integer, string], maximum: 10}}
        - {name: sort, in: query, explode: false, schema: {type: array, items: {enum: [a, b]}}}
        - {name: code, in: query, schema: {type: string, pattern: '^[A-Z]{2}$'}}
        - {name: order, in: query, schema: {type: string, enum: ['', up]}}
      responses:
        '200': {description: ok}
`))
	require.NoError(t, err)
	for query, want := range map[string]schema.Kind{
		"limit=5": schema.MustAccept, "limit=99": schema.Invalid, "limit=abc": schema.Invalid, "": schema.Invalid,
		"limit=": schema.MayRefuse, "limit=99&limit=5": schema.MayRefuse, "limit=%2B99": schema.MayRefuse, "limit=5&mix=50": schema.MayRefuse, "limit=5&sort=a%2Cb": schema.MayRefuse,
		"limit=5&code=DE": schema.MustAccept, "limit=5&code=DE%0A": schema.Invalid, "limit=5&code=DE%0D%0A": schema.Invalid, "limit=5&order=": schema.MustAccept, "limit=5%0A": schema.MayRefuse,
		"limits=%2B5": schema.Invalid, "limit=%2B5&limits=x": schema.Invalid, "limit=99&mix=50": schema.Invalid,
	} {
		r, _ := readInputs(&Message{Op: c.Operations[0]}, serialize.Encoded{Path: "/t", Query: query}, nil, "")
		assert.Equal(t, want.String(), r.Kind.String(), "%s: %v %v", query, r.Violations, r.Reasons)
	}
}

func TestTraceContextHasTheFormOfW3C(t *testing.T) {
	for _, id := range []string{"post-plants/valid/a/b/c/0", "control"} {
		assert.Regexp(t, `^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`, traceParent(1, id, "POST", "/plants", "{}"))
	}
}

func TestTheRequestsOfACaseShareATrace(t *testing.T) {
	parts := func(seed uint64, id, body string) (trace, parent string) {
		p := strings.Split(traceParent(seed, id, "POST", "/plants", body), "-")
		return p[1], p[2]
	}
	trace, parent := parts(1, "a/b/0", "{}")
	again, same := parts(1, "a/b/0", "{}")
	assert.Equal(t, []string{trace, parent}, []string{again, same}, "the same run sends the same")
	other, second := parts(1, "a/b/0", "[]")
	assert.Equal(t, trace, other)
	assert.NotEqual(t, parent, second)
	for _, c := range []struct {
		seed uint64
		id   string
	}{{2, "a/b/0"}, {1, "a/b/1"}} {
		other, _ = parts(c.seed, c.id, "{}")
		assert.NotEqual(t, trace, other)
	}
	one, _ := parts(1, "control", "{}")
	two, _ := parts(1, "control", "[]")
	assert.NotEqual(t, one, two, "controls belong to no case")
}

func TestATraceContextOfACaseIsNotTakenForOurs(t *testing.T) {
	ours := traceParent(7, "a/b/0", "GET", "/", "")
	assert.True(t, ownTrace(ours))
	for _, other := range []string{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x", "", "00-00-00-01", strings.Replace(ours, "-", "-0", 1)} {
		assert.False(t, ownTrace(other), other)
	}
	assert.Equal(t, strings.Split(ours, "-")[1], TraceID([]byte("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: "+ours+"\r\n\r\n")))
	assert.Empty(t, TraceID([]byte("GET / HTTP/1.1\r\nTraceparent: x\r\n\r\n")))
}
