package openapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

// withSchemas is a document whose only body is A.
func withSchemas(schemas string) []byte {
	return fmt.Appendf(nil, `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}},
"responses":{"200":{"description":"it"}}}}},
"components":{"schemas":{%s}}}`, schemas)
}

func ref(name string) string { return `{"$ref":"#/components/schemas/` + name + `"}` }

func TestASchemaThatNeedsItselfWithoutEndCostsItsOperation(t *testing.T) {
	for schemas, at := range map[string]string{
		`"A":` + ref("A"):                      "/components/schemas/A",
		`"A":` + ref("B") + `,"B":` + ref("A"): "/components/schemas/B",
		`"A":{"allOf":[` + ref("A") + `]}`:     "/components/schemas/A/allOf/0",
		`"A":{"type":"object","required":["b"],"properties":{"b":` + ref("A") + `}}`:                                                                            "/components/schemas/A/properties/b",
		`"A":{"type":"object","required":["b"],"properties":{"b":{"type":"array","minItems":1,"items":` + ref("A") + `}}}`:                                      "/components/schemas/A/properties/b/items",
		`"A":{"type":"object","required":["b"],"properties":{"b":{"oneOf":[` + ref("A") + `,` + ref("A") + `]}}}`:                                               "/components/schemas/A/properties/b/oneOf/0",
		`"A":{"type":"object","required":["b"],"properties":{"b":` + ref("B") + `}},"B":{"type":"object","required":["a"],"properties":{"a":` + ref("A") + `}}`: "/components/schemas/B/properties/a",
	} {
		_, err := openapi.Load("a.json", withSchemas(schemas))
		if assert.Error(t, err, schemas) {
			assert.Regexp(t, `can be tested: POST /a: a\.json:4:\d+: `+at+`: no value satisfies`, err.Error())
		}
	}
}

func TestASchemaThatMayEndIsTaken(t *testing.T) {
	for _, schemas := range []string{
		`"A":{"type":"object","properties":{"b":` + ref("A") + `}}`,
		`"A":{"type":["object","null"],"required":["b"],"properties":{"b":` + ref("A") + `}}`,
		`"A":{"type":"object","required":["b"],"properties":{"b":{"type":"array","items":` + ref("A") + `}}}`,
		`"A":{"type":"object","required":["b"],"properties":{"b":{"oneOf":[` + ref("A") + `,{"type":"string"}]}}}`,
		`"A":{"type":"object","required":["b"],"properties":{"b":` + ref("B") + `}},"B":{"oneOf":[` + ref("A") + `,` + ref("C") + `]},"C":{"type":"string"}`,
		`"A":{"type":"object","required":["b"],"properties":{"b":{"readOnly":true,"allOf":[` + ref("A") + `]}}}`,
	} {
		_, err := openapi.Load("a.json", withSchemas(schemas))
		assert.NoError(t, err, schemas)
	}
}
