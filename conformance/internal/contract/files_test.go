package contract_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
)

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
	c, err := contract.LoadWith("dir/doc.yaml", []byte(split), parts())
	require.NoError(t, err)
	require.Len(t, c.Operations, 2)
	s := c.Operations[0].Body.Shape.Schema
	assert.Equal(t, "thing", s.Name)
	assert.Equal(t, 9, *s.Property("name").Schema.MaxLength)
	assert.Equal(t, "integer", s.Property("own").Schema.Property("id").Schema.Type())
	assert.Equal(t, contract.Invalid, c.Operations[0].Body.Shape.Read([]byte(`{"name":"a","own":{"id":1},"b":{"t":{"name":"b"}}}`)).Kind)

	at := s.Property("name").Schema.Source["maxLength"]
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
	c, err := contract.LoadWith("doc.yaml", []byte(split+"  # POST /f is fine\nx: y\n"), files)
	assert.ErrorContains(t, err, "POST /a: schemas/thing.yaml:1:7: schemas/thing.yaml#/type: no JSON schema", c)
}

func TestTheBytesOfEveryFileDecideTheDigest(t *testing.T) {
	one, err := contract.LoadWith("doc.yaml", []byte(split), parts())
	require.NoError(t, err)
	files := parts()
	files["schemas/thing.yaml"].Data = append(files["schemas/thing.yaml"].Data, "# more\n"...)
	two, err := contract.LoadWith("doc.yaml", []byte(split), files)
	require.NoError(t, err)
	assert.NotEqual(t, one.Digest, two.Digest)
	_, err = contract.Load("doc.yaml", []byte(split))
	assert.ErrorContains(t, err, "leaves the document: bring it inside", "without a folder nothing is opened")
}
