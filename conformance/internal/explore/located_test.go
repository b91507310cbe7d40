package explore_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// located returns where a thing is by the Location of the answer that made it, below
// http://shop.example:8080/api/v1. Its key is 7.
func located(t *testing.T, status int, fields ...string) string {
	t.Helper()
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}", "integer", operation("get", "getUser", "", "200", identified)))
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err)
	at, err := exchange.ParseTarget("http://shop.example:8080/api/v1")
	require.NoError(t, err)
	to := explore.New(explore.Options{Endpoint: &message.Endpoint{Target: at}})
	valid := func(op *openapi.Operation) *message.Message {
		return generate.New(op, 1, generate.Identity{}, 0).Request(op, false)
	}
	add, get := valid(c.Operations[0]), valid(c.Operations[1])
	get.Set("path/userId", jsontree.NewNumber("7"))
	made := &exchange.Exchange{Response: &exchange.Response{Status: status}}
	for _, f := range fields {
		made.Response.Fields = append(made.Response.Fields, exchange.Field{Name: "location", Value: f})
	}
	return to.Located(explore.MadeBy(add, made), get)
}

func TestAThingIsReadAtItsLocationOnlyIfThatIsAnotherAddressOfTheServer(t *testing.T) {
	for location, want := range map[string]string{
		"/users/7":                          "/users/7",
		"7":                                 "/api/v1/7",
		"/api/v1/users/8":                   "/api/v1/users/8",
		"/api/v1/users/8?full=1#top":        "/api/v1/users/8?full=1",
		"http://SHOP.example:8080/people/7": "/people/7",
		"/api/v1/users/users/7":             "/api/v1/users/users/7",
		"/api/v1/users/7":                   "",
		"users/7":                           "",
		"/api/v1/users/%37/":                "",
		"http://shop.example:8080/api/v1/users/7": "",
		"/gateway/api/v1/users/7":                 "",
		"/api/v1/jobs/12":                         "",
		"https://shop.example:8080/users/7":       "",
		"http://localhost:8080/users/7":           "",
		"//shop.example/users/7":                  "",
		"http://%zz/":                             "",
		"":                                        "",
		"/":                                       "",
	} {
		assert.Equal(t, want, located(t, 201, location), location)
	}
}

func TestOnlyOneLocationOfA201IsThatOfTheThing(t *testing.T) {
	assert.Empty(t, located(t, 201))
	assert.Empty(t, located(t, 201, "/users/7", "/users/7"))
	assert.Empty(t, located(t, 202, "/jobs/12"), "the place of a 202 is that of a job")
}
