package secondopinion_test

import (
	"strings"
	"testing"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/secondopinion"
)

// A document that the suite takes does not bring the library down: a panic is an
// opinion, and a stack that overflows would end a run whose verdict is known.
func FuzzNoDocumentThatIsTakenBringsTheLibraryDown(f *testing.F) {
	head := "{openapi: 3.1.0, info: {title: T, version: '1'}, paths: {/a: {get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}, components: {schemas: {A: "
	for _, s := range []string{
		"{oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}", "{type: object, properties: {a: {$ref: '#/components/schemas/A'}}}",
		"{anyOf: [{$ref: '#/components/schemas/A/anyOf/0'}]}", "{not: {$ref: '#/components/schemas/A'}}", "true", "false", "{}", "{type: strin}",
		"{properties: {$ref: {type: string}, allOf: {items: {}}}}", "{$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema'}",
		"{items: {$ref: '#'}}", "{pattern: '('}", "{multipleOf: 1e400}", "{additionalProperties: {$ref: '#/components/schemas/A'}, minProperties: 1}",
		"{enum: [{$ref: a}], default: {$schema: b}, x-a: {$ref: c}}", "{discriminator: {propertyName: a, mapping: {a: b}}, oneOf: [{$ref: '#/components/schemas/B'}]}, B: {allOf: [{$ref: '#/components/schemas/A'}]}",
		strings.Repeat("{items: ", 300) + "{}" + strings.Repeat("}", 300),
	} {
		f.Add(head + s + "}}}")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		c, err := openapi.Load("a.yaml", []byte(text))
		if err != nil {
			return
		}
		r, err := secondopinion.New(c.Document())
		if err != nil {
			return
		}
		for _, op := range c.Operations {
			for _, body := range []string{`{"a":{"a":{}}}`, `[[],[[]]]`, `"x"`, `1`} {
				r.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: 200, ContentType: "application/json", Body: []byte(body)})
			}
		}
	})
}
