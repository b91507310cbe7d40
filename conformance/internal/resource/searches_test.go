package resource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

func TestASearchIsFoundByItsPathAndByTheFormOfWhatItLists(t *testing.T) {
	text := &openapi.Schema{Types: []string{"string"}}
	of := func(names ...string) *openapi.Schema {
		out := &openapi.Schema{Types: []string{"object"}, Pointer: strings.Join(names, " ")}
		for _, name := range names {
			out.Properties = append(out.Properties, &openapi.Property{Name: name, Schema: text})
		}
		return out
	}
	for _, row := range []struct {
		what, line, key string
		item            *openapi.Schema
		want            bool
	}{
		{"beside the things", "GET /users/search", "id", of("id", "name"), true},
		{"with a criterion in its name", "GET /users/findByName", "id", of("id", "name"), true},
		{"of alternatives that have the members", "GET /users/search", "id", &openapi.Schema{OneOf: []*openapi.Schema{of("id", "name", "a"), of("id", "name", "b")}}, true},
		{"of what is deleted", "GET /users/trash", "id", of("id", "name"), false},
		{"of other things", "GET /users/search", "id", of("id", "score"), false},
		{"without keys", "GET /users/search", "", of("id", "name"), false},
		{"of all kinds", "GET /search", "id", of("id", "name"), false},
		{"that changes something", "POST /users/search", "id", of("id", "name"), false},
	} {
		ops := operations("POST /users", "GET /users/{id}", "DELETE /users/{id}", row.line)
		ops[1].Responses = []*openapi.Response{{Status: "200", Media: []openapi.Media{{Type: "application/json", Shape: &openapi.Shape{Schema: of("id", "name")}}}}}
		search := ops[3]
		search.Listing = &openapi.Listing{Item: row.item, Key: row.key}
		assert.Equal(t, row.want, resource.All(ops)[0].Searches(search), row.what)
	}
}
