package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/sample"
)

// besides loads a document with one good operation and the given one, and returns
// what is left out. The good one is always judged.
func besides(t *testing.T, operation, rest string) string {
	t.Helper()
	c, err := openapi.Load("doc.yaml", []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
%s
paths:
  /a:
    post: {%s}
  /good:
    get: {security: [], responses: {'200': {description: ok}}}
`, rest, operation)))
	if !assert.NoError(t, err, operation+rest) {
		return ""
	}
	good := c.Operations[len(c.Operations)-1]
	assert.Equal(t, "/good", good.Path)
	if len(c.Operations) == 1 {
		assert.Contains(t, strings.Join(c.LeftOut, "\n"), "POST /a: ", "what is left out is named")
	}
	return strings.Join(c.LeftOut, "\n")
}

const fine = "responses: {'200': {description: ok}}"

func TestAValueOfAnotherKindThanItsPlaceHoldsCostsTheOperationsThatNeedIt(t *testing.T) {
	for rest, want := range map[string]string{
		"security: {key: []}":     "POST /a: /security: an object, but OpenAPI has an array",
		"security: [key]":         "POST /a: /security/0: a string, but OpenAPI has an object",
		"security: [null]":        "POST /a: /security/0: a null, but OpenAPI has an object",
		"security: [{key: true}]": "POST /a: no credential is sent, and none is judged: /security/0/key: a boolean, but OpenAPI has an array",
		"security: [{key: []}]":   "POST /a: no credential is sent, and none is judged: /security/0: security scheme \"key\" is not defined: add it to components/securitySchemes",
		"security: [{k: []}]\ncomponents: {securitySchemes: {k: {type: 5}}}": "POST /a: /components/securitySchemes/k/type: a number, but OpenAPI has a string",
		"components: []":                                  "/components: an array, but OpenAPI has an object (no operation was left out for it)",
		"components: {securitySchemes: [x]}":              "/components/securitySchemes: an array, but OpenAPI has an object (no operation was left out for it)",
		"components: {schemas: {A: {$ref: '#/nowhere'}}}": "/components/schemas/A/$ref: $ref \"#/nowhere\" points at nothing: fix the pointer (no operation was left out for it)",
	} {
		assert.Contains(t, besides(t, fine, rest), want, rest)
	}
	body := func(schema string) string {
		return fine + ", requestBody: {content: {application/json: {schema: " + schema + "}}}"
	}
	for operation, want := range map[string]string{
		fine + ", parameters: {name: q}":                                   "POST /a: /paths/~1a/post/parameters: an object, but OpenAPI has an array",
		fine + ", parameters: [{name: q, in: query, required: 'true'}]":    "POST /a: /paths/~1a/post/parameters/0/required: a string, but OpenAPI has a boolean",
		fine + ", parameters: [{$ref: '#/components/parameters/P'}]":       "POST /a: /paths/~1a/post/parameters/0/$ref: $ref \"#/components/parameters/P\" points at nothing: fix the pointer",
		fine + ", requestBody: {required: yes, content: {}}":               "POST /a: /paths/~1a/post/requestBody/required: a string, but OpenAPI has a boolean",
		fine + ", requestBody: {content: [application/json]}":              "POST /a: /paths/~1a/post/requestBody/content: an array, but OpenAPI has an object",
		fine + ", requestBody: {content: {application/json: [5]}}":         "POST /a: /paths/~1a/post/requestBody/content/application~1json: an array, but OpenAPI has an object",
		fine + ", requestBody: {}":                                         "POST /a: /paths/~1a/post/requestBody: request body without content: add a media type",
		fine + ", security: key":                                           "POST /a: /paths/~1a/post/security: a string, but OpenAPI has an array",
		"responses: [ok]":                                                  "POST /a: /paths/~1a/post/responses: an array, but OpenAPI has an object",
		"responses: {'200': ok}":                                           "POST /a: /paths/~1a/post/responses/200: a string, but OpenAPI has an object",
		"responses: {'200': {content: 5}}":                                 "POST /a: /paths/~1a/post/responses/200/content: a number, but OpenAPI has an object",
		"responses: {'200': {$ref: 'other.yaml#/R'}}":                      "POST /a: /paths/~1a/post/responses/200/$ref: $ref \"other.yaml#/R\" leaves the document: bring it inside",
		"responses: {ok: {description: ok}}":                               "POST /a: /paths/~1a/post/responses/ok: status \"ok\": want three digits, 2XX or default",
		"description: none":                                                "POST /a: documents no response, so that any success and any refusal is one",
		body("{$ref: '#/components/schemas/A'}"):                           "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/$ref: $ref \"#/components/schemas/A\" points at nothing: fix the pointer",
		body("{properties: {a: {items: {$ref: 'http://127.0.0.1:9/x'}}}}"): "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/properties/a/items/$ref: $ref \"http://127.0.0.1:9/x\" leaves the document",
		body("{properties: {a: {type: string, required: true}}}"):          "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/properties/a/required: no JSON schema: got boolean, want array",
		body("{properties: {a: {type: file}}}"):                            "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/properties/a/type: no JSON schema: ",
		body("{exclusiveMinimum: true}"):                                   "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/exclusiveMinimum: no JSON schema: got boolean, want number",
		body("{pattern: '('}"):                                             "POST /a: /paths/~1a/post/requestBody/content/application~1json/schema/pattern: no JSON schema: ",
	} {
		assert.Contains(t, besides(t, operation, ""), want, operation)
	}
	assert.Empty(t, besides(t, fine+", parameters: null", "components: null\nsecurity: null\nservers:\nx-a: [5]"))
	assert.Empty(t, besides(t, "x-note: 5, responses: {'200': {description: ok}, x-b: 5}", "components: {x-c: 5, schemas: null}"))
}

// What judges one answer, or nothing, is left out alone.
func TestAFaultThatIsNotNeededToTestCostsNoOperation(t *testing.T) {
	for operation, want := range map[string]string{
		"responses: {'200': {description: ok, headers: {X-A: {required: 1}}}}":                     "/paths/~1a/post/responses/200/headers/X-A/required: a number, but OpenAPI has a boolean (no operation was left out for it)",
		"responses: {'200': {description: ok, content: {application/json: [{type: object}]}}}":     "POST /a: bodies of application/json answers with status 200 are not judged: /paths/~1a/post/responses/200/content/application~1json: an array, but OpenAPI has an object",
		"responses: {'200': {content: {application/json: {schema: {$ref: '#/x'}}}}}":               "POST /a: bodies of application/json answers with status 200 are not judged: /paths/~1a/post/responses/200/content/application~1json/schema/$ref: $ref \"#/x\" points at nothing: fix the pointer",
		"responses: {'200': {content: {application/json: {schema: {required: true}}}}}":            "POST /a: bodies of application/json answers with status 200 are not judged: /paths/~1a/post/responses/200/content/application~1json/schema/required: no JSON schema: got boolean, want array",
		"responses: {'200': {content: {application/json: {examples: {a: {$ref: 'b.json'}}}}}}":     "/paths/~1a/post/responses/200/content/application~1json/examples/a/$ref: $ref \"b.json\" leaves the document: bring it inside (no operation was left out for it)",
		"responses: {'200': {description: [ok]}}, description: {a: b}, tags: 5, externalDocs: [1]": "",
	} {
		out := besides(t, operation, "")
		assert.Contains(t, out, want, operation)
		assert.NotContains(t, out, "POST /a: /", operation)
	}
}

func TestAPathItemThatIsNoneIsNamedAndTheOthersAreRead(t *testing.T) {
	c, err := openapi.Load("doc.yaml", []byte(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a: text
  /b: {$ref: 'other.yaml#/b'}
  /c: {parameters: 5, get: {responses: {'200': {description: ok}}}}
  /d: {get: {responses: {'200': {description: ok}}}}
`))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	assert.Equal(t, []string{
		"GET /c: /paths/~1c/parameters: a number, but OpenAPI has an array",
		"every operation of /a: /paths/~1a: a string, but OpenAPI has an object",
		"every operation of /b: /paths/~1b/$ref: $ref \"other.yaml#/b\" leaves the document: bring it inside",
	}, c.LeftOut)
	_, err = openapi.Load("doc.yaml", []byte("openapi: 3.1.0\ninfo: {}\npaths: [5]\n"))
	assert.EqualError(t, err, "doc.yaml:3:8: /paths: an array, but OpenAPI has an object")
}

