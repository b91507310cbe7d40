package openapi_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/yamltree"
)

// document puts the text of a schema where it says.
func document(t *testing.T, text string) *jsontree.Value {
	t.Helper()
	tree, err := yamltree.Parse("a.yaml", []byte(text))
	require.NoError(t, err, text)
	return tree.Root
}

// schemaPlaces are pointers where OpenAPI 3.1 has a schema, with a document that
// has SCHEMA there.
// at is the address of the documents.
var at = &url.URL{Scheme: "file", Path: "/dir/a.yaml"}

func schemaPlaces() map[string]string {
	operation := func(s string) string { return "paths: {/a: {post: {" + s + "}}}" }
	within := func(s string) string { return "components: {schemas: {A: " + s + "}}" }
	return map[string]string{
		"/components/schemas/A":                                               within("SCHEMA"),
		"/components/schemas/A/properties/example":                            within("{properties: {example: SCHEMA}}"),
		"/components/schemas/A/properties/default":                            within("{properties: {default: SCHEMA}}"),
		"/components/schemas/A/properties/properties":                         within("{properties: {properties: SCHEMA}}"),
		"/components/schemas/A/properties/$ref":                               within("{properties: {$ref: SCHEMA}}"),
		"/components/schemas/A/properties/x-y":                                within("{properties: {x-y: SCHEMA}}"),
		"/components/schemas/A/items":                                         within("{items: SCHEMA}"),
		"/components/schemas/A/prefixItems/1":                                 within("{prefixItems: [{}, SCHEMA]}"),
		"/components/schemas/A/allOf/0/not":                                   within("{allOf: [{not: SCHEMA}]}"),
		"/components/schemas/A/anyOf/0/if":                                    within("{anyOf: [{if: SCHEMA}]}"),
		"/components/schemas/A/oneOf/0/then":                                  within("{oneOf: [{then: SCHEMA}]}"),
		"/components/schemas/A/else":                                          within("{else: SCHEMA}"),
		"/components/schemas/A/contains":                                      within("{contains: SCHEMA}"),
		"/components/schemas/A/propertyNames":                                 within("{propertyNames: SCHEMA}"),
		"/components/schemas/A/patternProperties/^a":                          within("{patternProperties: {'^a': SCHEMA}}"),
		"/components/schemas/A/dependentSchemas/a":                            within("{dependentSchemas: {a: SCHEMA}}"),
		"/components/schemas/A/additionalProperties":                          within("{additionalProperties: SCHEMA}"),
		"/components/schemas/A/unevaluatedProperties":                         within("{unevaluatedProperties: SCHEMA}"),
		"/components/schemas/A/unevaluatedItems":                              within("{unevaluatedItems: SCHEMA}"),
		"/components/schemas/A/contentSchema":                                 within("{contentSchema: SCHEMA}"),
		"/components/schemas/A/$defs/a":                                       within("{$defs: {a: SCHEMA}}"),
		"/components/schemas/A/definitions/a":                                 within("{definitions: {a: SCHEMA}}"),
		"/components/headers/A/schema":                                        "components: {headers: {A: {schema: SCHEMA}}}",
		"/components/parameters/A/schema":                                     "components: {parameters: {A: {schema: SCHEMA}}}",
		"/components/pathItems/A/get/parameters/0/schema":                     "components: {pathItems: {A: {get: {parameters: [{schema: SCHEMA}]}}}}",
		"/components/callbacks/A/{$url}/post/requestBody/content/a~1b/schema": "components: {callbacks: {A: {'{$url}': {post: {requestBody: {content: {a/b: {schema: SCHEMA}}}}}}}}",
		"/webhooks/x-w/post/responses/200/content/a/schema":                   "webhooks: {x-w: {post: {responses: {200: {content: {a: {schema: SCHEMA}}}}}}}",
		"/paths/~1a/post/requestBody/content/a/schema":                        operation("requestBody: {content: {a: {schema: SCHEMA}}}"),
		"/paths/~1a/post/requestBody/content/a/encoding/b/headers/h/schema":   operation("requestBody: {content: {a: {encoding: {b: {headers: {h: {schema: SCHEMA}}}}}}}"),
		"/paths/~1a/post/responses/default/headers/example/schema":            operation("responses: {default: {headers: {example: {schema: SCHEMA}}}}"),
		"/paths/~1a/post/responses/200/headers/h/content/a/schema":            operation("responses: {200: {headers: {h: {content: {a: {schema: SCHEMA}}}}}}"),
		"/paths/~1a/post/parameters/0/schema":                                 operation("parameters: [{schema: SCHEMA}]"),
		"/paths/~1a/post/callbacks/c/u/get/responses/200/content/a/schema":    operation("callbacks: {c: {u: {get: {responses: {200: {content: {a: {schema: SCHEMA}}}}}}}}"),
		"/x-schemas/A":   "x-schemas: {A: SCHEMA}\ncomponents: {schemas: {B: {$ref: '#/x-schemas/A'}}}",
		"/definitions/A": "definitions: {A: SCHEMA}",
	}
}

