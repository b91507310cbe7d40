package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

const twoPets = `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],"discriminator":{"propertyName":"kind","mapping":{"dog":"#/components/schemas/Dog"}}}`

// withPets loads a document whose body has alternatives; schema is that of the body.
func withPets(t *testing.T, schema string) *openapi.Operation {
	t.Helper()
	c, err := openapi.Load("pets", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/pets":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":`+schema+`}}},
		"responses":{"200":{"description":"taken"}}}}},"components":{"schemas":{
		"Named":{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":5}}},
		"Cat":{"allOf":[{"$ref":"#/components/schemas/Named"}],"type":"object","required":["kind","lives"],"properties":{"kind":{"type":"string"},"lives":{"type":"integer","maximum":9}}},
		"Dog":{"allOf":[{"$ref":"#/components/schemas/Named"}],"type":"object","required":["kind","tricks"],"properties":{"kind":{"type":"string"},"tricks":{"type":"array","maxItems":2,"items":{"type":"string"}}}}}}}`))
	require.NoError(t, err)
	return c.Operations[0]
}

func TestEachAlternativeOfABodyIsACopyOfTheOperation(t *testing.T) {
	for name, schema := range map[string]string{"body": twoPets, "member": `{"type":"object","required":["pet"],"properties":{"pet":` + twoPets + `}}`} {
		t.Run(name, func(t *testing.T) {
			op := withPets(t, schema)
			require.Len(t, op.Further, 1)
			dog := op.Further[0]
			assert.Equal(t, "Dog", dog.Alternative)
			assert.Equal(t, "POST /pets (Dog)", dog.Title())
			assert.Equal(t, "post-pets-dog", dog.Slug)
			assert.Same(t, op, dog.First())
			assert.True(t, op.HasAlternatives())
		})
	}
}

func TestAnAlternativeIsReadByItsOwnKeywords(t *testing.T) {
	op := withPets(t, twoPets)
	cat, dog := op.Body.Shape, op.Further[0].Body.Shape
	for _, c := range []struct {
		body        string
		asCat       openapi.Kind
		asDog       openapi.Kind
		brokenAsDog openapi.Key
	}{
		{`{"kind":"Cat","name":"a","lives":9}`, openapi.MustAccept, openapi.MayRefuse, openapi.Key{}},
		{`{"kind":"dog","name":"a","tricks":["sit"]}`, openapi.MayRefuse, openapi.MustAccept, openapi.Key{}},
		{`{"kind":"Dog","name":"a","tricks":["sit"]}`, openapi.MayRefuse, openapi.MayRefuse, openapi.Key{}},
		{`{"kind":"dog","name":"a","tricks":["a","b","c"]}`, openapi.Invalid, openapi.Invalid, openapi.Key{Path: "/tricks", Keyword: "maxItems"}},
		{`{"kind":"dog","name":"abcdef","tricks":[]}`, openapi.Invalid, openapi.Invalid, openapi.Key{Path: "/name", Keyword: "maxLength"}},
		{`{"kind":"dog","name":"a","tricks":[],"lives":9}`, openapi.Invalid, openapi.Invalid, openapi.Key{Keyword: "oneOf"}},
		{`"dog"`, openapi.Invalid, openapi.Invalid, openapi.Key{Keyword: "type"}},
	} {
		assert.Equal(t, c.asCat, cat.Read([]byte(c.body)).Kind, c.body)
		r := dog.Read([]byte(c.body))
		assert.Equal(t, c.asDog, r.Kind, c.body)
		if c.asDog == openapi.Invalid {
			assert.True(t, r.Violates(c.brokenAsDog), "%s: %v", c.body, r.Violations)
		}
	}
}

func TestAFractionThatDoublesLoseIsForgivenInsideAlternativesToo(t *testing.T) {
	op := withPets(t, `{"type":"object","required":["n"],"properties":{"n":{"oneOf":[{"type":"integer"},{"type":"string"}]},"list":{"type":"array","contains":{"type":"integer"}}}}`)
	for body, want := range map[string]openapi.Kind{
		`{"n":1.0000000000000000001}`:                   openapi.MayRefuse,
		`{"n":1,"list":[1.0000000000000000001]}`:        openapi.MayRefuse,
		`{"n":1.5}`:                                     openapi.Invalid,
		`{"n":true,"list":[1.0000000000000000001]}`:     openapi.Invalid,
		`{"n":1,"list":[1.0000000000000000001, "1.5"]}`: openapi.MayRefuse,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}

func TestWhatFailsHasEvaluatedNothingAndIsNamedByItself(t *testing.T) {
	op := withPets(t, `{"type":"object","allOf":[{"required":["a"],"properties":{"a":{"type":"integer","maximum":9},"b":true},"if":{"properties":{"a":{"minimum":1}}},"then":{"required":["b"]}}],"unevaluatedProperties":false}`)
	for body, want := range map[string][]openapi.Key{
		`{"a":1}`:         {{Keyword: "required", Name: "b"}},
		`{"a":10,"b":1}`:  {{Path: "/a", Keyword: "maximum"}},
		`{"a":0,"c":1}`:   {{Path: "/c", Keyword: "false"}},
		`{"a":99,"z":[]}`: {{Keyword: "required", Name: "b"}, {Path: "/a", Keyword: "maximum"}},
	} {
		var got []openapi.Key
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
			require.True(t, r.Violates(openapi.Key{Path: path, Keyword: "propertyNames"}), "%s: %v", body, r.Violations)
		}
	}
}

// A body may be an object or a list, and a member a list or null.
func TestAListThatIsOneOfSeveralAlternativesMustBeAccepted(t *testing.T) {
	op := withPets(t, `{"oneOf":[{"type":"object","required":["labels"],"properties":{"labels":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}}},{"type":"array","minItems":1,"items":{"type":"string"}}]}`)
	for body, want := range map[string]openapi.Kind{
		`["abc"]`:                  openapi.MustAccept,
		`{"labels":["abc"]}`:       openapi.MustAccept,
		`{"labels":null}`:          openapi.MustAccept,
		`{"labels":["abc\u0000"]}`: openapi.MayRefuse,
		`["abc\u0000"]`:            openapi.MayRefuse,
		`[7]`:                      openapi.Invalid,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
}
