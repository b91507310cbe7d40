package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestTheKeyOfSomethingThatMayNotExistMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`
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
	kinds(t, op.Body.Shape, map[string]openapi.Kind{
		`{"id":7}`:                 openapi.MustAccept,
		`{"userId":7}`:             openapi.MayRefuse,
		`{"cursor":"a"}`:           openapi.MayRefuse,
		`{"startCursor":"a"}`:      openapi.MustAccept,
		`{"userIds":[7]}`:          openapi.MayRefuse,
		`{"tag_uuids":["a"]}`:      openapi.MayRefuse,
		`{"flagIds":[true]}`:       openapi.MustAccept,
		`{"kids":["a"]}`:           openapi.MustAccept,
		`{"editor":{"id":7}}`:      openapi.MayRefuse,
		`{"editor":{"name":"a"}}`:  openapi.MustAccept,
		`{"lines":[{"uuid":"a"}]}`: openapi.MayRefuse,
		`{"lines":[{"size":7}]}`:   openapi.MustAccept,
		`{"query":{"Id":true}}`:    openapi.MustAccept,
	})
	kinds(t, op.Params, map[string]openapi.Kind{
		`{"query":{"id":7}}`:           openapi.MustAccept,
		`{"query":{"userId":7}}`:       openapi.MayRefuse,
		`{"query":{"page_token":"a"}}`: openapi.MayRefuse,
		`{"query":{"token":"a"}}`:      openapi.MustAccept,
	})
}