func TestWhatLeadsOutsideIsRefusedWhereverASchemaMayStand(t *testing.T) {
	for pointer, text := range schemaPlaces() {
		for keyword, s := range map[string]string{
			"$ref":        "{$ref: 'http://127.0.0.1:9/a'}",
			"$schema":     "{$schema: 'http://127.0.0.1:9/meta'}",
			"$dynamicRef": "{$dynamicRef: 'file:///etc/passwd#a'}",
		} {
			root := document(t, strings.Replace(text, "SCHEMA", s, 1))
			_, bad := openapi.ResolveReferences(root, at, "3.1.0", nil)
			if assert.Len(t, bad, 1, "%s below %s", keyword, pointer) {
				assert.Equal(t, pointer+"/"+keyword, bad[0].Pointer)
				assert.Contains(t, bad[0].Why, "leaves the document")
				assert.Same(t, root.At(pointer), bad[0].Holder)
				assert.Nil(t, bad[0].Holder.Get(keyword), "nobody may follow it later")
			}
		}
	}
}

func TestReferencesOfOtherObjectsStayInsideToo(t *testing.T) {
	for pointer, text := range map[string]string{
		"/paths/~1a":                        "paths: {/a: {$ref: URI}}",
		"/paths/~1a/post/requestBody":       "paths: {/a: {post: {requestBody: {$ref: URI}}}}",
		"/paths/~1a/post/responses/200":     "paths: {/a: {post: {responses: {200: {$ref: URI}}}}}",
		"/paths/~1a/parameters/0":           "paths: {/a: {parameters: [{$ref: URI}]}}",
		"/components/headers/a":             "components: {headers: {a: {$ref: URI}}}",
		"/components/securitySchemes/a":     "components: {securitySchemes: {a: {$ref: URI}}}",
		"/components/links/a":               "components: {links: {a: {$ref: URI}}}",
		"/components/examples/a":            "components: {examples: {a: {$ref: URI}}}",
		"/components/callbacks/a":           "components: {callbacks: {a: {$ref: URI}}}",
		"/components/responses/a/headers/b": "components: {responses: {a: {headers: {b: {$ref: URI}}}}}",
	} {
		for _, uri := range []string{"'http://127.0.0.1:9/a'", "'/etc/passwd'", "'../b.yaml#/a'", "'//host/a'"} {
			root := document(t, strings.Replace(text, "URI", uri, 1))
			_, bad := openapi.ResolveReferences(root, at, "3.0.3", nil)
			if assert.Len(t, bad, 1, "%s at %s", uri, pointer) {
				assert.Equal(t, pointer+"/$ref", bad[0].Pointer)
				assert.Contains(t, bad[0].Why, "leaves the document")
				assert.Nil(t, root.At(pointer).Get("$ref"), "nobody may follow it later")
			}
		}
	}
}

