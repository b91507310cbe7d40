package crud

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachVariantShowsInOneRequest(t *testing.T) {
	project := func(pairs ...string) request {
		return send("POST", "/projects", jsonMedia, projectWith(pairs...))
	}
	all := map[string]request{
		"not-found-first": get("/projects/2/tasks?limit=0"), "unprocessable": project("budget", "-1"),
		"unknown-members-refused": send("POST", "/users", jsonMedia, userWith("x", "1")), "unknown-query-refused": get("/users?x=1"),
		"leading-zeros": get("/users?limit=05"), "other-base": get("/users?limit=0x5"), "booleans-any-case": get("/projects?archived=TRUE"), "fractions-refused": project("team", "1.0"),
		"repeated-first": get("/users?limit=1&limit=2"), "repeated-last": get("/users?limit=1&limit=2"),
		"duplicate-names": send("PATCH", "/projects/1", mergeMedia, `{"budget":1,"budget":2}`), "read-only-refused": project("id", "7"),
		"email-unique": send("POST", "/users", jsonMedia, userWith("email", `"ann@example.com"`)),
		"random-ids":   project(), "sequential-uuids": send("POST", "/users", jsonMedia, userWith()), "odd-times": get("/projects/1"),
		"upper-case-uuids": get("/users/" + userID), "weak-etag": get("/files/f1.txt"),
		"absolute-location": send("POST", "/projects/1/tasks", jsonMedia, bugWith()), "relative-location": send("POST", "/projects/1/tasks", jsonMedia, bugWith()),
		"public-location": send("POST", "/projects/1/tasks", jsonMedia, bugWith()), "gateway-location": send("POST", "/projects/1/tasks", jsonMedia, bugWith()),
		"trailing-newline": get("/projects/1"), "indented": get("/projects/1"), "charset-parameter": get("/projects/1"), "extra-headers": get("/projects/1"),
		"extra-members": get("/users/" + userID), "short-problems": get("/projects/2"),
		"gzip": get("/projects/1", "Accept-Encoding: gzip"),
	}
	// The others show in another way.
	elsewhere := map[string]string{
		"lower-case-names": "the bytes", "chunked": "the bytes", "length-on-204": "the bytes", "closing": "the bytes", "one-connection": "two connections",
		"slow": "the time", "email-lower-case": "a second request",
	}
	list := Variants()
	for _, v := range slices.Concat(inStories(), limits()) {
		elsewhere[v.Name] = "a story"
	}
	for _, v := range list {
		assert.NotEmpty(t, v.Doc)
		q, given := all[v.Name]
		if _, other := elsewhere[v.Name]; other {
			assert.False(t, given)
			continue
		}
		require.True(t, given, v.Name)
		usual, unusual := serve(t).send(t, q), serve(t, WithVariant(v)).send(t, q)
		require.NoError(t, unusual.err, v.Name)
		if v.Name == "sequential-uuids" {
			assert.Contains(t, string(unusual.body), `"00000000-0000-4000-8000-0000000000`)
			continue
		}
		assert.NotEqual(t, usual.seen(), unusual.seen(), v.Name)
		assert.Less(t, unusual.status, 500)
	}
	assert.GreaterOrEqual(t, len(list), 16)
	assert.Len(t, list, len(all)+len(elsewhere))
}

func TestSlowAnswersTakeTheirTime(t *testing.T) {
	v, _ := FindVariant("slow")
	s := serve(t, WithVariant(v))
	began := time.Now()
	require.Equal(t, 200, s.send(t, get("/users")).status)
	assert.GreaterOrEqual(t, time.Since(began), 5*time.Millisecond)
}

func TestAddressesAreStoredInLowerCase(t *testing.T) {
	v, _ := FindVariant("email-lower-case")
	s := serve(t, WithVariant(v))
	require.Equal(t, 201, s.send(t, send("POST", "/users", jsonMedia, userWith())).status)
	assert.Contains(t, string(s.send(t, get("/users")).body), `"bob@example.com"`)
}