func TestADocumentThatCannotBeTestedSaysWhyInAFewWords(t *testing.T) {
	text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"
	for i := range 1000 {
		text += fmt.Sprintf("  /p%d: {trace: {responses: {'200': {description: ok}}}}\n", i)
	}
	_, err := openapi.Load("doc.yaml", []byte(text))
	assert.ErrorContains(t, err, "can be tested: 1000 operations, such as TRACE /p0: method TRACE is not supported")
	text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"
	for i := range 9 {
		text += fmt.Sprintf("  /p%d: {get: {responses: {'%d': {description: ok}}}}\n", i, []int{1, 2, 3, 4, 2, 3, 4, 3, 4}[i])
	}
	_, err = openapi.Load("doc.yaml", []byte(text))
	assert.EqualError(t, err, `doc.yaml: no operation of the document can be tested: `+
		`3 operations, such as GET /p2: doc.yaml:6:32: /paths/~1p2/get/responses/3: status "3": want three digits, 2XX or default; `+
		`3 operations, such as GET /p3: doc.yaml:7:32: /paths/~1p3/get/responses/4: status "4": want three digits, 2XX or default; `+
		`2 operations, such as GET /p1: doc.yaml:5:32: /paths/~1p1/get/responses/2: status "2": want three digits, 2XX or default; and 1 more reasons`)
	assert.Less(t, len(err.Error()), 500)
}