// What resolves inside works: by pointer, anchor, $id, or the file's own name.
func TestWhatResolvesInsideBecomesAPointer(t *testing.T) {
	for _, row := range []struct{ text, at, want string }{
		{"components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$ref: 'a.yaml#/components/schemas/B'}, B: {}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$ref: './a.yaml#/components/schemas/B'}, B: {}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$ref: '#b'}, B: {$anchor: b}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$dynamicRef: '#b'}, B: {$dynamicAnchor: b}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$dynamicRef: '#b'}, B: {$anchor: b}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$ref: 'http://127.0.0.1:9/b'}, B: {$id: 'http://127.0.0.1:9/b'}}}", "/components/schemas/A", "#/components/schemas/B"},
		{"components: {schemas: {A: {$id: 'http://127.0.0.1:9/a', items: {$ref: 'b#x'}}, B: {$id: 'http://127.0.0.1:9/b', not: {$anchor: x}}}}",
			"/components/schemas/A/items", "#/components/schemas/B/not"},
		{"components: {schemas: {A: {$id: 'http://127.0.0.1:9/a', items: {$ref: '#'}}}}", "/components/schemas/A/items", "#/components/schemas/A"},
		{"components: {schemas: {A: {$id: 'x', items: {$ref: '#/$defs/y'}, $defs: {y: {}}}}}", "/components/schemas/A/items", "#/components/schemas/A/$defs/y"},
		{"components: {schemas: {A: {$ref: '#/components/schemas/100%'}, 100%: {}}}", "/components/schemas/A", "#/components/schemas/100%25"},
	} {
		root := document(t, row.text)
		_, bad := openapi.ResolveReferences(root, at, "3.1.0", nil)
		if assert.Empty(t, bad, row.text) {
			assert.Equal(t, row.want, root.At(row.at).Get("$ref").Text, row.text)
			for _, gone := range []string{"$id", "$anchor", "$dynamicAnchor", "$dynamicRef"} {
				assert.NotContains(t, string(root.Emit()), gone)
			}
		}
	}
}

func TestADynamicReferenceBesideAReferenceBindsToo(t *testing.T) {
	root := document(t, "components: {schemas: {A: {$ref: '#/components/schemas/B', $dynamicRef: '#b'}, B: {$dynamicAnchor: b}}}")
	_, bad := openapi.ResolveReferences(root, at, "3.1.0", nil)
	require.Empty(t, bad)
	assert.Equal(t, `{"$ref":"#/components/schemas/B","allOf":[{"$ref":"#/components/schemas/B"}]}`, string(root.At("/components/schemas/A").Emit()))
}

func TestWhatPointsAtNothingOrAtTwoThingsIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		"components: {schemas: {A: {$ref: '#/components/schemas/B'}}}":                                                      "points at nothing",
		"components: {schemas: {A: {$ref: '#b'}}}":                                                                          "no schema here has this $anchor",
		"components: {schemas: {A: {$ref: 5}}}":                                                                             "is not a string",
		"components: {schemas: {A: {$ref: '%zz'}}}":                                                                         "is not a URI reference",
		"components: {schemas: {A: {$anchor: a}, B: {$anchor: a}}}":                                                         "is also that of /components/schemas/A",
		"components: {schemas: {A: {$id: 'x'}, B: {$id: 'x'}}}":                                                             "is also that of /components/schemas/A",
		"components: {schemas: {A: {$id: 'x#y'}}}":                                                                          "without a fragment",
		"components: {schemas: {A: {$id: 'x', $ref: '#/components/schemas/B'}, B: {}}}":                                     "write a.yaml#/components/schemas/B",
		"components: {schemas: {A: {$id: x, $dynamicAnchor: n}, B: {$id: y, $dynamicAnchor: n, not: {$dynamicRef: '#n'}}}}": "refer to several $dynamicAnchors",
	} {
		_, bad := openapi.ResolveReferences(document(t, text), at, "3.1.0", nil)
		if assert.Len(t, bad, 1, text) {
			assert.ErrorContains(t, bad[0], why, text)
		}
	}
}

