package openapi_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
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

const split = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: {$ref: 'paths/a.yaml'}
  /b: {post: {requestBody: {content: {application/json: {schema: {$ref: 'schemas/all.json#/B'}}}}, responses: {'200': {description: ok}}}}
  /c: {post: {requestBody: {content: {application/json: {schema: {$ref: 'schemas/../../c.yaml'}}}}, responses: {'200': {description: ok}}}}
  /d: {post: {requestBody: {content: {application/json: {schema: {$ref: 'nowhere.yaml'}}}}, responses: {'200': {description: ok}}}}
  /e: {post: {requestBody: {content: {application/json: {schema: {$ref: 'broken.yaml'}}}}, responses: {'200': {description: ok}}}}
components: {schemas: {Own: {type: object, required: [id], properties: {id: {type: integer}}}}}
`

func parts() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return fstest.MapFS{
		"paths/a.yaml": file("post:\n  requestBody: {$ref: '../bodies.yaml#/A'}\n  responses: {'200': {description: ok}}\n"),
		"bodies.yaml":  file("A:\n  content:\n    application/json: {schema: {$ref: schemas/thing.yaml}}\n"),
		"schemas/thing.yaml": file("type: object\nrequired: [name, own]\nproperties:\n  name: {type: string, maxLength: 9}\n" +
			"  own: {$ref: '../doc.yaml#/components/schemas/Own'}\n  b: {$ref: 'all.json#anchored'}\n  next: {$ref: '#'}\n"),
		"schemas/all.json": file(`{"B":{"$anchor":"anchored","type":"object","properties":{"t":{"$ref":"thing.yaml"}}}}`),
		"broken.yaml":      file("a: [\n"),
	}
}

func TestReferencesLeadIntoOtherFilesOfTheFolder(t *testing.T) {
	c, err := openapi.LoadWith("dir/doc.yaml", []byte(split), openapi.Source{Folder: parts()})
	require.NoError(t, err)
	require.Len(t, c.Operations, 2)
	s := c.Operations[0].Body.Shape.Schema
	assert.Equal(t, "thing", s.Name)
	assert.Equal(t, 9, *s.Property("name").Schema.MaxLength)
	assert.Equal(t, "integer", s.Property("own").Schema.Property("id").Schema.Type())
	assert.Equal(t, schema.Invalid, c.Operations[0].Body.Shape.Read([]byte(`{"name":"a","own":{"id":1},"b":{"t":{"name":"b"}}}`)).Kind)

	at := s.Property("name").Schema.Source.Of("maxLength")
	assert.Equal(t, "schemas/thing.yaml#/properties/name/maxLength", c.Clause(at))
	assert.Equal(t, "schemas/thing.yaml:4:35", c.Where(at))
	assert.Equal(t, "paths/a.yaml#/post", c.Clause(c.Operations[0].Pointer))
	assert.Equal(t, "/components/schemas/Own/required", c.Clause(s.Property("own").Schema.Property("id").Need))

	out := strings.Join(c.LeftOut, "\n")
	assert.Contains(t, out, `POST /c: /paths/~1c/post/requestBody/content/application~1json/schema/$ref: $ref "schemas/../../c.yaml" leaves the folder of the document`)
	assert.Contains(t, out, `POST /d: /paths/~1d/post/requestBody/content/application~1json/schema/$ref: $ref "nowhere.yaml" cannot be read: file does not exist`)
	assert.Contains(t, out, `$ref "broken.yaml" cannot be read: broken.yaml:1:`)
	for _, outside := range []string{"doc.yaml#/", "/x-conformance"} {
		assert.NotContains(t, out, outside)
	}
}

func TestAFaultInAnotherFileIsNamedThere(t *testing.T) {
	files := parts()
	files["schemas/thing.yaml"].Data = []byte("type: strin\n")
	c, err := openapi.LoadWith("doc.yaml", []byte(split+"  # POST /f is fine\nx: y\n"), openapi.Source{Folder: files})
	assert.ErrorContains(t, err, "POST /a: schemas/thing.yaml:1:7: schemas/thing.yaml#/type: no JSON schema", c)
}

func TestTheBytesOfEveryFileDecideTheDigest(t *testing.T) {
	one, err := openapi.LoadWith("doc.yaml", []byte(split), openapi.Source{Folder: parts()})
	require.NoError(t, err)
	files := parts()
	files["schemas/thing.yaml"].Data = append(files["schemas/thing.yaml"].Data, "# more\n"...)
	two, err := openapi.LoadWith("doc.yaml", []byte(split), openapi.Source{Folder: files})
	require.NoError(t, err)
	assert.NotEqual(t, one.Digest, two.Digest)
	_, err = openapi.Load("doc.yaml", []byte(split))
	assert.ErrorContains(t, err, "leaves the document: bring it inside", "without a folder nothing is opened")
}

// outside are files elsewhere, by their addresses; what is below /allowed/ may be read.
type outside struct {
	files map[string]string
	asked map[string]int
}

func (o outside) Allows(at *url.URL) bool   { return strings.HasPrefix(at.Path, "/allowed/") }
func (o outside) Prefix(at *url.URL) string { return "PREFIX-of-" + at.String() }
func (o outside) Read(at *url.URL, maximum int64) ([]byte, error) {
	o.asked[at.String()]++
	if text, found := o.files[at.String()]; found {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func TestReferencesLeadWhereTheUserAllows(t *testing.T) {
	const text = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '../allowed/a.yaml'}}}}, responses: {'200': {description: ok}}}}
  /b: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://h/allowed/b.yaml#/B'}}}}, responses: {'200': {description: ok}}}}
  /c: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://h/c.yaml'}}}}, responses: {'200': {description: ok}}}}
  /d: {post: {requestBody: {content: {application/json: {schema: {$ref: '../d.yaml'}}}}, responses: {'200': {description: ok}}}}
  /e: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://h/allowed/e.yaml'}}}}, responses: {'200': {description: ok}}}}
  /f: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://h/allowed/e.yaml#/x'}}}}, responses: {'200': {description: ok}}}}
components: {schemas: {Own: {type: integer}}}
`
	o := outside{asked: map[string]int{}, files: map[string]string{
		"file:///allowed/a.yaml":        "properties: {own: {$ref: '../docs/doc.yaml#/components/schemas/Own'}, a: {$ref: 'more/a.yaml'}, thing: {$ref: '../docs/schemas/all.json#/B'}}\n",
		"file:///allowed/more/a.yaml":   "maxLength: 3\n",
		"https://h/allowed/b.yaml":      "B: {properties: {b: {$ref: 'more/b.yaml'}}}\n",
		"https://h/allowed/more/b.yaml": "maxLength: 4\n",
	}}
	from := openapi.Source{At: &url.URL{Scheme: "file", Path: "/docs/doc.yaml"}, Folder: parts(), Outside: o}
	c, err := openapi.LoadWith("docs/doc.yaml", []byte(text), from)
	require.NoError(t, err)
	require.Len(t, c.Operations, 2)
	a, b := c.Operations[0].Body.Shape.Schema, c.Operations[1].Body.Shape.Schema
	assert.Equal(t, "integer", a.Property("own").Schema.Type(), "the document itself")
	assert.Equal(t, "../allowed/more/a.yaml#/maxLength", c.Clause(a.Property("a").Schema.Source.Of("maxLength")))
	assert.Equal(t, "schemas/all.json#/B/type", c.Clause(a.Property("thing").Schema.Source.Of("type")), "a file below the folder of the document")
	assert.Equal(t, "https://h/allowed/more/b.yaml#/maxLength", c.Clause(b.Property("b").Schema.Source.Of("maxLength")))
	assert.Equal(t, 1, o.asked["https://h/allowed/e.yaml"], "what fails is not asked again")

	out := strings.Join(c.LeftOut, "\n")
	assert.Contains(t, out, `$ref "https://h/c.yaml" leaves the document: bring it inside, or add --allow-ref PREFIX-of-https://h/c.yaml`)
	assert.Contains(t, out, `$ref "../d.yaml" leaves the folder of the document: bring it inside, or add --allow-ref PREFIX-of-file:///d.yaml`)
	assert.Contains(t, out, `$ref "https://h/allowed/e.yaml" cannot be read: file does not exist`)
	for address := range o.asked {
		assert.Contains(t, address, "/allowed/")
	}
}

