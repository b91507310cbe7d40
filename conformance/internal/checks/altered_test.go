package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
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
	in := &rule.Input{Op: op, Exchange: &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(p.came)}}, Got: &rule.Answer{Status: 200, Media: p.media, Documented: op.Response(200), Form: form, Reading: form.Shape.Read([]byte(p.came))}}
	for path, value := range map[string]string{"/url": "null", "/uptime": "175.87"} {
		kind := map[string]string{"/url": "string", "/uptime": "integer"}[path]
		in.Requirement = &requirement.Requirement{Sentence: kind, Args: requirement.Args{Statuses: []string{"200"}, Key: openapi.Key{Path: path, Keyword: "type"}}}
		got := answerSchema.Check(in)
		assert.Contains(t, got.Got, value+" in 200 OK", path)
	}
}
