package schema_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/spec"
)

func plants(t *testing.T) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	return c.Operations[0]
}

func TestBodiesAreSortedByWhatAServerOwesThem(t *testing.T) {
	shape := plants(t).Body.Shape
	shape.Domains["/tag"] = schema.Domain{Given: "may-refuse"}
	for body, want := range map[string]schema.Kind{
		`{"id":1,"name":"a1"}`:                          schema.MustAccept,
		`{"name":"Löwenzahn","id":9223372036854775807}`: schema.MustAccept,
		`{"id":9223372036854775808,"name":"a1"}`:        schema.Invalid,
		`{"id":1.5,"name":"a1"}`:                        schema.Invalid,
		`{"id":1.0000000000000000001,"name":"a1"}`:      schema.MayRefuse,
		`{"id":1.0000000001,"name":"a1"}`:               schema.Invalid,
		`{"id":1.0,"name":"a1"}`:                        schema.MayRefuse,
		`{"id":1e2,"name":"a1"}`:                        schema.MayRefuse,
		`{"id":0,"name":"a1"}`:                          schema.MayRefuse,
		`{"id":-1,"name":"a1"}`:                         schema.MayRefuse,
		`{"id":1,"name":""}`:                            schema.MayRefuse,
		`{"id":1,"name":" a"}`:                          schema.MayRefuse,
		`{"id":1,"name":"a","tag":"x"}`:                 schema.MayRefuse,
		`{"id":1,"name":"a","tag":null}`:                schema.Invalid,
		`{"id":1,"name":"a","more":[[]]}`:               schema.MayRefuse,
		`{"id":1,"name":"a","id":2}`:                    schema.MayRefuse,
		`{"id":1,"name":"\ud800"}`:                      schema.MayRefuse,
		`{"id":1}`:                                      schema.Invalid,
		`{"id":1,"name":"a1"}}`:                         schema.NotJSON,
		``:                                              schema.NotJSON,
		`[]`:                                            schema.Invalid,
		`null`:                                          schema.Invalid,
		`{"id":1e1000000000,"name":"a1"}`:               schema.Invalid,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestAnAlternativeStatesItsValues(t *testing.T) {
	doc := `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [format], properties: {
		format: {anyOf: [{type: string, enum: [png, npy]}, {type: "null"}]}, day: {oneOf: [{type: string, format: date}, {type: "null"}]},
		skip: {anyOf: [{type: integer, minimum: 0}, {type: "null"}]}, free: {anyOf: [{type: integer}, {type: "null"}]}}}}}}, responses: {"200": {description: ok}}}}}}`
	c, err := openapi.Load("a.yaml", []byte(doc))
	require.NoError(t, err)
	for body, want := range map[string]schema.Kind{
		`{"format":"png"}`: schema.MustAccept, `{"format":"npy"}`: schema.MustAccept, `{"format":"png","skip":0}`: schema.MustAccept,
		`{"format":"png","day":"2026-02-03"}`: schema.MustAccept, `{"format":"png","free":0}`: schema.MayRefuse,
	} {
		assert.Equal(t, want.String(), c.Operations[0].Body.Shape.Read([]byte(body)).Kind.String(), body)
	}
	assert.Empty(t, c.Operations[0].Body.Shape.Read([]byte(`{"format":"png"}`)).Unusual, "the first listed value is that of baseline requests")
}

func TestViolationsNamePlaceAndKeyword(t *testing.T) {
	shape := plants(t).Body.Shape
	r := shape.Read([]byte(`{"id":"5","tag":1}`))
	var keys []schema.Key
	for _, v := range r.Violations {
		keys = append(keys, v.Key())
	}
	assert.Equal(t, []schema.Key{{Keyword: "required", Name: "name"}, {Path: "/id", Keyword: "type"}, {Path: "/tag", Keyword: "type"}}, keys)
}

func TestCharactersNewerThanUnicode9NeedNotBeTaken(t *testing.T) {
	shape := plants(t).Body.Shape
	for body, want := range map[string]schema.Kind{
		`{"id":1,"name":"a1 植🌱𠮷ß"}`:            schema.MustAccept,
		"{\"id\":1,\"name\":\"a1₾\"}":          schema.MustAccept, // Unicode 8.0
		"{\"id\":1,\"name\":\"a1\U0001F95E\"}": schema.MustAccept, // 9.0
		"{\"id\":1,\"name\":\"a1\u20BF\"}":     schema.MayRefuse,  // 10.0
		"{\"id\":1,\"name\":\"a1\U0001F972\"}": schema.MayRefuse,  // 13.0
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestAByteOrderMarkMayBeCutShortBeforeValidTextAlone(t *testing.T) {
	shape := plants(t).Body.Shape
	for text, want := range map[string]schema.Kind{
		"\xEF\xBB{\"id\":1,\"name\":\"a\"}": schema.MayRefuse,
		"\xBF{\"id\":1,\"name\":\"a\"}":     schema.MayRefuse,
		"\xEF\xBB{\"id\":1}":                schema.NotJSON,
		"\xFF{\"id\":1,\"name\":\"a\"}":     schema.NotJSON,
		"{\"id\":1,\"name\":\"a\"}\xEF\xBB": schema.NotJSON,
		"\xEF\xBB":                          schema.NotJSON,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(text)).Kind.String(), "%q", text)
	}
}

func TestUTF16AndUTF32MayBeTakenWhereTheTextIsValid(t *testing.T) {
	shape := plants(t).Body.Shape
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			for text, want := range map[string]schema.Kind{
				`{"id":1,"name":"a1🌱"}`: schema.MayRefuse,
				`{"id":1}`:              schema.NotJSON,
				`{"id":1,"name":"a1"`:   schema.NotJSON,
			} {
				var narrow, wide []byte
				for _, c := range mark + text {
					wide = order.AppendUint32(wide, uint32(c))
				}
				for _, u := range utf16.Encode([]rune(mark + text)) {
					narrow = order.AppendUint16(narrow, u)
				}
				assert.Equal(t, want.String(), shape.Read(narrow).Kind.String(), "%q in UTF-16, %v", mark+text, order)
				assert.Equal(t, want.String(), shape.Read(wide).Kind.String(), "%q in UTF-32, %v", mark+text, order)
				assert.Equal(t, schema.NotJSON.String(), shape.Read(narrow[:len(narrow)-1]).Kind.String(), "cut")
			}
		}
	}
}

