package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// answerHeaders loads a document with these headers of an answer.
func answerHeaders(t *testing.T, yaml string) (*openapi.Contract, []*openapi.Header) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d, headers: `+yaml+
		`}}}}}, components: {headers: {Total: {required: true, schema: {type: integer, minimum: 0}}}}}`))
	require.NoError(t, err)
	return c, c.Operations[0].Responses[0].Headers
}

func TestAHeaderFieldIsReadAsItsSchemaTakesIt(t *testing.T) {
	for _, row := range []struct {
		header, text, want string
		broken             []string
	}{
		{"{schema: {type: integer}}", "7", "7", nil},
		{"{schema: {type: integer}}", "12345678901234567890123", "12345678901234567890123", nil},
		{"{schema: {type: integer}}", "7.5", "7.5", []string{"type"}},
		{"{schema: {type: integer}}", "+7", `"+7"`, []string{"type"}},
		{"{schema: {type: integer}}", "", `""`, []string{"type"}},
		{"{schema: {type: integer, maximum: 9}}", "10", "10", []string{"maximum"}},
		{"{schema: {type: string}}", "7", `"7"`, nil},
		{"{schema: {type: string, maxLength: 3}}", "a, b", `"a, b"`, []string{"maxLength"}},
		{"{schema: {type: string, maxLength: 1}}", "\xe9", "\"\u00e9\"", nil},
		{"{schema: {type: string, enum: [a b]}}", "a%20b", `"a b"`, nil},
		{"{schema: {type: boolean}}", "true", "true", nil},
		{"{schema: {type: boolean}}", "True", `"True"`, []string{"type"}},
		{"{schema: {type: [integer, string]}}", "x", `"x"`, nil},
		{"{schema: {type: [integer, 'null']}}", "", `null`, nil},
		{"{schema: {type: array, items: {type: integer}}}", "1,2, 3", "[1,2,3]", nil},
		{"{schema: {type: array, items: {type: integer}}}", "", "[]", nil},
		{"{schema: {type: array, items: {type: integer}}}", "1,x", `[1,"x"]`, []string{"type"}},
		{"{schema: {type: array, items: {type: string}, maxItems: 1}}", "a,b", `["a","b"]`, []string{"maxItems"}},
		{"{schema: {type: object, properties: {a: {type: integer}, b: {type: string}}}}", "a,1,b,2", `{"a":1,"b":"2"}`, nil},
		{"{explode: true, schema: {type: object, properties: {a: {type: integer}}}}", "a=1", `{"a":1}`, nil},
		{"{schema: {type: object, required: [a]}}", "b,1", `{"b":"1"}`, []string{"required"}},
		{"{schema: {oneOf: [{type: integer}, {type: boolean}]}}", "true", "true", nil},
		{"{schema: {minimum: 3}}", "2", "2", nil},
		{"{schema: {}}", "2", "2", nil},
		{"{content: {application/json: {schema: {type: object, required: [a]}}}}", `{"b": "1"}`, `{"b":"1"}`, []string{"required"}},
	} {
		_, list := answerHeaders(t, "{X-A: "+row.header+"}")
		r := list[0].Read([]string{row.text})
		if row.header == "{schema: {minimum: 3}}" {
			// A text that is too small as a number is a right string.
			assert.Equal(t, `"2"`, r.Root().String())
			continue
		}
		assert.Equal(t, row.want, r.Root().String(), "%v", row)
		var broken []string
		for _, v := range r.Violations {
			broken = append(broken, v.Keyword)
		}
		assert.Equal(t, row.broken, broken, "%v", row)
	}
}

func TestSeveralLinesOfAFieldAreOneListExceptForCookies(t *testing.T) {
	_, list := answerHeaders(t, "{X-A: {schema: {type: array, items: {type: integer}}}, Set-Cookie: {schema: {type: string, pattern: '^[a-z]=1$'}}}")
	assert.Equal(t, "[1,2,3]", list[0].Read([]string{"1, 2", "3"}).Root().String())
	assert.Nil(t, list[0].Read(nil), "it is not there")
	assert.Equal(t, schema.MustAccept, list[1].Read([]string{"a=1", "b=1"}).Kind)
	assert.Equal(t, schema.Invalid, list[1].Read([]string{"a=1", "b=2"}).Kind)
}

func TestWhatIsReadFromAFieldIsWhatWasWrittenToIt(t *testing.T) {
	_, list := answerHeaders(t, `{A: {schema: {type: array, items: {type: integer}}}, B: {schema: {type: object, properties: {a: {type: integer}}}},
  C: {explode: true, schema: {type: object, properties: {a: {type: integer}}}}, D: {schema: {type: boolean}}, E: {content: {application/json: {schema: {type: string}}}}}`)
	for i, text := range []string{"[1,2]", `{"a":1}`, `{"a":1}`, "true", `"x, y"`} {
		doc, err := jsontree.Parse([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, text, list[i].Read([]string{list[i].Write(doc.Root)}).Root().String())
	}
}

func TestHeadersThatTheConnectionDecidesAreLeftOut(t *testing.T) {
	c, list := answerHeaders(t, `{Content-Type: {required: true, schema: {type: integer}}, content-length: {required: true, schema: {type: integer}},
  Total: {$ref: '#/components/headers/Total'}, Last-Modified: {schema: {type: string, format: date-time}}, X-Own: {content: {text/plain: {schema: {type: string}}}}}`)
	require.Len(t, list, 3)
	assert.Equal(t, "/components/headers/Total", list[0].Pointer)
	assert.True(t, list[0].Required)
	assert.Empty(t, list[1].Shape.Schema.Source.Of("format"), "HTTP has a date of its own")
	assert.Nil(t, list[2].Shape)
	assert.Equal(t, []string{"GET /a: answer header content-length is not judged: HTTP decides when it is there",
		"GET /a: the value of answer header X-Own is not judged: it is text/plain"}, c.LeftOut)
}

func TestOnlyAFormatThatHTTPAgreesWithIsJudgedInAFieldOfHTTP(t *testing.T) {
	_, list := answerHeaders(t, `{Location: {schema: {type: string, format: uri-reference}}, Content-Location: {schema: {type: string, format: uri}}, Retry-After: {schema: {type: string, format: uri-reference}}}`)
	for i, want := range [][3]schema.Kind{{schema.MustAccept, schema.Invalid, schema.MustAccept}, {schema.MustAccept, schema.MustAccept, schema.MustAccept}, {schema.MustAccept, schema.MustAccept, schema.MustAccept}} {
		for k, text := range []string{"/tasks/1", "%zz", "https://example.com/tasks/1"} {
			assert.Equal(t, want[k], list[i].Read([]string{text}).Kind, "%s: %s", list[i].Name, text)
		}
	}
	assert.True(t, list[1].Shape.Schema.Source.Has("format"), "a text that is no reference is no URI")
	assert.False(t, list[2].Shape.Schema.Source.Has("format"), "HTTP has a date of its own")
}

const sensors = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"PATH":{"METHOD":{"security":[{"key":[]}],
"responses":{"200":{"description":"it"}}}},"/z":{"get":{"responses":{"200":{"description":"it"}}}}},
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"FIELD"}}}}`

