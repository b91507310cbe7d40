package resource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// operations returns an operation for each line such as "GET /users".
func operations(lines ...string) []*openapi.Operation {
	var out []*openapi.Operation
	for _, line := range lines {
		method, path, _ := strings.Cut(line, " ")
		out = append(out, &openapi.Operation{Method: method, Path: path})
	}
	return out
}

// shown writes a resource in a line.
func shown(r *resource.Resource) string {
	out := r.Path + ":"
	for _, op := range append([]*openapi.Operation{r.Make, r.Read, r.Replace, r.Patch, r.Delete, r.List}, r.Parts...) {
		if op == nil {
			out += " -"
		} else {
			out += " " + op.Method + " " + op.Path
		}
	}
	return out
}

func TestTheOperationsAboutOneThingAreFoundByPathAndMethod(t *testing.T) {
	for want, ops := range map[string][]*openapi.Operation{
		"/users/{id}: POST /users GET /users/{id} PUT /users/{id} PATCH /users/{id} DELETE /users/{id} GET /users": operations(
			"GET /users", "POST /users", "GET /users/{id}", "PUT /users/{id}", "PATCH /users/{id}", "DELETE /users/{id}"),
		"/notes/{key}: PUT /notes/{key} - PUT /notes/{key} - - -": operations("PUT /notes/{key}"),
		"/users/{id}: POST /users/ GET /users/{id}/ - - - - POST /users/{id}/mails GET /users/{id}/mails/{n}": operations(
			"POST /users/", "GET /users/{id}/", "POST /users/{id}/mails", "GET /users/{id}/mails/{n}", "GET /usersandmore")[:4],
	} {
		list := resource.All(ops)
		if assert.NotEmpty(t, list, want) {
			assert.Equal(t, want, shown(list[0]))
		}
	}
}

func TestAPathOfWhichNothingIsMadeIsNoResource(t *testing.T) {
	assert.Empty(t, resource.All(operations("GET /", "GET /users/{id}", "DELETE /users/{id}", "POST /users/search", "POST /login")))
}

func TestWhatIsPutWithoutACollectionHasAChosenKey(t *testing.T) {
	assert.True(t, resource.All(operations("PUT /notes/{key}"))[0].Chosen())
	assert.False(t, resource.All(operations("PUT /notes/{key}", "POST /notes"))[0].Chosen())
}

func TestThingsBelowAnotherKindAndItsPartsAreToldApart(t *testing.T) {
	list := resource.All(operations("POST /users", "GET /users/{id}", "PUT /users/{id}/photo", "POST /users/{id}/mails", "GET /users/{id}/mails/{n}"))
	users, mails := list[0], list[1]
	assert.True(t, users.Holds(mails))
	assert.False(t, mails.Holds(users))
	assert.False(t, users.Holds(users))
	assert.Equal(t, "/users/{id}/photo", users.PartAt("/users/{id}/photo", "PUT").Path)
	assert.Nil(t, users.PartAt("/users/{id}/photo", "GET"))
	assert.Nil(t, users.PartAt("/users/{id}/mails/{n}", "GET"), "it names a further thing")
}