func TestTheKeyOfSomethingThatMayNotExistMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      parameters: [{name: id, in: query, schema: {type: integer}}, {name: userId, in: query, schema: {type: integer}},
        {name: page_token, in: query, schema: {type: string}}, {name: token, in: query, schema: {type: string}}]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                id: {type: integer}
                cursor: {type: string}
                startCursor: {type: string, enum: [a, b]}
                userId: {type: integer}
                userIds: {type: array, items: {type: integer}}
                tag_uuids: {type: array, items: {type: string}}
                flagIds: {type: array, items: {type: boolean}}
                kids: {type: array, items: {type: string}}
                editor: {type: object, properties: {id: {type: integer}, name: {type: string}}}
                lines: {type: array, items: {type: object, properties: {uuid: {type: string}, size: {type: integer}}}}
                query: {type: object, properties: {Id: {type: boolean}}}
      responses: {'200': {description: d}}
`))
	require.NoError(t, err)
	op := c.Operations[0]
	kinds(t, op.Body.Shape, map[string]schema.Kind{
		`{"id":7}`:                 schema.MustAccept,
		`{"userId":7}`:             schema.MayRefuse,
		`{"cursor":"a"}`:           schema.MayRefuse,
		`{"startCursor":"a"}`:      schema.MustAccept,
		`{"userIds":[7]}`:          schema.MayRefuse,
		`{"tag_uuids":["a"]}`:      schema.MayRefuse,
		`{"flagIds":[true]}`:       schema.MustAccept,
		`{"kids":["a"]}`:           schema.MustAccept,
		`{"editor":{"id":7}}`:      schema.MayRefuse,
		`{"editor":{"name":"a"}}`:  schema.MustAccept,
		`{"lines":[{"uuid":"a"}]}`: schema.MayRefuse,
		`{"lines":[{"size":7}]}`:   schema.MustAccept,
		`{"query":{"Id":true}}`:    schema.MustAccept,
	})
	kinds(t, op.Params, map[string]schema.Kind{
		`{"query":{"id":7}}`:           schema.MustAccept,
		`{"query":{"userId":7}}`:       schema.MayRefuse,
		`{"query":{"page_token":"a"}}`: schema.MayRefuse,
		`{"query":{"token":"a"}}`:      schema.MustAccept,
	})
}

// Some servers trim what they read; Jackson does so for enums by default.
func TestAListedTextWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"kind":{"type":"string","enum":["adult","child"]},"op":{"const":"add"}}}`)
	kinds(t, s, map[string]schema.Kind{
		`{"kind":"adult "}`: schema.MayRefuse, `{"kind":"\tchild\r\n"}`: schema.MayRefuse, `{"op":" add"}`: schema.MayRefuse,
		`{"kind":"adults"}`: schema.Invalid, `{"kind":"Adult"}`: schema.Invalid, `{"kind":""}`: schema.Invalid, `{"op":"a dd"}`: schema.Invalid, `{"kind":"adult"}`: schema.MustAccept,
	})
	assert.Equal(t, "a listed text with white space around it", s.Read([]byte(`{"kind":"adult "}`)).Reasons[0].What)
}

