package requirement_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
)

func desk(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/crud/openapi.yaml")
	require.NoError(t, err)
	return string(text)
}

func TestAValuesFileNamesConstantsOriginsAndWhatCannotBeReached(t *testing.T) {
	c, set := load(t, desk(t))
	given, err := requirement.ReadValues(c, "v.yaml", []byte(`
listUsers:
  query: {limit: '5'}
  header:
    x-labels: [red]
GET /users/{userId}:
  path:
    userId: {from: 'createUser#/id'}
post-users:
  body:
    name: Ada
    /email: ada@example.com
completeTask: {unreachable: "it takes\n  a day"}
getReport:
`))
	require.NoError(t, err)
	given.Name(set)
	assert.Equal(t, "5", c.Find("listUsers").Params.Domains["/query/limit"].Value.String(), "a number may be in quotes")
	assert.Equal(t, `["red"]`, c.Find("listUsers").Params.Domains["/header/X-Labels"].Value.String(), "fields have any case")
	assert.Equal(t, `"Ada"`, c.Find("createUser").Body.Shape.Domains["/name"].Value.String())
	assert.Equal(t, `"ada@example.com"`, c.Find("createUser").Body.Shape.Domains["/email"].Value.String())
	assert.Equal(t, []openapi.Origin{{Place: "path/userId", From: c.Find("createUser"), What: "/id"}}, c.Find("getUser").Origins)
	assert.Equal(t, "it takes a day", given.Unreachable[c.Find("completeTask")])
}

func TestAMistakeInAValuesFileIsOneLineWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[a]":                                                `v.yaml:1:1: the file is a list: write a mapping with the names of operations`,
		"getUsers: {path: {userId: x}}":                      `v.yaml:1:1: no operation "getUsers": did you mean getUser`,
		"getUser: 7":                                         `v.yaml:1:10: the values of getUser are a number`,
		"getUser: {pathh: {userId: x}}":                      `v.yaml:1:11: unknown key "pathh" in getUser: did you mean path?`,
		"getUser: {path: 7}":                                 `v.yaml:1:17: path is a number: write a mapping of names and values`,
		"getUser: {path: {userid: x}}":                       `v.yaml:1:18: "path/userid" is not a place in the request of getUser: did you mean path/userId?`,
		"getUser: {query: {limit: 1}}":                       `"query/limit" is not a place in the request of getUser`,
		"listUsers: {query: {limit: many}}":                  `v.yaml:1:28: the value violates the schema of "query/limit" in the document`,
		"getUser: {path: {userId: {from: 'addUser#/id'}}}":   `no operation "addUser": use one of`,
		"getUser: {path: {userId: {from: 'createUser#'}}}":   `nothing behind the #: write a pointer`,
		"getUser: {unreachable: ''}":                         `unreachable is empty`,
		"getUser:\n  path: {}\nget-users-userid: {path: {}}": `operation "get-users-userid" is here twice`,
		"createUser: {body: {name: Ada, /name: Eve}}":        `v.yaml:1:32: "/name" is given twice: keep one`,
	} {
		c, _ := load(t, desk(t))
		_, err := requirement.ReadValues(c, "v.yaml", []byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func TestParametersAreNamedByFlagsToo(t *testing.T) {
	c, set := load(t, desk(t))
	require.NoError(t, requirement.NameValues(set, c, []string{"getUser:path/userId=5f0b0f5e-0000-4000-8000-000000000001", "query/offset=5"}))
	assert.Equal(t, "5", c.Find("listUsers").Params.Domains["/query/offset"].Value.String())
	assert.Equal(t, "5", c.Find("listProjects").Params.Domains["/query/offset"].Value.String(), "without an operation it is for all")
	assert.NotNil(t, c.Find("getUser").Params.Domains["/path/userId"].Value)
	for value, want := range map[string]string{
		"getUser:path/id=5":    `"path/id" is not a place in the request: use one of path/userId`,
		"getUser:path/userId=": "it violates the schema in the document at path/userId",
		"queri/limit=5":        "use PLACE=VALUE",
	} {
		assert.ErrorContains(t, requirement.NameValues(set, c, []string{value}), want, value)
	}
}
