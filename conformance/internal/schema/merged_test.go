package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// bodyOf is the shape of a request body with this schema A, and others beside it.
func bodyOf(t *testing.T, schemas string) *schema.Shape {
	t.Helper()
	c, err := openapi.Load("a.json", withSchemas(schemas))
	require.NoError(t, err)
	return c.Operations[0].Body.Shape
}

// kinds holds each body against what it is.
func kinds(t *testing.T, s *schema.Shape, want map[string]schema.Kind) {
	t.Helper()
	for body, kind := range want {
		r := s.Read([]byte(body))
		assert.Equal(t, kind.String(), r.Kind.String(), "%s %v %v", body, r.Violations, r.Reasons)
	}
}

func TestOfTwoBoundsInAllOfTheTighterOneHoldsWhateverTheirOrder(t *testing.T) {
	wide := `{"minimum":1,"maximum":100,"exclusiveMinimum":0,"exclusiveMaximum":101,"minLength":1,"maxLength":100,"minItems":1,"maxItems":100,"minProperties":1,"maxProperties":100,"minContains":1,"maxContains":100}`
	tight := `{"minimum":10,"maximum":20,"exclusiveMinimum":9,"exclusiveMaximum":21,"minLength":10,"maxLength":20,"minItems":10,"maxItems":20,"minProperties":10,"maxProperties":20,"minContains":10,"maxContains":20}`
	for _, order := range []string{wide + "," + tight, tight + "," + wide} {
		s := bodyOf(t, `"A":{"allOf":[`+order+`]}`).Schema
		assert.Equal(t, []string{"10", "20", "9", "21"}, []string{s.Minimum, s.Maximum, s.Above, s.Below})
		for _, n := range []*int{s.MinLength, s.MinItems, s.MinProps, s.MinContains} {
			assert.Equal(t, 10, *n)
		}
		for _, n := range []*int{s.MaxLength, s.MaxItems, s.MaxProps, s.MaxContains} {
			assert.Equal(t, 20, *n)
		}
	}
}

func TestAllOfJoinsMembersTypesAndWhatIsRequired(t *testing.T) {
	for _, order := range []string{ref("B") + `,{"type":["object","null"],"required":["n"],"additionalProperties":false,"properties":{"n":{"maxLength":5},"m":{"type":"number"}}}`,
		`{"type":["object","null"],"required":["n"],"additionalProperties":false,"properties":{"n":{"maxLength":5},"m":{"type":"number"}}},` + ref("B")} {
		s := bodyOf(t, `"A":{"allOf":[`+order+`]},"B":{"type":"object","properties":{"n":{"type":"string","maxLength":9},"m":{"type":["integer","string"]}}}`).Schema
		assert.Equal(t, []string{"object"}, s.Types)
		assert.True(t, s.Closed)
		n, m := s.Property("n"), s.Property("m")
		assert.True(t, n.Required)
		assert.False(t, m.Required)
		assert.Equal(t, 5, *n.Schema.MaxLength)
		assert.Equal(t, []string{"string"}, n.Schema.Types)
		assert.Equal(t, []string{"integer"}, m.Schema.Types, "an integer is a number")
	}
}

const int64Body = `"A":{"type":"object","required":["id"],"properties":{"id":{"type":"integer","format":"int64"},"n":{"type":"integer","format":"int32"}}}`

