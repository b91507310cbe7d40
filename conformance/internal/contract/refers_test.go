package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
)

func TestTheKeyOfSomethingThatMayNotExistMayBeRefused(t *testing.T) {
	c, err := contract.Load("d.yaml", []byte(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      parameters: [{name: id, in: query, schema: {type: integer}}, {name: userId, in: query, schema: {type: integer}},
        {name: page_token, in: query, schema: {type: string}}, {name: token, in: query, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                id: {type: integer}
                cursor: {type: string}
                startCursor: {type: string, enum: [a, b]}
                userId: {type: integer}
                userIds: {type: array, items: {type: integer}}
                tag_uuids: {type: array, items: {type: string}}
                flagIds: {type: array, items: {type: boolean}}
                kids: {type: array, items: {type: string}}
                editor: {type: object, properties: {id: {type: integer}, name: {type: string}}}
                lines: {type: array, items: {type: object, properties: {uuid: {type: string}, size: {type: integer}}}}
                query: {type: object, properties: {Id: {type: boolean}}}
      responses: {'200': {description: d}}
`))
	require.NoError(t, err)
	op := c.Operations[0]
	kinds(t, op.Body.Shape, map[string]contract.Kind{
		`{"id":7}`:                 contract.MustAccept,
		`{"userId":7}`:             contract.MayRefuse,
		`{"cursor":"a"}`:           contract.MayRefuse,
		`{"startCursor":"a"}`:      contract.MustAccept,
		`{"userIds":[7]}`:          contract.MayRefuse,
		`{"tag_uuids":["a"]}`:      contract.MayRefuse,
		`{"flagIds":[true]}`:       contract.MustAccept,
		`{"kids":["a"]}`:           contract.MustAccept,
		`{"editor":{"id":7}}`:      contract.MayRefuse,
		`{"editor":{"name":"a"}}`:  contract.MustAccept,
		`{"lines":[{"uuid":"a"}]}`: contract.MayRefuse,
		`{"lines":[{"size":7}]}`:   contract.MustAccept,
		`{"query":{"Id":true}}`:    contract.MustAccept,
	})
	kinds(t, op.Params, map[string]contract.Kind{
		`{"query":{"id":7}}`:           contract.MustAccept,
		`{"query":{"userId":7}}`:       contract.MayRefuse,
		`{"query":{"page_token":"a"}}`: contract.MayRefuse,
		`{"query":{"token":"a"}}`:      contract.MustAccept,
	})
}