// JSON Schema warns of the escapes of expressions: engines differ (2020-12 Core, 6.4).
func TestALetterOfAnotherScriptMayBeTakenWhereAPatternHasAnEscapeForLetters(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"token":{"type":"string","pattern":"^tok_\\w+$"},"code":{"type":"string","pattern":"^[A-Za-z]+$"}}}`)
	kinds(t, s, map[string]schema.Kind{
		`{"token":"tok_é"}`: schema.MayRefuse, `{"token":"tok_é!"}`: schema.Invalid, `{"token":"tok_!"}`: schema.Invalid, `{"code":"é"}`: schema.Invalid,
		`{"token":"tok_a"}`: schema.MustAccept,
	})
}

// Validators that check dates with a simple expression take days and hours that do not exist.
func TestADateMayBeTakenWhoseDigitsAreOnlyALittleTooLarge(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"on":{"type":"string","format":"date"},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]schema.Kind{
		`{"on":"2024-02-30"}`: schema.MayRefuse, `{"on":"2024-13-39"}`: schema.MayRefuse, `{"on":"2024-20-01"}`: schema.Invalid, `{"on":"2024-01-40"}`: schema.Invalid,
		`{"at":"2024-01-01T25:00:00Z"}`: schema.MayRefuse, `{"at":"2024-01-01T30:00:00Z"}`: schema.Invalid, `{"at":"2024-01-01T00:60:00Z"}`: schema.Invalid,
	})
}

// Pydantic and Joi remove white space before they look at an address.
func TestATextOfAFormatWithWhiteSpaceAroundItMayBeRefused(t *testing.T) {
	s := bodyOf(t, `"A":{"type":"object","properties":{"email":{"type":"string","format":"email","maxLength":12},"at":{"type":"string","format":"date-time"}}}`)
	kinds(t, s, map[string]schema.Kind{
		`{"email":" a@b.example"}`: schema.MayRefuse, `{"at":"2024-01-01T00:00:00Z\n"}`: schema.MayRefuse, `{"email":" a@ b.org"}`: schema.Invalid,
		`{"email":" a"}`: schema.Invalid, `{"email":" abcde@b.example"}`: schema.Invalid, `{"email":" a@b.example","at":5}`: schema.Invalid,
	})
}

// patterned is an operation whose body has a member with a pattern, and whose
// answer has another.
func patterned(t *testing.T, request, answer string) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("t.yaml", []byte(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /things:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [code, n]
              properties:
                n: {type: integer}
                code: {type: string, pattern: '`+request+`'}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties: {code: {type: string, pattern: '`+answer+`'}}
        '400': {description: no}
`))
	require.NoError(t, err)
	return c.Operations[0]
}

// hard needs more steps than are taken on many a's and something behind them.
const hard = `^(?=(a+)+$)a`

var tooMuch = strings.Repeat("a", 40) + "!"

func TestABodyWhosePatternCannotBeDecidedIsNeitherValidNorInvalid(t *testing.T) {
	op := patterned(t, hard, hard)
	for body, want := range map[string]schema.Kind{
		`{"n":1,"code":"aaa"}`:               schema.MustAccept,
		`{"n":1,"code":"b"}`:                 schema.Invalid,
		`{"n":1,"code":"` + tooMuch + `"}`:   schema.Undecided,
		`{"n":"1","code":"` + tooMuch + `"}`: schema.Undecided,
	} {
		r := op.Body.Shape.Read([]byte(body))
		assert.Equal(t, want.String(), r.Kind.String(), body)
		if want == schema.Undecided {
			assert.Equal(t, hard, r.Open)
			assert.Empty(t, r.Violations)
		}
	}
	got := op.Responses[0].Media[0].Shape.Read([]byte(`{"code":"` + tooMuch + `"}`))
	assert.Equal(t, schema.Undecided, got.Kind)
}

func TestAnUndecidedBodyIsAssumedEitherWay(t *testing.T) {
	shape := patterned(t, hard, hard).Body.Shape
	r := shape.Read([]byte(`{"n":1,"code":"` + tooMuch + `"}`))
	assert.Equal(t, schema.MustAccept, shape.Assume(r, true).Kind)
	no := shape.Assume(r, false)
	assert.Equal(t, schema.Invalid, no.Kind)
	assert.True(t, no.Violates(schema.Key{Path: "/code", Keyword: "pattern"}))
	assert.Equal(t, schema.Undecided, r.Kind, "the reading itself stays")
}