func TestADocumentAtAnAddressRefersToItselfByIt(t *testing.T) {
	o := outside{asked: map[string]int{}, files: map[string]string{"https://h/allowed/a.yaml": "maxLength: 3\n"}}
	at, err := url.Parse("https://me:secret@h/allowed/doc.yaml")
	require.NoError(t, err)
	c, err := openapi.LoadWith("https://h/allowed/doc.yaml", []byte(`openapi: 3.1.0
paths:
  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: 'a.yaml'}}}}, responses: {'200': {description: ok}}}}
  /b: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://h/allowed/doc.yaml#/components/schemas/Own'}}}}, responses: {'200': {description: ok}}}}
components: {schemas: {Own: {type: integer}}}
`), openapi.Source{At: at, Outside: o})
	require.NoError(t, err)
	require.Len(t, c.Operations, 2)
	assert.Equal(t, "a.yaml#/maxLength", c.Clause(c.Operations[0].Body.Shape.Schema.Source.Of("maxLength")))
	assert.Equal(t, map[string]int{"https://h/allowed/a.yaml": 1}, o.asked)
}

func TestFilesThatCannotBeReadAreBoundedToo(t *testing.T) {
	var text strings.Builder
	text.WriteString("openapi: 3.1.0\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\ncomponents:\n  schemas:\n")
	for i := range 2100 {
		fmt.Fprintf(&text, "    S%d: {$ref: 'https://h/allowed/%d.yaml'}\n", i, i)
	}
	o := outside{asked: map[string]int{}}
	_, err := openapi.LoadWith("doc.yaml", []byte(text.String()), openapi.Source{Outside: o})
	require.NoError(t, err)
	assert.Len(t, o.asked, 2000)
}