func TestIntegersAreJudgedExactlyAtTheEndsOfTheirFormat(t *testing.T) {
	s := bodyOf(t, int64Body)
	kinds(t, s, map[string]schema.Kind{
		`{"id":9223372036854775807}`:                     schema.MustAccept,
		`{"id":9223372036854775808}`:                     schema.Invalid,
		`{"id":-9223372036854775808}`:                    schema.MayRefuse,
		`{"id":-9223372036854775809}`:                    schema.Invalid,
		`{"id":9223372036854775807.0}`:                   schema.MayRefuse,
		`{"id":92233720368547758080e-1}`:                 schema.Invalid,
		`{"id":1,"n":2147483647}`:                        schema.MustAccept,
		`{"id":1,"n":2147483648}`:                        schema.Invalid,
		`{"id":1,"n":-2147483648}`:                       schema.MayRefuse,
		`{"id":1,"n":-2147483649}`:                       schema.Invalid,
		`{"id":4e2}`:                                     schema.MayRefuse,
		`{"id":400.0}`:                                   schema.MayRefuse,
		`{"id":4.5}`:                                     schema.Invalid,
		`{"id":1e-1}`:                                    schema.Invalid,
		`{"id":"4"}`:                                     schema.Invalid,
		`{"id":1.0000000000000000000000000000000000001}`: schema.MayRefuse,
		`{"id":-1}`:                                      schema.MayRefuse,
		`{"id":0}`:                                       schema.MayRefuse,
		`{"id":-0}`:                                      schema.MayRefuse,
	})
	read := s.Read([]byte(`{"id":9223372036854775808}`))
	assert.True(t, read.Violates(schema.Key{Path: "/id", Keyword: "format"}))
	assert.False(t, read.Violates(schema.Key{Path: "/id", Keyword: "type"}))
	assert.False(t, read.Violates(schema.Key{Path: "/n", Keyword: "format"}))
}

func TestANumberIsMustAcceptUpToWhatEveryImplementationSupports(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"low":{"type":"integer","minimum":-5,"maximum":5000000000},"f":{"type":"number"}}}`)
	kinds(t, s, map[string]schema.Kind{
		`{"n":2147483647}`:             schema.MustAccept,
		`{"n":2147483648}`:             schema.MayRefuse,
		`{"n":1,"low":-5}`:             schema.MustAccept,
		`{"n":1,"low":0}`:              schema.MustAccept,
		`{"n":1,"low":5000000000}`:     schema.MustAccept,
		`{"n":1,"low":5000000001}`:     schema.Invalid,
		`{"n":1,"f":1.5}`:              schema.MustAccept,
		`{"n":1,"f":1e3}`:              schema.MayRefuse,
		`{"n":1,"f":0.12345678901234}`: schema.MayRefuse,
		`{"n":1,"f":0.1234567890123}`:  schema.MustAccept,
		`{"n":1,"f":-0.5}`:             schema.MayRefuse,
	})
}

func TestAStringOfOneTo64CodePointsIsMustAcceptByDefault(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","required":["s"],"properties":{"s":{"type":"string"},"empty":{"type":"string","minLength":0},"long":{"type":"string","maxLength":100},"huge":{"type":"string","maxLength":9999}}}`)
	text := func(name string, n int) string {
		if name == "s" {
			return fmt.Sprintf(`{"s":"%s"}`, strings.Repeat("植", n))
		}
		return fmt.Sprintf(`{"s":"a1","%s":"%s"}`, name, strings.Repeat("植", n))
	}
	kinds(t, s, map[string]schema.Kind{
		text("s", 1): schema.MustAccept, text("s", 64): schema.MustAccept, text("s", 65): schema.MayRefuse, text("s", 0): schema.MayRefuse,
		text("empty", 0): schema.MustAccept, text("empty", 65): schema.MayRefuse,
		text("long", 100): schema.MustAccept, text("long", 101): schema.Invalid,
		text("huge", 256): schema.MustAccept, text("huge", 257): schema.MayRefuse,
	})
	assert.True(t, hasReason(s.Read([]byte(text("s", 65))), "long string"))
	assert.True(t, hasReason(s.Read([]byte(text("s", 255))), "long string"))
	assert.True(t, hasReason(s.Read([]byte(text("s", 256))), "very long string"))
	assert.Empty(t, s.Read([]byte(`{"s":"`+strings.Repeat("a", 31)+`1"}`)).Unusual)
	assert.Equal(t, []string{"/s"}, s.Read([]byte(`{"s":"`+strings.Repeat("a", 32)+`1"}`)).Unusual)
}

