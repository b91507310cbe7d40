package openapi_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
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
	shape.Domains["/tag"] = openapi.Domain{Given: "may-refuse"}
	for body, want := range map[string]openapi.Kind{
		`{"id":1,"name":"a1"}`:                          openapi.MustAccept,
		`{"name":"Löwenzahn","id":9223372036854775807}`: openapi.MustAccept,
		`{"id":9223372036854775808,"name":"a1"}`:        openapi.Invalid,
		`{"id":1.5,"name":"a1"}`:                        openapi.Invalid,
		`{"id":1.0000000000000000001,"name":"a1"}`:      openapi.MayRefuse,
		`{"id":1.0000000001,"name":"a1"}`:               openapi.Invalid,
		`{"id":1.0,"name":"a1"}`:                        openapi.MayRefuse,
		`{"id":1e2,"name":"a1"}`:                        openapi.MayRefuse,
		`{"id":0,"name":"a1"}`:                          openapi.MayRefuse,
		`{"id":-1,"name":"a1"}`:                         openapi.MayRefuse,
		`{"id":1,"name":""}`:                            openapi.MayRefuse,
		`{"id":1,"name":" a"}`:                          openapi.MayRefuse,
		`{"id":1,"name":"a","tag":"x"}`:                 openapi.MayRefuse,
		`{"id":1,"name":"a","tag":null}`:                openapi.Invalid,
		`{"id":1,"name":"a","more":[[]]}`:               openapi.MayRefuse,
		`{"id":1,"name":"a","id":2}`:                    openapi.MayRefuse,
		`{"id":1,"name":"\ud800"}`:                      openapi.MayRefuse,
		`{"id":1}`:                                      openapi.Invalid,
		`{"id":1,"name":"a1"}}`:                         openapi.NotJSON,
		``:                                              openapi.NotJSON,
		`[]`:                                            openapi.Invalid,
		`null`:                                          openapi.Invalid,
		`{"id":1e1000000000,"name":"a1"}`:               openapi.Invalid,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestViolationsNamePlaceAndKeyword(t *testing.T) {
	shape := plants(t).Body.Shape
	r := shape.Read([]byte(`{"id":"5","tag":1}`))
	var keys []openapi.Key
	for _, v := range r.Violations {
		keys = append(keys, v.Key())
	}
	assert.Equal(t, []openapi.Key{{Keyword: "required", Name: "name"}, {Path: "/id", Keyword: "type"}, {Path: "/tag", Keyword: "type"}}, keys)
}

func TestCharactersNewerThanUnicode9NeedNotBeTaken(t *testing.T) {
	shape := plants(t).Body.Shape
	for body, want := range map[string]openapi.Kind{
		`{"id":1,"name":"a1 植🌱𠮷ß"}`:            openapi.MustAccept,
		"{\"id\":1,\"name\":\"a1₾\"}":          openapi.MustAccept, // Unicode 8.0
		"{\"id\":1,\"name\":\"a1\U0001F95E\"}": openapi.MustAccept, // 9.0
		"{\"id\":1,\"name\":\"a1\u20BF\"}":     openapi.MayRefuse,  // 10.0
		"{\"id\":1,\"name\":\"a1\U0001F972\"}": openapi.MayRefuse,  // 13.0
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestAByteOrderMarkMayBeCutShortBeforeValidTextAlone(t *testing.T) {
	shape := plants(t).Body.Shape
	for text, want := range map[string]openapi.Kind{
		"\xEF\xBB{\"id\":1,\"name\":\"a\"}": openapi.MayRefuse,
		"\xBF{\"id\":1,\"name\":\"a\"}":     openapi.MayRefuse,
		"\xEF\xBB{\"id\":1}":                openapi.NotJSON,
		"\xFF{\"id\":1,\"name\":\"a\"}":     openapi.NotJSON,
		"{\"id\":1,\"name\":\"a\"}\xEF\xBB": openapi.NotJSON,
		"\xEF\xBB":                          openapi.NotJSON,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(text)).Kind.String(), "%q", text)
	}
}

func TestUTF16AndUTF32MayBeTakenWhereTheTextIsValid(t *testing.T) {
	shape := plants(t).Body.Shape
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			for text, want := range map[string]openapi.Kind{
				`{"id":1,"name":"a1🌱"}`: openapi.MayRefuse,
				`{"id":1}`:              openapi.NotJSON,
				`{"id":1,"name":"a1"`:   openapi.NotJSON,
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
				assert.Equal(t, openapi.NotJSON.String(), shape.Read(narrow[:len(narrow)-1]).Kind.String(), "cut")
			}
		}
	}
}
