package message_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

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
	assert.NotEqual(t, openapi.Invalid, m.Reading().Kind)
	assert.NotEqual(t, openapi.NotJSON, m.Reading().Kind)
}