func TestADomainChangesTheMustAcceptValuesOfItsPlace(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","required":["s","n"],"properties":{"s":{"type":"string"},"n":{"type":"integer"},"t":{"type":"string"}}}`)
	s.Domains = map[string]schema.Domain{"/s": {MinLength: 3, MaxLength: 5}, "/n": {Minimum: "10", Maximum: "20"}, "/t": {Given: "may-refuse"}}
	kinds(t, s, map[string]schema.Kind{
		`{"s":"aaa","n":10}`: schema.MustAccept, `{"s":"aa","n":10}`: schema.MayRefuse, `{"s":"aaaaa","n":20}`: schema.MustAccept, `{"s":"aaaaaa","n":20}`: schema.MayRefuse,
		`{"s":"aaa","n":9}`: schema.MayRefuse, `{"s":"aaa","n":21}`: schema.MayRefuse, `{"s":"aaa","n":15,"t":"b"}`: schema.MayRefuse,
	})
}

func TestSpacesInsideAreTheOnlyMustAcceptWhiteSpace(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","required":["s"],"properties":{"s":{"type":"string"}}}`)
	for text, what := range map[string]string{
		`a b`: "", ` a`: "white space at an end", `a `: "white space at an end", ` `: "blank string", `a\tb`: "control character",
		`a\u00a0b`: "white space other than a blank", `a\u0000`: "NUL", `\u0301a`: "combining mark first", `a\u200bb`: "format character",
		`a\ue000`: "unassigned or private character", `a\ud83e\udee0`: "unassigned or private character", `a\u0301`: "",
	} {
		r := s.Read([]byte(`{"s":"` + text + `"}`))
		if what == "" {
			assert.Equal(t, schema.MustAccept.String(), r.Kind.String(), text)
			continue
		}
		assert.Equal(t, schema.MayRefuse.String(), r.Kind.String(), text)
		if !hasReason(r, what) {
			assert.Contains(t, r.Reasons[len(r.Reasons)-1].What, "newer than Unicode", "%s: %v", text, r.Reasons)
		}
	}
}

// What readers understand differently is an edge, whatever the schema says of one
// reading; so a duplicate name is never a reason to refuse or to accept.
func TestWhatReadersUnderstandDifferentlyMayBeRefused(t *testing.T) {
	s := bodyOf(t, int64Body)
	kinds(t, s, map[string]schema.Kind{
		`{"id":1,"id":1}`:                                        schema.MayRefuse,
		`{"id":1,"id":"x"}`:                                      schema.MayRefuse,
		`{"id":"x","id":"x"}`:                                    schema.MayRefuse,
		"\xef\xbb\xbf{\"id\":1}":                                 schema.MayRefuse,
		`{"id":1,"x":"\ud800"}`:                                  schema.MayRefuse,
		"{\"id\":1,\"x\":\"\xff\"}":                              schema.MayRefuse,
		"{\x00\"\x00i\x00d\x00\"\x00:\x001\x00}\x00":             schema.MayRefuse, // UTF-16
		"{\x00\"\x00i\x00d\x00\"\x00:\x00\"\x00x\x00\"\x00}\x00": schema.NotJSON,
		``:  schema.NotJSON,
		`{`: schema.NotJSON,
	})
	assert.False(t, s.Read([]byte(`{"id":1,"id":1}`)).Sound())
	assert.True(t, s.Read([]byte(`{"id":1}`)).Sound())
	assert.True(t, s.Read(nil).Empty)
	assert.False(t, s.Read([]byte("{")).Empty)
}

func TestFurtherMembersAndLongArraysMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":{"type":"integer"}},"b":{"type":"array","maxItems":40,"minItems":0,"items":{"type":"integer"}}}}`)
	array := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	kinds(t, s, map[string]schema.Kind{
		`{"l":` + array(1) + `}`: schema.MustAccept, `{"l":` + array(16) + `}`: schema.MustAccept, `{"l":` + array(17) + `}`: schema.MayRefuse,
		`{"l":[]}`: schema.MayRefuse, `{"l":[1],"b":[]}`: schema.MustAccept, `{"l":[1],"b":` + array(40) + `}`: schema.MustAccept, `{"l":[1],"b":` + array(41) + `}`: schema.Invalid,
		`{"l":[1],"x":1}`: schema.MayRefuse,
	})
	deep := func(n int) string { return `{"l":[1],"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	assert.False(t, hasReason(s.Read([]byte(deep(15))), "nesting"))
	assert.True(t, hasReason(s.Read([]byte(deep(16))), "nesting"))
}

func TestAKeyCoversEveryItemOfAnArrayAndNoOtherPlace(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}}`)
	r := s.Read([]byte(`{"l":[{"n":1},{"n":"x"},{}]}`))
	require.Equal(t, schema.Invalid, r.Kind)
	require.Len(t, r.Violations, 2)
	assert.Equal(t, schema.Violation{Path: "/l/*", Keyword: "required", Name: "n", Pointer: "/l/2"}, r.Violations[0])
	assert.Equal(t, schema.Violation{Path: "/l/*/n", Keyword: "type", Pointer: "/l/1/n"}, r.Violations[1])
	assert.True(t, r.Violates(schema.Key{Path: "/l/*/n", Keyword: "type"}))
	assert.True(t, r.Violates(schema.Key{Path: "/*/*/n", Keyword: "type"}))
	for _, k := range []schema.Key{{Path: "/l/*", Keyword: "type"}, {Path: "/l/*/n", Keyword: "format"}, {Path: "/l/*", Keyword: "required", Name: "m"}, {Path: "/*", Keyword: "type"}} {
		assert.False(t, r.Violates(k), "%v", k)
	}
}

// An answer is judged by its schema alone: what is an edge in a request is none.
func TestAnAnswerHasNoMayRefuseValues(t *testing.T) {
	c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t:
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {type: object, required: [n, w], properties: {n: {type: integer, format: int32}, w: {type: string, writeOnly: true}}}}}}
`))
	require.NoError(t, err)
	s := c.Operations[0].Responses[0].Media[0].Shape
	kinds(t, s, map[string]schema.Kind{
		`{"n":4e2}`: schema.MustAccept, `{"n":0,"more":""}`: schema.MustAccept, `{"n":4.5}`: schema.Invalid, `{"n":2147483648}`: schema.Invalid, `{}`: schema.Invalid,
		`{"n":1.0000000000000000000000000000000000001}`: schema.Invalid,
	})
}

func hasReason(r *schema.Reading, what string) bool {
	return slices.ContainsFunc(r.Reasons, func(e schema.Reason) bool { return e.What == what })
}

const twoPets = `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],"discriminator":{"propertyName":"kind","mapping":{"dog":"#/components/schemas/Dog"}}}`

// withPets loads a document whose body has alternatives; schema is that of the body.
func withPets(t *testing.T, of string) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("pets", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/pets":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":`+of+`}}},
		"responses":{"200":{"description":"taken"}}}}},"components":{"schemas":{
		"Named":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":5}}},
		"Cat":{"allOf":[{"$ref":"#/components/schemas/Named"}],"type":"object","required":["kind","lives"],"properties":{"kind":{"type":"string"},"lives":{"type":"integer","maximum":9}}},
		"Dog":{"allOf":[{"$ref":"#/components/schemas/Named"}],"type":"object","required":["kind","tricks"],"properties":{"kind":{"type":"string"},"tricks":{"type":"array","maxItems":2,"items":{"type":"string"}}}}}}}`))
	require.NoError(t, err)
	return c.Operations[0]
}

func TestAnAlternativeIsReadByItsOwnKeywords(t *testing.T) {
	op := withPets(t, twoPets)
	cat, dog := op.Body.Shape, op.Additional[0].Body.Shape
	for _, c := range []struct {
		body        string
		asCat       schema.Kind
		asDog       schema.Kind
		brokenAsDog schema.Key
	}{
		{`{"kind":"Cat","name":"a","lives":9}`, schema.MustAccept, schema.MayRefuse, schema.Key{}},
		{`{"kind":"dog","name":"a","tricks":["sit"]}`, schema.MayRefuse, schema.MustAccept, schema.Key{}},
		{`{"kind":"Dog","name":"a","tricks":["sit"]}`, schema.MayRefuse, schema.MayRefuse, schema.Key{}},
		{`{"kind":"dog","name":"a","tricks":["a","b","c"]}`, schema.Invalid, schema.Invalid, schema.Key{Path: "/tricks", Keyword: "maxItems"}},
		{`{"kind":"dog","name":"abcdef","tricks":[]}`, schema.Invalid, schema.Invalid, schema.Key{Path: "/name", Keyword: "maxLength"}},
		{`{"kind":"dog","name":"a","tricks":[],"lives":9}`, schema.Invalid, schema.Invalid, schema.Key{Keyword: "oneOf"}},
		{`"dog"`, schema.Invalid, schema.Invalid, schema.Key{Keyword: "type"}},
	} {
		assert.Equal(t, c.asCat, cat.Read([]byte(c.body)).Kind, c.body)
		r := dog.Read([]byte(c.body))
		assert.Equal(t, c.asDog, r.Kind, c.body)
		if c.asDog == schema.Invalid {
			assert.True(t, r.Violates(c.brokenAsDog), "%s: %v", c.body, r.Violations)
		}
	}
}

