package resource_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

func TestOperationsAreOfOneFamilyIfOneMayBeAboutWhatTheOtherMakes(t *testing.T) {
	for name, row := range map[string]struct {
		paths []string
		want  [][]string
	}{
		"a collection and its things": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{id}", operation("get", "User", "", "id")),
				path("/users/import", operation("post", "Users", "file", ""))},
			[][]string{{"getUser", "postUser", "postUsers"}},
		},
		"two collections": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{id}", operation("get", "User", "", "id")),
				path("/pots", operation("post", "Pot", "size", "id")), path("/pots/{id}", operation("delete", "Pot", "", ""))},
			[][]string{{"getUser", "postUser"}, {"deletePot", "postPot"}},
		},
		"a thing that another one needs": {
			[]string{path("/users", operation("post", "User", "name", "id name")), path("/users/{userId}", operation("get", "User", "", "id")),
				path("/pots", operation("post", "Pot", "userId size", "id")), path("/teas", operation("get", "Teas", "", ""))},
			[][]string{{"getUser", "postPot", "postUser"}, {"getTeas"}},
		},
		"everything below one name": {
			[]string{path("/{shop}", operation("get", "Shop", "", "")), path("/pots", operation("get", "Pots", "", "")), path("/", operation("get", "Root", "", ""))},
			[][]string{{"getPots", "getRoot", "getShop"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, m := of(t, row.paths...)
			members := map[int][]string{}
			for op, n := range m.Families() {
				members[n] = append(members[n], op.ID)
			}
			var got [][]string
			for _, op := range c.Operations {
				if list := members[m.Families()[op]]; list != nil {
					slices.Sort(list)
					got = append(got, list)
					delete(members, m.Families()[op])
				}
			}
			require.Len(t, m.Families(), len(c.Operations))
			assert.ElementsMatch(t, row.want, got)
		})
	}
}

