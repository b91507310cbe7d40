package openapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAMalformedSchemaIsToldWithItsPlaceAndNothingOfOurs(t *testing.T) {
	const at = "/paths/~1a/post/requestBody/content/application~1json/schema"
	for schema, want := range map[string]string{
		"{type: []}":      "doc.yaml:10:28: " + at + "/type: no JSON schema: value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'",
		"{minLength: -1}": "doc.yaml:10:33: " + at + "/minLength: no JSON schema: minimum: got -1, want 0",
		"{pattern: '['}":  "doc.yaml:10:31: " + at + "/pattern: no JSON schema: '[' is not valid regex: pattern \"[\": missing ]",
		"{properties: {a/b: {allOf: [{enum: 5}]}}}": "doc.yaml:10:56: " + at + "/properties/a~1b/allOf/0/enum: no JSON schema: got number, want array",
		"[]":              "doc.yaml:10:21: " + at + ": no JSON schema: got array, want boolean or object",
		"{required: [1]}": "doc.yaml:10:33: " + at + "/required/0: no JSON schema: got number, want string",
	} {
		_, err := Load("doc.yaml", []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: %s
      responses: {'200': {description: ok}}
`, schema)))
		assert.EqualError(t, err, "doc.yaml: no operation of the document can be tested: POST /a: "+want, schema)
	}
}