func TestAFractionThatDoublesLoseIsForgivenInsideAlternativesToo(t *testing.T) {
	op := withPets(t, `{"type":"object","required":["n"],"properties":{"n":{"oneOf":[{"type":"integer"},{"type":"string"}]},"list":{"type":"array","contains":{"type":"integer"}}}}`)
	for body, want := range map[string]schema.Kind{
		`{"n":1.0000000000000000001}`:                   schema.MayRefuse,
		`{"n":1,"list":[1.0000000000000000001]}`:        schema.MayRefuse,
		`{"n":1.5}`:                                     schema.Invalid,
		`{"n":true,"list":[1.0000000000000000001]}`:     schema.Invalid,
		`{"n":1,"list":[1.0000000000000000001, "1.5"]}`: schema.MayRefuse,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}

func TestWhatFailsHasEvaluatedNothingAndIsNamedByItself(t *testing.T) {
	op := withPets(t, `{"type":"object","allOf":[{"required":["a"],"properties":{"a":{"type":"integer","maximum":9},"b":true},"if":{"properties":{"a":{"minimum":1}}},"then":{"required":["b"]}}],"unevaluatedProperties":false}`)
	for body, want := range map[string][]schema.Key{
		`{"a":1}`:         {{Keyword: "required", Name: "b"}},
		`{"a":10,"b":1}`:  {{Path: "/a", Keyword: "maximum"}},
		`{"a":0,"c":1}`:   {{Path: "/c", Keyword: "false"}},
		`{"a":99,"z":[]}`: {{Keyword: "required", Name: "b"}, {Path: "/a", Keyword: "maximum"}},
	} {
		var got []schema.Key
		for _, v := range op.Body.Shape.Read([]byte(body)).Violations {
			got = append(got, v.Key())
		}
		assert.ElementsMatch(t, want, got, body)
	}
}

func TestTheObjectWithARefusedNameIsFoundEachTime(t *testing.T) {
	op := withPets(t, `{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"},"other":{"type":"object"},"maps":{"type":"array","items":{"type":"object","propertyNames":{"maxLength":2}}},
		"tags":{"type":"object","propertyNames":{"pattern":"^[a-z]+$"}},"more":{"type":"object","additionalProperties":{"type":"object","propertyNames":{"maxLength":2}}}}}`)
	for body, path := range map[string]string{
		`{"kind":"a","other":{"A":1},"tags":{"A":1,"b":2}}`: "/tags",
		`{"kind":"a","maps":[{},{"abc":1}],"tags":{"b":2}}`: "/maps/*",
		`{"kind":"a","more":{"x":{"abc":1}},"tags":{}}`:     "/more/x",
	} {
		for range 50 { // the library looks at members in another order each time
			r := op.Body.Shape.Read([]byte(body))
			assert.Len(t, r.Violations, 1)
			require.True(t, r.Violates(schema.Key{Path: path, Keyword: "propertyNames"}), "%s: %v", body, r.Violations)
		}
	}
}

// A body may be an object or a list, and a member a list or null.
func TestAListThatIsOneOfSeveralAlternativesMustBeAccepted(t *testing.T) {
	op := withPets(t, `{"oneOf":[{"type":"object","required":["labels"],"properties":{"labels":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}},{"type":"array","minItems":1,"items":{"type":"string"}}]}`)
	for body, want := range map[string]schema.Kind{
		`["abc"]`:                  schema.MustAccept,
		`{"labels":["abc"]}`:       schema.MustAccept,
		`{"labels":null}`:          schema.MustAccept,
		`{"labels":["abc\u0000"]}`: schema.MayRefuse,
		`["abc\u0000"]`:            schema.MayRefuse,
		`[7]`:                      schema.Invalid,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}

func TestABoundOfAnIntegerIsTheIntegerHoweverTheDocumentSpellsIt(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {content: {application/json: {schema:
  {type: object, properties: {n: {type: integer, minimum: 1.0, maximum: 1.2e2}, d: {type: number, maximum: 0.50}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	s := c.Operations[0].Body.Shape.Schema
	n, d := s.Property("n").Schema, s.Property("d").Schema
	assert.Equal(t, []string{"1", "120", "0.50"}, []string{n.Minimum, n.Maximum, d.Maximum})
}

func TestEachAlternativeOfABodyIsACopyOfTheOperation(t *testing.T) {
	for name, of := range map[string]string{"body": twoPets, "member": `{"type":"object","required":["pet"],"properties":{"pet":` + twoPets + `}}`} {
		t.Run(name, func(t *testing.T) {
			op := withPets(t, of)
			require.Len(t, op.Additional, 1)
			dog := op.Additional[0]
			assert.Equal(t, "Dog", dog.Alternative)
			assert.Equal(t, "POST /pets (Dog)", dog.Title())
			assert.Equal(t, "post-pets-dog", dog.Slug)
			assert.Same(t, op, dog.First())
			assert.True(t, op.HasAlternatives())
		})
	}
}

// The requirement stays that of oneOf: only its failures say more.
func TestAValueOfNoAlternativeIsHeldAgainstTheOneThatFitsBest(t *testing.T) {
	const two = `"B":{"type":"object","required":["kind","size"],"properties":{"kind":{"const":"b"},"size":{"type":"integer"}}},
		"C":{"type":"object","required":["kind","size","name"],"properties":{"kind":{"const":"c"},"size":{"type":"string"},"name":{"type":"string"}}}`
	s := bodyOf(t, `"A":{"type":"object","properties":{"in":{"type":"array","items":{"oneOf":[`+ref("B")+`,`+ref("C")+`,{"type":"null"}]}}}},`+two)
	for item, want := range map[string]string{
		`{"kind":"b","size":"1"}`:          "/in/0/size type",
		`{"kind":"c","size":1,"name":"a"}`: "/in/0/size type",
		`{"kind":"c","size":"1"}`:          "/in/0/name required",
		`{"kind":"d","size":1}`:            "/in/0/kind const",
		`{"kind":"d"}`:                     "/in/0/kind const",
		`7`:                                "/in/0 type",
	} {
		r := s.Read([]byte(`{"in":[` + item + `]}`))
		if assert.NotEmpty(t, r.Violations, item) {
			assert.Equal(t, want, r.Violations[0].Near+" "+r.Violations[0].NearKeyword, item)
		}
	}
}

func TestABrokenKeywordOfAConditionIsThatOfTheBranchThatApplies(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"kind":{"enum":["n","t"]},"value":true},"allOf":[
  {"if":{"properties":{"kind":{"const":"n"}}},"then":{"properties":{"value":{"type":"integer"}}}},
  {"if":{"properties":{"kind":{"const":"t"}}},"then":{"properties":{"value":{"$ref":"#/components/schemas/T"}}}}]},"T":{"type":"string"}`)
	then := func(n string) schema.Key {
		return schema.Key{Path: "/value", Keyword: "type", Under: "/components/schemas/A/allOf/" + n + "/then"}
	}
	number, text := s.Read([]byte(`{"kind":"n","value":"x"}`)), s.Read([]byte(`{"kind":"t","value":1}`))
	assert.Equal(t, []bool{true, false, false, true}, []bool{number.Violates(then("0")), number.Violates(then("1")), text.Violates(then("0")), text.Violates(then("1"))})
}