func TestEveryVersionOfOpenAPI3IsReadHoweverItIsSpelled(t *testing.T) {
	const rest = "\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
	for spelled, version := range map[string]string{"3.0.0": "3.0.0", "'3.0'": "3.0", "3.0": "3.0", "3.0.4": "3.0.4", "3.1.0-rc0": "3.1.0-rc0",
		"3.1": "3.1", "3.1.2": "3.1.2", "3.2.0": "3.2.0", "'3.2'": "3.2"} {
		c, err := openapi.Load("a.yaml", []byte("openapi: "+spelled+rest))
		if assert.NoError(t, err, spelled) {
			assert.Equal(t, version, c.OpenAPI)
		}
	}
	for _, spelled := range []string{"3.3.0", "4.0.0", "2.0", "3", "[3.0]", "30.1", "null", "'3.0x'"} {
		_, err := openapi.Load("a.yaml", []byte("openapi: "+spelled+rest))
		assert.ErrorContains(t, err, "a.yaml:1:10: openapi is ", spelled)
	}
	_, err := openapi.Load("a.yaml", []byte("info: {}"+rest[strings.Index(rest, "\npaths"):]))
	assert.EqualError(t, err, "a.yaml:1:1: not an OpenAPI document: it has no member openapi: want 3.0.x, 3.1.x or 3.2.x, or swagger: 2.0")
}

func TestWhatOpenAPI32AddsIsReadOrNamed(t *testing.T) {
	text := `openapi: 3.2.0
info: {title: t, version: '1'}
paths:
  /a: {$ref: '#/components/pathItems/A'}
components:
  mediaTypes: {J: {schema: {type: object}}}
  pathItems:
    A:
      query: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ok}}}
      additionalOperations:
        COPY: {responses: {'200': {description: ok, content: {application/json: {$ref: '#/components/mediaTypes/J'}}}}}
        'NO METHOD': {responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {type: object}}}}}}
        LIST: {responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {type: object}}}}}}
webhooks: {new: {post: {responses: {'200': {description: ok}}}}}
`
	c, err := openapi.Load("a.yaml", []byte(text))
	require.NoError(t, err)
	var got []string
	for _, op := range c.Operations {
		got = append(got, op.Method+" "+op.Path+" "+op.Pointer)
	}
	assert.Equal(t, []string{"QUERY /a /components/pathItems/A/query", "COPY /a /components/pathItems/A/additionalOperations/COPY",
		"LIST /a /components/pathItems/A/additionalOperations/LIST"}, got)
	assert.Equal(t, "/components/mediaTypes/J", c.Operations[1].Responses[0].Media[0].Pointer)
	assert.NotNil(t, c.Operations[1].Responses[0].Media[0].Shape)
	out := strings.Join(c.LeftOut, "\n")
	assert.Contains(t, out, "NO METHOD /a: /components/pathItems/A/additionalOperations/NO METHOD: NO METHOD is not a method")
	assert.Contains(t, out, "LIST /a: of application/jsonl answers with status 200 that do not end, the head and what comes first are judged")
	assert.True(t, c.Operations[2].Responses[0].Media[0].Items)
	assert.Equal(t, "object", c.Operations[2].Responses[0].Media[0].Shape.Schema.Items.Type())
	assert.Contains(t, out, "webhook new is not tried")
	assert.NotContains(t, out, "not a member")

	old, err := openapi.Load("a.yaml", []byte(strings.Replace(text, "3.2.0", "3.1.0", 1)+"  # and before 3.2 these were no methods\n"))
	assert.ErrorContains(t, err, "it has none", old)
}

