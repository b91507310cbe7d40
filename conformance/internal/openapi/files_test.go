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

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
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

// withServers loads a document with these members at its top.
func withServers(t *testing.T, top string) *openapi.Contract {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte("{"+top+`, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err, top)
	return c
}

func TestVariablesOfAServerHaveTheirDefaultsOrAllowedValues(t *testing.T) {
	list := withServers(t, `openapi: 3.1.0, servers: [{url: 'https://{env}.example.com:{port}/{base}', variables: {env: {default: dev, enum: [dev, live]}, port: {default: 8443}, base: {default: ''}}}, {url: 'https://{region}'}, {}]`).Servers()
	require.Len(t, list, 3)
	assert.Equal(t, []string{"env", "port", "base"}, list[0].Variables())
	for _, row := range []struct {
		server     int
		values     map[string]string
		want, fail string
	}{
		{0, nil, "https://dev.example.com:8443/", ""},
		{0, map[string]string{"env": "live", "port": "1", "base": "v2"}, "https://live.example.com:1/v2", ""},
		{0, map[string]string{"env": "test"}, "", "--server-variable env: the document does not allow this value: use one of dev, live"},
		{1, map[string]string{"region": "eu"}, "https://eu", ""},
		{1, nil, "", "the variable region of the server https://{region} has no default: add --server-variable region=VALUE"},
		{2, nil, "", ""},
	} {
		got, err := list[row.server].Address(row.values)
		if row.fail != "" {
			assert.EqualError(t, err, row.fail)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, row.want, got)
	}
}

func TestThePrefixIsWhatThePathsOfAllServersBeginWith(t *testing.T) {
	for top, want := range map[string]string{
		`openapi: 3.1.0`:                      "",
		`openapi: 3.1.0, servers: [{url: /}]`: "",
		`openapi: 3.1.0, servers: [{url: 'https://h/api/v2/'}, {url: /api/v2}]`:                 "/api/v2",
		`openapi: 3.1.0, servers: [{url: 'https://h/api/v1'}, {url: 'https://h/api/v2'}]`:       "/api",
		`openapi: 3.1.0, servers: [{url: 'https://h/api'}, {url: 'https://h/apis'}]`:            "",
		`openapi: 3.1.0, servers: [{url: 'https://h/api'}, {url: 'https://h'}]`:                 "",
		`openapi: 3.1.0, servers: [{url: v1}, {url: v1}]`:                                       "",
		`openapi: 3.1.0, servers: [{url: 'https://h/{b}'}]`:                                     "",
		`openapi: 3.1.0, servers: [{url: 'https://h/{b}', variables: {b: {default: 'a%20b'}}}]`: "/a%20b",
		`openapi: 3.1.0, servers: [{url: 'https://h:x/v1'}]`:                                    "",
		`swagger: '2.0', host: h, basePath: /api, schemes: [http, https]`:                       "/api",
		`swagger: '2.0', basePath: /api`:                                                        "/api",
	} {
		assert.Equal(t, want, withServers(t, top).Prefix(), top)
	}
}

func TestAnOperationOfAnotherServerIsLeftOut(t *testing.T) {
	const op = `get: {responses: {"200": {description: d}}`
	load := func(top string) *openapi.Contract {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, `+top+`}`))
		require.NoError(t, err, top)
		return c
	}
	paths := func(c *openapi.Contract) []string {
		var out []string
		for _, op := range c.Operations {
			out = append(out, op.Path)
		}
		return out
	}
	c := load(`servers: [{url: 'https://a.example/v1/'}], paths: {/usual: {` + op + `}}, /same: {` + op + `, servers: [{url: 'https://b.example'}, {url: 'https://a.example/v1'}]}},
  /files: {servers: [{url: 'https://files.example'}], ` + op + `}}, /back: {servers: [{url: 'https://files.example'}], ` + op + `, servers: [{url: 'https://a.example/v1'}]}}}`)
	assert.Equal(t, []string{"/usual", "/same", "/back"}, paths(c))
	assert.Equal(t, []string{`GET /files: it has a server of its own, https://files.example: to try it, give a document with that server for all`}, c.LeftOut)
	c = load(`servers: [{url: '//a.example'}], paths: {/one: {` + op + `, servers: [{url: 'https://a.example'}]}}, /two: {` + op + `, servers: [{url: 'https://b.example'}]}}}`)
	assert.Equal(t, []string{"/one"}, paths(c), "a URL without a scheme may have any")
	c = load(`paths: {/one: {` + op + `, servers: [{url: 'https://a.example'}]}}, /two: {` + op + `, servers: [{url: 'https://b.example'}]}}, /three: {` + op + `}}}`)
	assert.Equal(t, []string{"/one", "/three"}, paths(c), "without servers of the document those that are named first are the usual ones")
}
