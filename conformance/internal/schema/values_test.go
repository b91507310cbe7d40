package schema_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
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

// formatBody loads a document whose request body is one value of a schema.
func formatBody(t *testing.T, of string) *schema.Shape {
	t.Helper()
	c, err := openapi.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {
  requestBody: {content: {application/json: {schema: %s}}}, responses: {"200": {description: d}}}}}}`, of))
	require.NoError(t, err)
	return c.Operations[0].Body.Shape
}

// kindsOf are the kinds of JSON values, each of one kind.
func kindsOf(t *testing.T, of, must, may, no string) {
	t.Helper()
	shape := formatBody(t, of)
	for want, list := range map[schema.Kind]string{schema.MustAccept: must, schema.MayRefuse: may, schema.Invalid: no} {
		for text := range strings.SplitSeq(list, "|") {
			if text == "" {
				continue
			}
			if !strings.Contains(of, "integer") && !strings.Contains(of, "number") {
				text = `"` + text + `"`
			}
			assert.Equal(t, want, shape.Read([]byte(text)).Kind, "%s: %s", of, text)
		}
	}
}

func TestATextIsJudgedByWhatItsFormatLeavesOpen(t *testing.T) {
	for format, row := range map[string]struct{ must, may, no string }{
		"byte":         {"YWJj|YWI=|YQ==", `YWI|YQ|====|YWI==|YW_-|YWJj\nYWJj`, "a|YW*j|YW=j"},
		"base64url":    {"YWJj|YW_-", "YWI|YWI=", "a|YW+j|YW/j"},
		"http-date":    {"Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 01 Jan 2024 00:00:00 GMT|Monday, 01-Jan-24 00:00:00 GMT", "2024-01-01T00:00:00Z|Mon, 01 Jan 2024|now"},
		"email":        {"a1@b.example|A.b+c_d@x-y.example.org", "a@b|a@b.c|@e|h@🌱|h@b\u00fccher.example|\u00fc@b.example", "a|a@|🌱|h@@🌱|h 🌱@b.example|h@\u00fc..example|h＠b.example"},
		"idn-email":    {"a1@b.example", "\u00fc@b.example|no", ""},
		"idn-hostname": {"a.example|my-a.3b.example", "b\u00fccher.example|a b|a--b.example", ""},
		"uri-template": {"/a|/a/{id}|/a{?page,size}|{+base}/a{/b*}{#c:3}", "a b|/\u00fc/{id}", "/{|/}|/{{a}|/{a b}|/{}"},
		"char":         {"a|Z|5", "ab|\u00e9", ""},
		"media-range":  {"text/x1", "*/*;q=1|text|TEXT/plain", ""},
		"sf-boolean":   {"?1|?0", "true|1", ""},
		"sf-binary":    {":YWJj:", "YWJj|::", ""},
		"sf-token":     {"a1", "a b|*x", ""},
		"int64":        {"7|0", "seven|-1|1.5|1e3|12345678901234567890", ""},
		"decimal":      {"7|7.25", "seven|1e3|-1.5", ""},
		"password":     {"word1", "", ""},
		"binary":       {"word1", "", ""},
		"html":         {"word1", "", ""},
		"commonmark":   {"word1", "", ""},
		"semver":       {"", "word1", ""},
		"period":       {"", "word1", ""},
		"of-our-own":   {"", "word1", ""},
	} {
		kindsOf(t, "{type: string, format: "+format+"}", row.must, row.may, row.no)
	}
	for encoding, row := range map[string]struct{ must, may string }{
		"base64": {"YWJj", "abcde|YWI"}, "base64url": {"YWJj", "abcde"}, "base16": {"0AFF", "0aff|xyz"}, "quoted-printable": {"word1", ""},
	} {
		kindsOf(t, "{type: string, contentEncoding: "+encoding+"}", row.must, row.may, "")
	}
}

// TestWhatADoubleRoundsIntoTheRangeMayBeTaken: those who take 1.0 for an integer read doubles.
func TestWhatADoubleRoundsIntoTheRangeMayBeTaken(t *testing.T) {
	kindsOf(t, "{type: integer, format: int64}", "9223372036854775807", "-9223372036854775809.0|-9.223372036854775809e18",
		"-9223372036854775809|-9223372036854777856.0|9223372036854775808|9223372036854775808.0|1e19|-1e400")
	kindsOf(t, "{type: integer, format: int32}", "", "", "-2147483649.0|2147483648.0")
}

func TestAWholeNumberIsJudgedByTheRangeOfItsFormat(t *testing.T) {
	for format, row := range map[string]struct{ must, may, no string }{
		"int8":       {"1|127", "-128|0", "128|-129|1e3"},
		"int16":      {"32767", "-32768", "32768|-32769"},
		"int32":      {"2147483647", "", "2147483648|-2147483649"},
		"int64":      {"9223372036854775807", "-9223372036854775808", "9223372036854775808"},
		"uint8":      {"255", "0", "256|-1"},
		"uint16":     {"65535", "", "65536|-1"},
		"uint32":     {"2147483647", "4294967295", "4294967296|-1"},
		"uint64":     {"7", "18446744073709551615", "18446744073709551616|-1"},
		"sf-integer": {"7", "999999999999999", "1000000000000000|-1000000000000000"},
		"double-int": {"7", "9007199254740993", ""},
	} {
		kindsOf(t, "{type: integer, format: "+format+"}", row.must, row.may, row.no)
	}
	kindsOf(t, "{type: number, format: uint8}", "255|1.5", "", "256|-1")
	kindsOf(t, "{type: number, format: float}", "1.5", "1e39", "")
}

// A server may read 1.0 for an integer or refuse it, also where 1 is the key of a resource.
func TestAnotherSpellingOfAGivenNumberMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/a: {post: {requestBody: {content: {application/json: {schema:
  {type: object, required: [roomId], properties: {roomId: {type: integer}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	given := map[string]*jsontree.Value{"/roomId": jsontree.NewNumber("7")}
	for text, want := range map[string]schema.Kind{"7": schema.MustAccept, "7.0": schema.MayRefuse, "8": schema.MayRefuse} {
		assert.Equal(t, want, c.Operations[0].Body.Shape.ReadBound([]byte(`{"roomId":`+text+`}`), schema.Bindings{Bound: given}).Kind, text)
	}
}

// Libraries differ on lower-case letters, leap seconds and escapes in a time, and no document says
// which of them it means.
func TestATimeInAnUnusualSpellingMayBeRefused(t *testing.T) {
	op := withPets(t, `{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},"name":{"type":"string"}}}`)
	for body, want := range map[string]schema.Kind{
		`{"at":"2026-01-01T01:00:00Z"}`:               schema.MustAccept,
		`{"at":"2026-01-01T01:00:00.123456+02:00"}`:   schema.MustAccept,
		`{"at":"2026-01-01t01:00:00Z"}`:               schema.MayRefuse,
		`{"at":"2026-01-01T01:00:00z"}`:               schema.MayRefuse,
		`{"at":"1990-12-31T23:59:60Z"}`:               schema.MayRefuse,
		`{"at":"0000-01-01T01:00:00Z"}`:               schema.MayRefuse,
		`{"at":"2026-01-01T01:00:00\u005a"}`:          schema.MayRefuse,
		`{"day":"2026-01-0\u0031"}`:                   schema.MayRefuse,
		`{"day":"2026-01-01","name":"\u0061"}`:        schema.MustAccept,
		`{"day":"2026-01-01","n\u0061me":"a"}`:        schema.MustAccept,
		`{"name":"a\\b","at":"2026-01-01T01:00:00Z"}`: schema.MustAccept,
		`{"at":"2026-01-01T01:00:00Zx"}`:              schema.Invalid,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}

// Every object of JavaScript has the name, so that validators take it for one that was evaluated.
func TestTheNameOfAPrototypeMayBeTakenWhereAllMembersMustBeEvaluated(t *testing.T) {
	op := withPets(t, `{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}`)
	assert.Equal(t, schema.MayRefuse, op.Body.Shape.Read([]byte(`{"__proto__":{}}`)).Kind)
	assert.Equal(t, schema.MayRefuse, op.Body.Shape.Read([]byte(`{"constructor":{},"valueOf":1}`)).Kind)
	assert.Equal(t, schema.Invalid, op.Body.Shape.Read([]byte(`{"__proto__":{},"b":1}`)).Kind)
	closed := withPets(t, `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`)
	assert.Equal(t, schema.Invalid, closed.Body.Shape.Read([]byte(`{"__proto__":{}}`)).Kind)
}

// nullDocument has one schema in a request and in an answer.
func nullDocument(t *testing.T, version, of string) *openapi.Contract {
	t.Helper()
	content := "content: {application/json: {schema: {type: object, properties: {a: " + of + "}}}}"
	c, err := openapi.Load("a.yaml", []byte(fmt.Sprintf(`openapi: %s