// load analyses a document after a change. Who is named cannot be reached.
func load(t *testing.T, change func(c *openapi.Contract), unreachable ...string) (*openapi.Contract, *resource.Map) {
	t.Helper()
	text, err := os.ReadFile("../../../reference/services/crud/openapi.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("openapi.yaml", text)
	require.NoError(t, err)
	change(c)
	var list []*openapi.Operation
	for _, name := range unreachable {
		list = append(list, c.Find(name))
	}
	m, c := resource.Analyse(c, list...)
	return c, m
}

// named says that another operation gives a value.
func named(op string, o openapi.Origin, from string) func(c *openapi.Contract) {
	return func(c *openapi.Contract) {
		o.From = c.Find(from)
		c.Find(op).Origins = []openapi.Origin{o}
	}
}

func TestANamedWayIsTheOnlyOneAndReadsAsItIsWritten(t *testing.T) {
	for what, want := range map[string]resource.Dependency{
		"/id":              {Pointer: "/id"},
		"Location":         {Header: "Location", Template: "/users/{userId}"},
		"X-User":           {Header: "X-User"},
		"request/name":     {Request: "/name"},
		"request.query/id": {Request: "query/id"},
	} {
		c, m := load(t, named("getUser", openapi.Origin{Place: "path/userId", What: what}, "createUser"))
		op := c.Find("getUser")
		want.Kind, want.From = resource.Named, c.Find("createUser")
		require.Len(t, m.Of(op), 1)
		assert.Equal(t, []resource.Dependency{want}, m.Of(op)[0].Dependencies)
		assert.Equal(t, "createUser#"+what, m.Of(op)[0].Dependencies[0].String())
	}
}

func TestAPlaceThatTheDocumentDoesNotTieIsTied(t *testing.T) {
	c, m := load(t, func(*openapi.Contract) {})
	require.Empty(t, m.Of(c.Find("listProjects")))
	c, m = load(t, named("listProjects", openapi.Origin{Place: "query/status", What: "/status", Optional: true}, "createProject"))
	op := c.Find("listProjects")
	require.Len(t, m.Of(op), 1)
	assert.True(t, m.Of(op)[0].Optional)
	assert.Equal(t, []string{"query/status"}, op.Bind)
}

func TestWhatCannotBeReachedIsNoWay(t *testing.T) {
	c, m := load(t, func(*openapi.Contract) {}, "createUser")
	for _, w := range m.Of(c.Find("getUser"))[0].Dependencies {
		assert.NotEqual(t, c.Find("createUser"), w.From)
	}
}

func TestAParameterWithTheNameOfAnObjectIsWhatNamesThatObject(t *testing.T) {
	c, m := of(t,
		path("/user/repos", operation("post", "Repo", "name", "{type: object, properties: {id: {type: integer}, name: {type: string}, owner: {type: object, properties: {login: {type: string}}}}}")),
		path("/repos/{owner}/{repo}", operation("get", "Repo", "", "name")))
	got := dependencies(c, m, "getRepo")
	assert.Equal(t, "postRepo#/owner/login, postRepo#/id, postRepo#/name, postRepo#Location, any value", got["path/owner"])
	assert.Contains(t, got["path/repo"], "postRepo#/name")
}

func TestAnAnswerMayHaveAKeyThatItsSchemaDoesNotName(t *testing.T) {
	c, m := of(t,
		path("/books", operation("post", "Book", "", "{type: object, properties: {data: {type: object}}}")),
		path("/books/{id}", operation("get", "Book", "", "{type: object}")),
		path("/books/{b_id}/pages", operation("post", "Page", "", "{type: object}")))
	assert.Equal(t, "postBook#Location, postBook#/data/id, any value", dependencies(c, m, "getBook")["path/id"])
	assert.Equal(t, "postBook#Location, postBook#/data/b_id, postBook#/data/id, any value", dependencies(c, m, "postPage")["path/b_id"])
}

func TestAKeyIsThatOfAThingWhosePluralLeavesItsSingularOpen(t *testing.T) {
	for plural, member := range map[string]string{"movies": "movieId", "categories": "categoryId", "caches": "cacheId", "statuses": "statusId", "boxes": "boxId"} {
		c, m := of(t,
			path("/"+plural, operation("post", "Thing", "", "{type: object, properties: {id: {type: string}}}")),
			path("/quotes", operation("post", "Quote", "{type: object, required: ["+member+"], properties: {"+member+": {type: integer}}}", "")))
		assert.Contains(t, dependencies(c, m, "postQuote")["/"+member], "postThing#/id", plural)
	}
}

func TestAKeyIsLookedForWhereAnAnswerSaysThatItHasMembersWhichItDoesNotName(t *testing.T) {
	for more, want := range map[string]string{
		"":                              "postBox#Location, any value",
		", additionalProperties: false": "postBox#Location, any value",
		", additionalProperties: {}":    "postBox#Location, postBox#/data/key, postBox#/data/id, any value",
	} {
		c, m := of(t,
			path("/boxes", operation("post", "Box", "title", "{type: object, properties: {data: {type: object, properties: {title: {type: string}}"+more+"}}}")),
			path("/boxes/{key}", operation("get", "Box", "", "title")))
		assert.Equal(t, want, dependencies(c, m, "getBox")["path/key"], more)
	}
}

// In RPC no path has the key of a thing: only the answer that made it and the request have it.
func TestARequestOfRPCNamesWhatAnAnswerMade(t *testing.T) {
	missing := func(operation string) string {
		return strings.Replace(operation, "{'200'", "{'404': {description: d}, '200'", 1)
	}
	deep := "{type: object, properties: {ok: {type: boolean}, user: {type: object, properties: {id: {type: string}}}}}"
	for _, row := range []struct{ answer, member, want string }{
		{deep, "user_id", "makeUser#/user/id"},
		{deep, "id", "makeUser#/user/id"},
		{"id", "id", "makeUser#/id"},
		{"user_id", "user_id", "makeUser#/user_id"},
	} {
		body := fmt.Sprintf("{type: object, required: [%s], properties: {%[1]s: {type: string}}}", row.member)
		rename := func(operation, to string) string {
			return strings.Replace(operation, "operationId: post", "operationId: "+to, 1)
		}
		c, m := of(t, path("/users.create", rename(operation("post", "User", "name", row.answer), "make")),
			path("/users.get", rename(missing(operation("post", "User", body, row.answer)), "get")),
			path("/users.drop", rename(missing(operation("post", "User", body, "")), "drop")))
		for _, op := range []string{"getUser", "dropUser"} {
			assert.Equal(t, map[string]string{"/" + row.member: row.want + ", any value"}, dependencies(c, m, op), "%s %v", op, row)
		}
		assert.Empty(t, dependencies(c, m, "makeUser"), row)
	}
}

// A method behind a colon is about the thing that the rest of the path names (Google AIP-136).
func TestAMethodOfAThingIsAboutWhatAPutMade(t *testing.T) {
	c, m := of(t, path("/notes/{key}", strings.Replace(operation("put", "Note", "{type: object}", ""), "'200'", "'201'", 1)), path("/notes/{key}:close", operation("post", "Close", "", "")))
	assert.Equal(t, map[string]string{"path/key": "putNote#request.path/key, any value"}, dependencies(c, m, "postClose"))
}