func TestMembersThatAreMerelyNamedLikeKeywordsAreLeftAlone(t *testing.T) {
	const out = "{$ref: 'http://127.0.0.1:9/a', $schema: 'file:///etc/passwd', $id: 7, $dynamicRef: 'x:y'}"
	for _, text := range []string{
		"components: {schemas: {A: {example: " + out + "}}}",
		"components: {schemas: {A: {examples: [" + out + "]}}}",
		"components: {schemas: {A: {default: " + out + "}}}",
		"components: {schemas: {A: {const: " + out + "}}}",
		"components: {schemas: {A: {enum: [" + out + "]}}}",
		"components: {schemas: {A: {x-y: " + out + "}}}",
		"components: {schemas: {A: {properties: {$ref: {type: string}, $schema: true, $id: {}, $dynamicRef: {}}}}}",
		"components: {schemas: {A: {required: [$ref], dependentRequired: {$ref: [$schema]}}}}",
		"components: {examples: {A: {value: " + out + "}}}",
		"paths: {x-y: " + out + "}",
		"x-y: " + out,
		"info: " + out,
		"paths: {/a: {post: {requestBody: {content: {a: {example: " + out + "}}}}}}",
	} {
		root := document(t, text)
		before := string(root.Emit())
		_, bad := openapi.ResolveReferences(root, at, "3.1.0", nil)
		assert.Empty(t, bad, text)
		assert.Equal(t, before, string(root.Emit()), text)
	}
}

func TestDialectsThatAreKnownNeedNoNetwork(t *testing.T) {
	for uri, notes := range map[string][]string{
		"https://json-schema.org/draft/2020-12/schema":         nil,
		"http://json-schema.org/draft/2020-12/schema#":         nil,
		"https://spec.openapis.org/oas/3.1/dialect/base":       nil,
		"https://spec.openapis.org/oas/3.1/dialect/2024-11-10": nil,
		"http://json-schema.org/draft-07/schema#":              {"schemas of JSON Schema draft-07 are read as 2020-12"},
	} {
		root := document(t, "jsonSchemaDialect: '"+uri+"'\ncomponents: {schemas: {A: {$schema: '"+uri+"'}}}")
		got, bad := openapi.ResolveReferences(root, at, "3.1.0", nil)
		assert.Empty(t, bad, uri)
		assert.Equal(t, notes, got)
		assert.Equal(t, `{"components":{"schemas":{"A":{}}}}`, string(root.Emit()))
	}
	_, bad := openapi.ResolveReferences(document(t, "jsonSchemaDialect: 'http://127.0.0.1:9/d'"), at, "3.1.0", nil)
	require.Len(t, bad, 1)
	assert.EqualError(t, bad[0], `/jsonSchemaDialect: jsonSchemaDialect "http://127.0.0.1:9/d" leaves the document: this suite reads JSON Schema 2020-12 and the dialect of OpenAPI 3.1; name one of them or leave it out`)
}

// A file of schemas is walked as a whole and again where a reference leads into it.
func TestADynamicReferenceInAFileIsFollowedInWhateverOrderItsMembersStand(t *testing.T) {
	defs := []string{`"base": {"properties": {"size": {"$dynamicRef": "#size"}}}`, `"part": {"$ref": "#/$defs/base"}`, `"size": {"$dynamicAnchor": "size", "type": "integer"}`}
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for _, last := range []bool{false, true} {
			use, held := `"properties": {"part": {"$ref": "#/$defs/part"}}`, `"$defs": {`+defs[order[0]]+", "+defs[order[1]]+", "+defs[order[2]]+"}"
			text := "{" + use + ", " + held + "}"
			if last {
				text = "{" + held + ", " + use + "}"
			}
			root := document(t, "components: {schemas: {A: {$ref: 'thing.json'}}}")
			open := func(openapi.File) (*jsontree.Value, string) { return document(t, text), "" }
			notes, bad := openapi.ResolveReferences(root, at, "3.1.0", open)
			assert.Empty(t, notes, text)
			assert.Empty(t, bad, text)
			size := root.At("/x-conformance-files/thing.json/$defs/base/properties/size")
			assert.Equal(t, `{"$ref":"#/x-conformance-files/thing.json/$defs/size"}`, size.String(), text)
		}
	}
}
