package rules

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

func TestWhatIsLeftOfAValueIsToldFromASpellingOfIt(t *testing.T) {
	c, err := contract.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, content: {application/json: {schema: {properties: {
  email: {type: string, format: email}, kind: {type: string, enum: [a, b]}, small: {type: number, format: float}, made: {type: string, readOnly: true}, note: {type: string},
  map: {type: object, additionalProperties: {type: string}}, inner: {type: object, properties: {on: {type: boolean}, n: {type: integer}}}, list: {type: array, items: {type: string}}}}}}}}}}}}`))
	require.NoError(t, err)
	s := c.Operations[0].Responses[0].Media[0].Shape.Schema
	for _, row := range []struct {
		want, got string
		is        change
	}{
		{`{"note":"A Town by the Sea"}`, `{"note":" A Town by the Sea"}`, unchanged},
		{`{"note":"A Town by the Sea"}`, `{"note":"a town by the sea"}`, damaged},
		{`{"note":"Sea Town"}`, `{"note":"sea town"}`, unchanged},
		{`{"note":"a & b"}`, `{"note":"a &amp; b"}`, unchanged},
		{`{"note":"town"}`, `{"note":"<p>town</p>"}`, unchanged},
		{`{"note":"+49 (30) 12"}`, `{"note":"+493012"}`, unchanged},
		{`{"note":"a long text"}`, `{"note":"a long"}`, damaged},
		{`{"note":"word 植物"}`, `{"note":"word ??"}`, damaged},
		{`{"note":"Zoë of the sea"}`, `{"note":"Zoë of the sea"}`, unchanged},
		{`{"note":"town"}`, `{"note":"sea"}`, replaced},
		{`{"email":"Ann@Example.com"}`, `{"email":"ann+x@example.com"}`, unchanged},
		{`{"kind":"b"}`, `{"kind":"a"}`, replaced},
		{`{"inner":{"n":9007199254740993}}`, `{"inner":{"n":9007199254740992}}`, damaged},
		{`{"inner":{"n":5}}`, `{"inner":{"n":6}}`, replaced},
		{`{"inner":{"n":5}}`, `{"inner":{"n":5.0}}`, unchanged},
		{`{"inner":{"on":false}}`, `{"inner":{"on":true}}`, replaced},
		{`{"inner":{"on":false}}`, `{"inner":{}}`, unchanged},
		{`{"inner":{"n":5}}`, `{"inner":{}}`, replaced},
		{`{"small":16777217}`, `{"small":16777216}`, unchanged},
		{`{"x":5.376}`, `{"x":5.4}`, unchanged},
		{`{"x":5.376}`, `{"x":6.4}`, replaced},
		{`{"map":{"a":"x","b":"y"}}`, `{"map":{"b":"y","a":"x"}}`, unchanged},
		{`{"map":{"a":"x","b":"y"}}`, `{"map":{"a":"x"}}`, damaged},
		{`{"list":["x","y"]}`, `{"list":["y","x"]}`, unchanged},
		{`{"list":["x","x"]}`, `{"list":["x"]}`, unchanged},
		{`{"list":["x","y"]}`, `{"list":["x"]}`, damaged},
		{`{"list":["x","y"]}`, `{"list":["x","z"]}`, replaced},
		{`{"list":["x"]}`, `{"list":[{"id":"x"}]}`, unchanged},
		{`{"made":"x","password":"y","status":"z"}`, `{"made":"1","password":"2","status":"3"}`, unchanged},
		{`{"note":null}`, `{"note":"x"}`, unchanged},
	} {
		assert.Equal(t, row.is, changeOf(s, parsed(t, row.want), parsed(t, row.got)), "%s as %s", row.want, row.got)
	}
}

func parsed(t *testing.T, text string) *jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	require.NoError(t, err)
	return v.Root
}