func TestTheDocumentedAnswerOfAStatusIsTheExactOneThenItsRangeThenDefault(t *testing.T) {
	op := openapi.Operation{Responses: []*openapi.Response{{Status: "default"}, {Status: "4XX"}, {Status: "404"}, {Status: "200"}}}
	for status, want := range map[int]string{200: "200", 404: "404", 400: "4XX", 499: "4XX", 500: "default", 201: "default"} {
		assert.Equal(t, want, op.Response(status).Status, status)
	}
	assert.Len(t, op.Documented(4), 2)
	assert.Len(t, op.Documented(2), 1)
	op.Responses = op.Responses[1:]
	assert.Nil(t, op.Response(500))
}

func TestAPathIsThatOfAMemberIfItIsListed(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, paths: {"/a/{id}": {
  parameters: [{name: limit, in: query, schema: {type: integer}}, {name: a/b, in: query, schema: {type: object, properties: {c: {}}}}],
  post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {}, a~b: {}, in: {type: object, properties: {side: {}}}}}}}}, responses: {"200": {description: d}}},
  get: {responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	paths := []string{"", "/", "name", "/name", "/a~0b", "/a~b", "/in", "/in/side", "/nowhere", "path/id", "query/limit", "query/a~1b", "query/a/b", "query/a~1b/c",
		"query/", "query", "header/limit", "path/limit", "body/name"}
	require.Len(t, c.Operations, 2)
	for _, op := range c.Operations {
		known := map[string]bool{}
		for _, m := range op.Members() {
			known[m.Path] = true
		}
		require.NotEmpty(t, known)
		for _, path := range paths {
			assert.Equal(t, known[path], op.HasMember(path), "%s %s", op.Method, path)
		}
	}
}

func TestABodyTellsARefusalOnlyWhereTheDocumentHasNoStatusForIt(t *testing.T) {
	for responses, tells := range map[string]bool{
		`{"200": {description: d}}`:                            true,
		`{"200": {description: d}, "400": {description: d}}`:   false,
		`{"200": {description: d}, default: {description: d}}`: false,
	} {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: `+responses+`}}}}`))
		require.NoError(t, err)
		for body, refuses := range map[string]bool{
			`{"rc":"000"}`: false, `{"rc":"101","msg":"no such line"}`: true, `{"rc":0}`: false, `{"errno":-3}`: true, `{"resultCode":200}`: false,
			`{"success":true}`: false, `{"success":false}`: true, `{"error":true}`: true, `{"error":null}`: false, `{"error":false}`: false,
			`{"status":"error"}`: true, `{"status":"open"}`: false, `{"status":"OK"}`: false, `{"rc":"AB12"}`: false, `{"code":"101"}`: false, `[{"rc":"101"}]`: false, `7`: false,
		} {
			doc, err := jsontree.Parse([]byte(body))
			require.NoError(t, err)
			assert.Equal(t, tells && refuses, c.Operations[0].Tells(doc.Root), "%s %s", responses, body)
		}
	}
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

func TestMain(m *testing.M) { sample.Main(m) }