info: {title: t, version: '1'}
components: {schemas: {O: {type: object}}}
paths: {/a: {post: {requestBody: {%s}, responses: {'200': {description: ok, %s}}}}}
`, version, content, content)))
	require.NoError(t, err)
	return c
}

// Readers of OpenAPI 3.0 disagree about these: no server may fail for either answer.
func TestANullThatNullableLeavesOpenIsNeitherOwedNorForbidden(t *testing.T) {
	for _, of := range []string{
		"{type: string, nullable: true, enum: [x, y]}", "{nullable: true, allOf: [{$ref: '#/components/schemas/O'}]}",
		"{nullable: true, $ref: '#/components/schemas/O'}", "{nullable: true}", "{nullable: true, oneOf: [{type: string}, {type: object}]}",
	} {
		c := nullDocument(t, "3.0.3", of)
		op := c.Operations[0]
		assert.Equal(t, schema.MayRefuse, op.Body.Shape.Read([]byte(`{"a":null}`)).Kind, of)
		assert.NotEqual(t, schema.Invalid, op.Response(200).Media[0].Shape.Read([]byte(`{"a":null}`)).Kind, of)
		assert.Equal(t, 1, strings.Count(strings.Join(c.LeftOut, "\n"), "null is neither required nor forbidden"), of)
	}
	op := nullDocument(t, "3.0.3", "{type: string, nullable: true, enum: [x, y]}").Operations[0]
	assert.Equal(t, schema.Invalid, op.Body.Shape.Read([]byte(`{"a":"z"}`)).Kind, "another value is still none of the list")
}

// A customer, or what is left of one that was deleted: the keyword around them is violated, and
// does not tell that a null in one of them is why.
func TestANullThatIsLeftOpenIsSoInAnAlternativeToo(t *testing.T) {
	for _, inner := range []string{
		"{nullable: true, allOf: [{$ref: '#/components/schemas/O'}]}", "{type: string, nullable: true, enum: [x, y]}",
		"{nullable: true, allOf: [{type: object, required: [b, c], properties: {b: {type: array, minItems: 1, items: {type: integer}}, c: {type: string, minLength: 2}}}]}",
	} {
		one := "{type: object, required: [x, id], properties: {id: {type: string}, x: " + inner + "}}"
		for _, keyword := range []string{"anyOf", "oneOf"} {
			c := nullDocument(t, "3.0.3", "{"+keyword+": ["+one+", {type: object, required: [deleted], properties: {deleted: {type: boolean}}}]}")
			answer := c.Operations[0].Response(200).Media[0].Shape
			assert.NotEqual(t, schema.Invalid, answer.Read([]byte(`{"a":{"id":"7","x":null}}`)).Kind, keyword+inner)
			assert.Equal(t, schema.Invalid, answer.Read([]byte(`{"a":{"id":7,"x":null}}`)).Kind, keyword+inner)
			assert.Equal(t, schema.Invalid, answer.Read([]byte(`{"a":{"id":null,"x":null}}`)).Kind, keyword+inner)
		}
	}
}

func TestANullThatTheDocumentSettlesIsSettled(t *testing.T) {
	for of, kind := range map[string]schema.Kind{
		"{type: string, nullable: true}":                  schema.MustAccept,
		"{type: string, nullable: true, enum: [x, null]}": schema.MustAccept,
		"{type: string, nullable: false, enum: [x]}":      schema.Invalid,
		"{type: string}": schema.Invalid,
		"{type: object, properties: {b: {nullable: true}}}": schema.Invalid,
	} {
		c := nullDocument(t, "3.0.3", of)
		assert.Equal(t, kind, c.Operations[0].Body.Shape.Read([]byte(`{"a":null}`)).Kind, of)
	}
	c := nullDocument(t, "3.1.0", "{type: string, nullable: true, enum: [x]}")
	assert.Equal(t, schema.Invalid, c.Operations[0].Body.Shape.Read([]byte(`{"a":null}`)).Kind, "OpenAPI 3.1 has no nullable")
}

func TestAJSONPatchMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {patch: {requestBody: {content: {application/json-patch+json: {schema: {type: array,
  items: {type: object, required: [op, path], properties: {op: {enum: [add, remove]}, path: {type: string}, value: {}}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	shape := c.Operations[0].Body.Shape
	assert.Equal(t, schema.MayRefuse, shape.Read([]byte(`[{"op":"add","path":"/a","value":1}]`)).Kind, "the place may not be there")
	assert.Equal(t, schema.Invalid, shape.Read([]byte(`[{"op":"add"}]`)).Kind)
}

func reading(t *testing.T) *schema.Shape {
	t.Helper()
	b, err := os.ReadFile("../../../testdata/openapi/readings.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("readings.yaml", b)
	require.NoError(t, err)
	return c.Operations[0].Body.Shape
}

// In OpenAPI 3.0 exclusiveMaximum is a flag beside maximum, nullable a flag
// beside type.
func TestTheFlagsOfOpenAPI30AreTheKeywordsTheyStandFor(t *testing.T) {
	s := reading(t).Schema
	value, note := s.Property("value").Schema, s.Property("note").Schema
	assert.Equal(t, "-273.15", value.Minimum)
	assert.Empty(t, value.Maximum)
	assert.Equal(t, "5000", value.Below)
	assert.False(t, value.Source.Has("maximum"))
	assert.True(t, value.Source.Has("exclusiveMaximum"))
	assert.Equal(t, []string{"string", "null"}, note.Types)
}

func TestAMustAcceptValueOutsideTheBaselineIsReportedUnderItsMember(t *testing.T) {
	for body, want := range map[string][]string{
		`{"sensor":"a1","value":7,"level":5,"calibrated":true}`:             nil,
		`{"sensor":"a1","value":7.5,"level":5,"calibrated":true}`:           {"/value"},
		`{"sensor":"a1","value":-5,"level":5,"calibrated":true}`:            {"/value"},
		`{"sensor":"a1","value":7,"level":2147483647,"calibrated":true}`:    {"/level"},
		`{"sensor":"a1","value":7,"level":5,"calibrated":false}`:            {"/calibrated"},
		`{"sensor":"a1","value":7,"level":5,"calibrated":true,"note":null}`: {"/note"},
		`{"sensor":"ä1","value":7,"level":5,"calibrated":true}`:             {"/sensor"},
	} {
		r := reading(t).Read([]byte(body))
		assert.Equal(t, schema.MustAccept, r.Kind, body)
		assert.Equal(t, want, r.Unusual, body)
	}
}