// sensorsLeftOut loads a document of two operations and returns the first line about
// what is left out. The other operation is always read.
func sensorsLeftOut(t *testing.T, path, method, field string) string {
	t.Helper()
	c, err := openapi.Load("s.json", []byte(strings.NewReplacer("PATH", path, "METHOD", method, "FIELD", field).Replace(sensors)))
	require.NoError(t, err)
	assert.Equal(t, "/z", c.Operations[len(c.Operations)-1].Path)
	assert.Len(t, c.Operations, 2-len(c.LeftOut))
	assert.False(t, strings.ContainsAny(strings.Join(c.LeftOut, ""), "\r\n\x00"), c.LeftOut)
	return strings.Join(c.LeftOut, "")
}

func TestAPathIsLeftOutThatWouldNotStayOneOnTheWire(t *testing.T) {
	for _, path := range []string{"", "a", "@host/", "http://host/", `/a\r\nX: y`, `/a\rb`, `/a\nb`, `/a b`, `/a\tb`, `/a?b`, `/a\u0000`,
		"/a%", "/a%2", "/a%zz", "/ä", "/a{", "/a}", "/{}", "/{a/b}", `/a\\b`, `/a\"b`, "/a<b", "/a^b", "/a|b", "/a[0]"} {
		assert.Regexp(t, `^GET .*: /paths/.*: path `, sensorsLeftOut(t, path, "get", "X-Key"), path)
	}
	for _, path := range []string{"/", "/a", "/a#b", "//a", "/a/", "/-._~!$&'()*+,;=:@", "/%C3%a4", "/2024:do"} {
		assert.Empty(t, sensorsLeftOut(t, path, "get", "X-Key"), path)
	}
	c, err := openapi.Load("s.json", []byte(strings.NewReplacer("PATH", "/{a b}/c{d}", "METHOD", "get", "FIELD", "X-Key").Replace(sensors)))
	require.NoError(t, err)
	assert.Len(t, c.Operations, 2, "a template is a path")
}

func TestAKeyIsLeftOutInAHeaderThatIsNoneOrTheSuitesOwn(t *testing.T) {
	for _, field := range []string{"", "X Key", `X\r\nY`, "X:", "Schlüssel", "Host", "content-length", "CONNECTION", "Transfer-Encoding", "User-Agent"} {
		assert.Regexp(t, `^GET /a: /components/securitySchemes/key/name: `, sensorsLeftOut(t, "/a", "get", field), field)
	}
	for _, field := range []string{"X-Key", "Authorization", "api_key", "Cookie"} {
		assert.Empty(t, sensorsLeftOut(t, "/a", "get", field), field)
	}
}

func TestAMethodThatOpenAPIDoesNotKnowIsNamed(t *testing.T) {
	assert.Contains(t, sensorsLeftOut(t, "/a", `get / HTTP/1.1\r\nX: y`, "X-Key"), "/paths/~1a: get / HTTP/1.1<0d><0a>X: y is not a member of a path item")
	assert.Contains(t, sensorsLeftOut(t, "/a", "GET", "X-Key"), "/paths/~1a: GET is not a member of a path item")
}

