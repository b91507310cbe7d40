package contract_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/spec"
)

func plants(t *testing.T) *contract.Operation {
	t.Helper()
	c, err := contract.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	require.Len(t, c.Operations, 1)
	return c.Operations[0]
}

func TestBodiesAreSortedByWhatAServerOwesThem(t *testing.T) {
	shape := plants(t).Body.Shape
	shape.Domains["/tag"] = contract.Domain{Given: "may-refuse"}
	for body, want := range map[string]contract.Kind{
		`{"id":1,"name":"a1"}`:                          contract.MustAccept,
		`{"name":"Löwenzahn","id":9223372036854775807}`: contract.MustAccept,
		`{"id":9223372036854775808,"name":"a1"}`:        contract.Invalid,
		`{"id":1.5,"name":"a1"}`:                        contract.Invalid,
		`{"id":1.0000000000000000001,"name":"a1"}`:      contract.MayRefuse,
		`{"id":1.0000000001,"name":"a1"}`:               contract.Invalid,
		`{"id":1.0,"name":"a1"}`:                        contract.MayRefuse,
		`{"id":1e2,"name":"a1"}`:                        contract.MayRefuse,
		`{"id":0,"name":"a1"}`:                          contract.MayRefuse,
		`{"id":-1,"name":"a1"}`:                         contract.MayRefuse,
		`{"id":1,"name":""}`:                            contract.MayRefuse,
		`{"id":1,"name":" a"}`:                          contract.MayRefuse,
		`{"id":1,"name":"a","tag":"x"}`:                 contract.MayRefuse,
		`{"id":1,"name":"a","tag":null}`:                contract.Invalid,
		`{"id":1,"name":"a","more":[[]]}`:               contract.MayRefuse,
		`{"id":1,"name":"a","id":2}`:                    contract.MayRefuse,
		`{"id":1,"name":"\ud800"}`:                      contract.MayRefuse,
		`{"id":1}`:                                      contract.Invalid,
		`{"id":1,"name":"a1"}}`:                         contract.NotJSON,
		``:                                              contract.NotJSON,
		`[]`:                                            contract.Invalid,
		`null`:                                          contract.Invalid,
		`{"id":1e1000000000,"name":"a1"}`:               contract.Invalid,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestViolationsNamePlaceAndKeyword(t *testing.T) {
	shape := plants(t).Body.Shape
	r := shape.Read([]byte(`{"id":"5","tag":1}`))
	var keys []contract.Key
	for _, v := range r.Violations {
		keys = append(keys, v.Key())
	}
	assert.Equal(t, []contract.Key{{Keyword: "required", Name: "name"}, {Path: "/id", Keyword: "type"}, {Path: "/tag", Keyword: "type"}}, keys)
}

func TestCharactersNewerThanUnicode9NeedNotBeTaken(t *testing.T) {
	shape := plants(t).Body.Shape
	for body, want := range map[string]contract.Kind{
		`{"id":1,"name":"a1 植🌱𠮷ß"}`:            contract.MustAccept,
		"{\"id\":1,\"name\":\"a1₾\"}":          contract.MustAccept, // Unicode 8.0
		"{\"id\":1,\"name\":\"a1\U0001F95E\"}": contract.MustAccept, // 9.0
		"{\"id\":1,\"name\":\"a1\u20BF\"}":     contract.MayRefuse,  // 10.0
		"{\"id\":1,\"name\":\"a1\U0001F972\"}": contract.MayRefuse,  // 13.0
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(body)).Kind.String(), body)
	}
}

func TestAByteOrderMarkMayBeCutShortBeforeValidTextAlone(t *testing.T) {
	shape := plants(t).Body.Shape
	for text, want := range map[string]contract.Kind{
		"\xEF\xBB{\"id\":1,\"name\":\"a\"}": contract.MayRefuse,
		"\xBF{\"id\":1,\"name\":\"a\"}":     contract.MayRefuse,
		"\xEF\xBB{\"id\":1}":                contract.NotJSON,
		"\xFF{\"id\":1,\"name\":\"a\"}":     contract.NotJSON,
		"{\"id\":1,\"name\":\"a\"}\xEF\xBB": contract.NotJSON,
		"\xEF\xBB":                          contract.NotJSON,
	} {
		assert.Equal(t, want.String(), shape.Read([]byte(text)).Kind.String(), "%q", text)
	}
}

func TestUTF16AndUTF32MayBeTakenWhereTheTextIsValid(t *testing.T) {
	shape := plants(t).Body.Shape
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			for text, want := range map[string]contract.Kind{
				`{"id":1,"name":"a1🌱"}`: contract.MayRefuse,
				`{"id":1}`:              contract.NotJSON,
				`{"id":1,"name":"a1"`:   contract.NotJSON,
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
				assert.Equal(t, contract.NotJSON.String(), shape.Read(narrow[:len(narrow)-1]).Kind.String(), "cut")
			}
		}
	}
}