// One value that cannot be decided says nothing of those that are read at the
// same time.
func TestUndecidedBodiesDoNotDisturbOthers(t *testing.T) {
	shape := patterned(t, hard, hard).Body.Shape
	var group sync.WaitGroup
	for i := range 24 {
		group.Go(func() {
			body, want := `{"n":1,"code":"aaa"}`, schema.MustAccept
			if i%3 == 0 {
				body, want = `{"n":1,"code":"`+tooMuch+`"}`, schema.Undecided
			}
			assert.Equal(t, want, shape.Read([]byte(body)).Kind)
		})
	}
	group.Wait()
}

// It was "no match" after 100 ms: the text was invalid then, on a busy machine
// sooner than on an idle one.
func TestAPatternThatBacktracksForLongIsDecided(t *testing.T) {
	shape := patterned(t, `^(a|aa|a?)+$`, `a`).Body.Shape
	assert.Equal(t, schema.MustAccept, shape.Read([]byte(`{"n":1,"code":"`+strings.Repeat("a", 40)+`"}`)).Kind)
	assert.Equal(t, schema.Invalid, shape.Read([]byte(`{"n":1,"code":"`+tooMuch+`"}`)).Kind)
}

func TestAPatternIsReadAsECMA262Does(t *testing.T) {
	shape := patterned(t, `^\S+$`, `a`).Body.Shape
	assert.Equal(t, schema.Invalid, shape.Read([]byte(`{"n":1,"code":"a\n"}`)).Kind, "$ is the end, not before a line end")
	assert.Equal(t, schema.Invalid, shape.Read([]byte(`{"n":1,"code":"\uFEFF"}`)).Kind, "U+FEFF is white space")
}

func TestTheCornersOfABoxAndTheEndsOfATimeHaveAnOrderThatNoSchemaStates(t *testing.T) {
	op := withPets(t, `{"type":"object","properties":{"bbox":{"type":"array","items":{"type":"number"}},"sizes":{"type":"array","items":{"type":"number"}},`+
		`"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}}}`)
	for body, want := range map[string]schema.Kind{
		`{"bbox":[1,2,3,4]}`:     schema.MustAccept,
		`{"bbox":[5,2,3,4]}`:     schema.MayRefuse,
		`{"bbox":[1,2,9,3,4,5]}`: schema.MayRefuse,
		`{"bbox":[5,2,3]}`:       schema.MustAccept,
		`{"sizes":[5,2,3,4]}`:    schema.MustAccept,
		`{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T01:00:00Z"}`: schema.MustAccept,
		`{"from":"2026-01-01t02:00:00z","to":"2026-01-01T01:00:00Z"}`: schema.MayRefuse,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}

// A trip begins with the departure, a stay with the arrival.
func TestOfArrivalAndDepartureTheFirstInTheDocumentComesFirst(t *testing.T) {
	date := `{"type":"string","format":"date"}`
	for of, low := range map[string]string{`"arrival":` + date + `,"departure":` + date: "arrival", `"departureDate":` + date + `,"arrivalDate":` + date: "departureDate"} {
		op := withPets(t, `{"type":"object","properties":{`+of+`}}`)
		pairs := op.Body.Shape.Pairs(op.Body.Shape.Schema, true)
		require.Len(t, pairs, 1)
		assert.Equal(t, low, pairs[0].Low.Name)
	}
}

func TestWhatIsRememberedIsReadAsBefore(t *testing.T) {
	plain, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	mindful, err := openapi.LoadWith("openapi.yaml", spec.OpenAPI, openapi.Source{Remembered: schema.ForOne})
	require.NoError(t, err)
	long := `{"id":1,"name":"` + strings.Repeat("a", 10_000) + `"}`
	for _, body := range []string{`{"id":1,"name":"a"}`, `{"id":1.5,"name":""}`, `{"id":1}`, ``, `{`, "\xff\xfe{\x00}\x00", `{"a":1,"a":2}`, long} {
		want := plain.Operations[0].Body.Shape.Read([]byte(body))
		for range 3 {
			got := mindful.Operations[0].Body.Shape.Read([]byte(body))
			assert.Equal(t, want, got, "%.80q", body)
			got.Kind = 77
			got.Violations, got.Reasons = append(got.Violations, schema.Violation{}), append(got.Reasons, schema.Reason{What: "mine"})
		}
	}
}

func TestTheOldestIsForgottenWhereThereIsNoRoom(t *testing.T) {
	plain, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	forgetful, err := openapi.LoadWith("openapi.yaml", spec.OpenAPI, openapi.Source{Remembered: 100})
	require.NoError(t, err)
	for round := range 2 {
		for i := range 50 {
			body := fmt.Appendf(nil, `{"id":%d,"name":"a"}`, i)
			assert.Equal(t, plain.Operations[0].Body.Shape.Read(body), forgetful.Operations[0].Body.Shape.Read(body), "round %d, %s", round, body)
		}
	}
}