// severalMedia takes one schema in several media types, and another one in parts.
const severalMedia = `
openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}
          application/xml: {schema: {$ref: '#/components/schemas/Pet'}}
          application/json: {schema: {$ref: '#/components/schemas/Pet'}}
          text/json; charset=utf-8: {schema: {$ref: '#/components/schemas/Pet'}}
          application/*+json: {schema: {$ref: '#/components/schemas/Pet'}}
          multipart/form-data: {schema: {type: object, required: [photo], properties: {photo: {type: string, format: binary}}}}
          application/octet-stream: {schema: {$ref: '#/components/schemas/Nowhere'}}
      responses: {'201': {description: made}}
components:
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string, maxLength: 9}}}
`

func TestAnOperationHasACopyForEachFurtherMediaTypeThatCanBeWritten(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(severalMedia))
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	op := c.Operations[0]
	assert.Equal(t, "application/json", op.Body.Media, "JSON comes first")
	assert.Equal(t, "post-pets", op.Slug)
	assert.False(t, op.IsAdditional())
	type row struct {
		slug, name, pointer   string
		sameSchema, sameBytes bool
	}
	var got []row
	for _, f := range op.Additional {
		assert.Same(t, op, f.First())
		assert.True(t, f.IsAdditional())
		assert.True(t, f.Body.Required)
		got = append(got, row{f.Slug, f.Name(), f.Body.Pointer, f.SameSchema(), f.SameBytes()})
	}
	const at = "/paths/~1pets/post/requestBody/content/"
	assert.Equal(t, []row{
		{"post-pets-application-x-www-form-urlencoded", "createPet (application/x-www-form-urlencoded)", at + "application~1x-www-form-urlencoded", true, false},
		{"post-pets-text-json-charset-utf-8", "createPet (text/json; charset=utf-8)", at + "text~1json; charset=utf-8", true, true},
		{"post-pets-multipart-form-data", "createPet (multipart/form-data)", at + "multipart~1form-data", false, false},
	}, got)
	assert.Equal(t, append([]*openapi.Operation{op}, op.Additional...), c.Rows())
	require.Len(t, c.LeftOut, 3)
	assert.Equal(t, "POST /pets: request media type application/xml is never sent", c.LeftOut[0])
	assert.Equal(t, "POST /pets: request media type application/*+json is never sent: it stands for several", c.LeftOut[1])
	assert.Contains(t, c.LeftOut[2], "POST /pets: request media type application/octet-stream is never sent: ")
}

func TestAMediaTypeIsDocumentedByItselfOrInARange(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(severalMedia))
	require.NoError(t, err)
	op := c.Operations[0]
	for _, media := range []string{"application/json; charset=utf-8", "Text/JSON", "application/xml", "application/vnd.example+json"} {
		assert.True(t, op.Documents(media), media)
	}
	for _, media := range []string{"text/plain", "application/jsonl", "json", "", "text/vnd.example+json"} {
		assert.False(t, op.Documents(media), media)
	}
}

// A deletion may ask for a state, as If-Match does, without that header.
func TestAParameterThatNamesAStateMayBeRefused(t *testing.T) {
	for method, want := range map[string]schema.Kind{"delete": schema.MayRefuse, "get": schema.MustAccept} {
		c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/jobs/{job}": {`+method+`: {
  parameters: [{name: job, in: path, required: true, schema: {type: string}}, {name: resourceVersion, in: query, schema: {type: string, pattern: "^[0-9]+$"}}],
  responses: {"200": {description: d}}}}}}`))
		require.NoError(t, err)
		op := c.Operations[0]
		r := op.Params.Read([]byte(`{"path":{"job":"a"},"query":{"resourceVersion":"77"}}`))
		bound, err := jsontree.Parse([]byte(`"a"`))
		require.NoError(t, err)
		op.Elsewhere(r, map[string]*jsontree.Value{"/path/job": bound.Root})
		assert.Equal(t, want, r.Kind, method)
	}
}

// The values of such parameters are of a language that the document does not describe.
func TestATextThatChoosesOrOrdersInALanguageOfItsOwnMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/jobs": {get: {
  parameters: [{name: filter, in: query, schema: {type: string}}, {name: sortBy, in: query, schema: {type: string, enum: [a, b]}}, {name: name, in: query, schema: {type: string}}, {name: count, in: query, schema: {type: integer}}],
  responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	op := c.Operations[0]
	op.Listing = &openapi.Listing{Limit: op.Parameters[3]}
	for query, want := range map[string]schema.Kind{
		`{"filter":"a"}`: schema.MayRefuse, `{"sortBy":"b"}`: schema.MustAccept, `{"name":"a"}`: schema.MustAccept,
		// Nor does it say how long a page may be.
		`{"count":100}`: schema.MustAccept, `{"count":101}`: schema.MayRefuse,
	} {
		r := op.Params.Read([]byte(`{"query":` + query + `}`))
		op.Elsewhere(r, nil)
		assert.Equal(t, want, r.Kind, query)
	}
}
