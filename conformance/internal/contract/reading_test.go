package contract_test

import (
	"testing"

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
	shape.Domains["/tag"] = contract.Domain{Given: "edge"}
	for body, want := range map[string]contract.Kind{
		`{"id":1,"name":"a1"}`:                          contract.Plain,
		`{"name":"Löwenzahn","id":9223372036854775807}`: contract.Plain,
		`{"id":9223372036854775808,"name":"a1"}`:        contract.Invalid,
		`{"id":1.5,"name":"a1"}`:                        contract.Invalid,
		`{"id":1.0000000000000000001,"name":"a1"}`:      contract.Edge,
		`{"id":1.0000000001,"name":"a1"}`:               contract.Invalid,
		`{"id":1.0,"name":"a1"}`:                        contract.Edge,
		`{"id":1e2,"name":"a1"}`:                        contract.Edge,
		`{"id":0,"name":"a1"}`:                          contract.Edge,
		`{"id":-1,"name":"a1"}`:                         contract.Edge,
		`{"id":1,"name":""}`:                            contract.Edge,
		`{"id":1,"name":" a"}`:                          contract.Edge,
		`{"id":1,"name":"a","tag":"x"}`:                 contract.Edge,
		`{"id":1,"name":"a","tag":null}`:                contract.Invalid,
		`{"id":1,"name":"a","more":[[]]}`:               contract.Edge,
		`{"id":1,"name":"a","id":2}`:                    contract.Edge,
		`{"id":1,"name":"\ud800"}`:                      contract.Edge,
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
