package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// of reads a document of paths, each with its operations.
func of(t *testing.T, paths ...string) (*openapi.Contract, *resource.Map) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"+strings.Join(paths, "")))
	require.NoError(t, err)
	m, c := resource.Analyse(c)
	return c, m
}

// path writes a path and its parameters, all of them texts.
func path(template string, operations ...string) string {
	out := "  " + template + ":\n"
	if strings.Contains(template, "{") {
		out += "    parameters:\n"
	}
	for _, name := range openapi.Expressions(template) {
		out += "      - {name: " + name + ", in: path, required: true, schema: {type: string}}\n"
	}
	return out + strings.Join(operations, "")
}

// operation writes one that is named after its method and a word. The members of its
// body and of its answer are texts if nothing else is said.
func operation(method, word, body, answer string) string {
	out := fmt.Sprintf("    %s:\n      operationId: %s%s\n", method, method, word)
	if body != "" {
		out += "      requestBody: {required: true, content: {application/json: {schema: " + objectWith(body) + "}}}\n"
	}
	content := ""
	if answer != "" {
		content = ", content: {application/json: {schema: " + objectWith(answer) + "}}"
	}
	return out + "      responses: {'200': {description: d" + content + "}}\n"
}

// objectWith is the schema of an object with these members, or what is written.
func objectWith(members string) string {
	if strings.HasPrefix(members, "{") {
		return members
	}
	var list []string
	for _, m := range strings.Fields(members) {
		list = append(list, m+": {type: string}")
	}
	return "{type: object, properties: {" + strings.Join(list, ", ") + "}}"
}

// dependencies writes the ways to the values of an operation.
func dependencies(c *openapi.Contract, m *resource.Map, operation string) map[string]string {
	out := map[string]string{}
	for _, n := range m.Of(c.Find(operation)) {
		var list []string
		for _, w := range n.Dependencies {
			list = append(list, w.String())
		}
		out[n.Path] = strings.Join(list, ", ")
	}
	return out
}

func TestAValueComesFromTheCollectionOfItsPathFirst(t *testing.T) {
	c, m := of(t,
		path("/archive/users", operation("post", "Old", "name", "uuid"), operation("get", "Old", "", "uuid")),
		path("/users", operation("post", "User", "name", "id name"), operation("get", "Users", "", "{type: array, items: {type: object, properties: {id: {type: string}}}}")),
		path("/admins", operation("post", "Admin", "name", "{type: object, properties: {userId: {type: string}}}")),
		path("/users/{userId}", operation("get", "User", "", "id")))
	assert.Equal(t, map[string]string{"path/userId": "postUser#/id, postUser#/name, postUser#Location, getUsers#/-/id, postOld#/uuid, postOld#Location, any value"}, dependencies(c, m, "getUser"))
}

// Another request may change an item of a list, too.
func TestWhatARequestChangesIsMadeElsewhereRatherThanTakenFromAList(t *testing.T) {
	c, m := of(t,
		path("/applications", operation("get", "Applications", "", "{type: array, items: {type: object, properties: {id: {type: string}}}}")),
		path("/postings/{posting}/applications", operation("post", "Application", "name", "id")),
		path("/applications/{application}", operation("get", "Application", "", "id")),
		path("/applications/{application}/advance", operation("post", "Advance", "stage", "id")))
	made, listed := "postApplication#/id, postApplication#Location", "getApplications#/-/id"
	assert.Equal(t, made+", "+listed+", any value", dependencies(c, m, "postAdvance")["path/application"])
	assert.Equal(t, listed+", "+made+", any value", dependencies(c, m, "getApplication")["path/application"])
}

// The tag of the answer that made a resource is old as soon as the resource has changed.
func TestATagIsReadFromTheThingRatherThanFromWhatALinkSays(t *testing.T) {
	put := strings.Replace(operation("put", "Note", "text", "id"), "operationId: putNote\n", "operationId: putNote\n      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]\n", 1)
	post := strings.Replace(operation("post", "Note", "text", "id"), "{'200': {description: d,", "{'200': {description: d, links: {change: {operationId: putNote, parameters: {header.If-Match: '$response.header.ETag'}}},", 1)
	require.Contains(t, post, "links")
	c, m := of(t, path("/notes", post), path("/notes/{id}", operation("get", "Note", "", "id"), put))
	assert.Equal(t, `getNote#ETag, postNote#ETag, example "*", any value`, dependencies(c, m, "putNote")["header/If-Match"])
}

// The names are those of Google AIP-122: shelves/s1.
func TestTheLastSegmentOfAResourceNameIsAWay(t *testing.T) {
	for one, want := range map[string]bool{"{type: string, readOnly: true}": true, "{type: string, pattern: '^shelves/[a-z]+$'}": true, "{type: string}": false} {
		c, m := of(t,
			path("/shelves", operation("post", "Shelf", "theme", "{type: object, properties: {name: "+one+"}}")),
			path("/shelves/{shelf}", operation("get", "Shelf", "", "theme")))
		assert.Equal(t, want, strings.Contains(dependencies(c, m, "getShelf")["path/shelf"], "postShelf#/name (last segment)"), "%s: %v", one, dependencies(c, m, "getShelf"))
	}
}

func TestWhatTheClientChoseItselfIsAWayToo(t *testing.T) {
	c, m := of(t,
		path("/notes/{key}", operation("put", "Note", "text", "key"), operation("get", "Note", "", "key")),
		path("/tags", operation("post", "Tag", "slug", "")),
		path("/tags/{slug}", operation("get", "Tag", "", "slug")))
	assert.Equal(t, map[string]string{"path/key": "putNote#request.path/key, any value"}, dependencies(c, m, "getNote"))
	assert.Equal(t, map[string]string{"path/key": "any value"}, dependencies(c, m, "putNote"))
	assert.Equal(t, map[string]string{"path/slug": "postTag#request/slug, postTag#Location, any value"}, dependencies(c, m, "getTag"))
}

func TestAPutThatCreatesChoosesItsKeyAndIsPreferredToLists(t *testing.T) {
	creating := strings.Replace(operation("put", "Note", "text", "key"), "'200'", "'201'", 1)
	c, m := of(t,
		path("/notes", operation("get", "Notes", "", "{type: array, items: {type: object, properties: {key: {type: string}}}}")),
		path("/notes/{key}", creating, operation("get", "Note", "", "key")))
	assert.Equal(t, map[string]string{"path/key": "any value, getNotes#/-/key"}, dependencies(c, m, "putNote"))
	assert.Equal(t, map[string]string{"path/key": "putNote#request.path/key, getNotes#/-/key, any value"}, dependencies(c, m, "getNote"))
}

func TestAKeyIsThatOfAnotherResourceWhosePathCallsItByTheSameName(t *testing.T) {
	report := strings.Replace(operation("post", "Report", "{type: object, required: [code], properties: {code: {type: string}}}", ""), "{'200'", "{'404': {description: d}, '200'", 1)
	c, m := of(t,
		path("/links", operation("post", "Link", "target", "code")),
		path("/links/{code}", operation("get", "Link", "", "code")),
		path("/r/{code}", operation("get", "Follow", "", "")),
		path("/reports", report),
		path("/coupons", operation("post", "Coupon", "{type: object, required: [code], properties: {code: {type: string}}}", "code")))
	known := "postLink#/code, postLink#Location, any value"
	assert.Equal(t, map[string]string{"path/code": known}, dependencies(c, m, "getFollow"))
	assert.Equal(t, map[string]string{"/code": known}, dependencies(c, m, "postReport"))
	assert.Empty(t, m.Of(c.Find("postCoupon")), "the key of a coupon is its own")
}

// A line of an order names a product, which is looked up like the key of a path.
func TestAKeyInsideOfRequiredObjectsAndListsIsOneToo(t *testing.T) {
	line := "{type: object, required: [productId, sku], properties: {productId: {type: string}, sku: {type: string}, note: {type: string}}}"
	order := "{type: object, required: [lines, buyer], properties: {lines: {type: array, items: " + line + "}, buyer: {type: object, required: [userId], properties: {userId: {type: string}}}, gifts: {type: array, items: " + line + "}}}"
	making := strings.Replace(operation("post", "Order", order, ""), "{'200'", "{'404': {description: d}, '200'", 1)
	c, m := of(t,
		path("/users", operation("post", "User", "name", "id")),
		path("/products", operation("post", "Product", "sku", "id")),
		path("/products/{sku}", operation("get", "Product", "", "id")),
		path("/orders", making))
	assert.Equal(t, map[string]string{
		"/buyer/userId":      "postUser#/id, any value",
		"/lines/*/productId": "postProduct#/id, any value",
		"/lines/*/sku":       "postProduct#request/sku, postProduct#/id, postProduct#Location, any value",
	}, dependencies(c, m, "postOrder"))
}

// A conflict may mean that a name is taken, or that what it names is not there.
func TestAKeyThatIsLookedUpMayBeNewWhereOnlyAConflictIsListed(t *testing.T) {
	loan := func(status string) string {
		return strings.Replace(operation("post", "Loan", "{type: object, required: [isbn], properties: {isbn: {type: string}}}", ""), "{'200'", "{'"+status+"': {description: d}, '200'", 1)
	}
	for status, want := range map[string]string{
		"404": "postBook#/isbn, postBook#request/isbn, postBook#Location, any value",
		"409": "any value, postBook#/isbn, postBook#request/isbn, postBook#Location",
		"400": "",
	} {
		c, m := of(t, path("/books", operation("post", "Book", "isbn", "isbn")), path("/books/{isbn}", operation("get", "Book", "", "isbn")), path("/loans", loan(status)))
		assert.Equal(t, want, dependencies(c, m, "postLoan")["/isbn"], status)
	}
}

// The catalogue is a list alone, and no path has the key of a product.
func TestAMemberWhoseValuesOnlyAListShowsIsLookedUpThere(t *testing.T) {
	item := func(code string) string {
		return "{type: array, items: {type: object, required: [code], properties: {code: {type: string, pattern: '" + code + "'}}}}"
	}
	orders := func(name, status string) string {
		line := "{type: object, required: [" + name + "], properties: {" + name + ": {type: string, pattern: '^[A-Z]+$'}}}"
		body := "{type: object, required: [items], properties: {items: {type: array, items: " + line + "}}}"
		return path("/orders", strings.Replace(operation("post", "Order", body, ""), "{'200'", "{'"+status+"': {description: d}, '200'", 1))
	}
	for _, test := range []struct{ name, pattern, status, want string }{
		{"sku", "^[A-Z]+$", "422", `any value, getProducts#/-/sku`},
		{"sku", "^[A-Z]+$", "400", ""},
		{"sku", "^[a-z]+$", "422", ""},
		{"code", "^[A-Z]+$", "422", ""},
	} {
		products := path("/products", operation("get", "Products", "", strings.ReplaceAll(item(test.pattern), "code", test.name)))
		c, m := of(t, products, orders(test.name, test.status))
		assert.Equal(t, test.want, dependencies(c, m, "postOrder")["/items/*/"+test.name], test)
	}
}

// A card is named by its number, which the answer shows, and by the pin that was chosen for it.
func TestWhatIsNamedByASecretIsKnownToWhoMadeIt(t *testing.T) {
	card := "{type: object, required: [pin, colour], properties: {pin: {type: string}, colour: {type: string}}}"
	asking := "{type: object, required: [number, pin], properties: {number: {type: string}, pin: {type: string}}}"
	for _, test := range []struct{ body, answer, number, pin string }{
		{card, "number", "postCard#/number, any value", "postCard#request/pin, any value"},
		{card, "id", "", ""},
		{"colour", "number pin", "", ""},
	} {
		c, m := of(t, path("/cards", operation("post", "Card", test.body, test.answer)), path("/balance", operation("post", "Balance", asking, "")))
		got := dependencies(c, m, "postBalance")
		assert.Equal(t, test.number, got["/number"], test)
		assert.Equal(t, test.pin, got["/pin"], test)
	}
}

func TestAMemberWithTheNameOfAResourceIsItsKey(t *testing.T) {
	for status, want := range map[string]string{
		"404": "postCustomer#/id, any value",
		"422": "any value, postCustomer#/id",
		"400": "",
	} {
		orders := path("/orders", strings.Replace(operation("post", "Order", "{type: object, required: [customer], properties: {customer: {type: string}}}", ""), "{'200'", "{'"+status+"': {description: d}, '200'", 1))
		c, m := of(t, path("/customers", operation("post", "Customer", "", "id")), path("/customers/{customerId}", operation("get", "Customer", "", "id")), orders)
		assert.Equal(t, want, dependencies(c, m, "postOrder")["/customer"], status)
	}
}

func TestTheItemsOfAListAreNamedLikeTheThingsThatItHolds(t *testing.T) {
	names := "{type: array, items: {type: object, properties: {name: {type: string}}}}"
	making := func(status string) string {
		return strings.Replace(operation("post", "Member", "{type: object, required: [roles, teamIds, notes], properties: {roles: {type: array, items: {type: string}}, teamIds: {type: array, items: {type: string}}, notes: {type: array, items: {type: string}}}}", ""), "{'200'", "{'"+status+"': {description: d}, '200'", 1)
	}
	for status, want := range map[string]map[string]string{
		"422": {"/roles/*": "putRole#request.path/name, getRoles#/-/name, any value", "/teamIds/*": "postTeam#/id, any value"},
		"400": {"/teamIds/*": "postTeam#/id, any value"},
	} {
		creating := strings.Replace(operation("put", "Role", "title", "name"), "'200'", "'201'", 1)
		c, m := of(t, path("/roles", operation("get", "Roles", "", names)), path("/roles/{name}", operation("get", "Role", "", "name"), creating),
			path("/teams", operation("post", "Team", "title", "id")), path("/members", making(status)))
		assert.Equal(t, want, dependencies(c, m, "postMember"), status)
	}
}

func TestAKeyThatStandsBeforeOthersInPathsIsLookedUp(t *testing.T) {
	asking := strings.Replace(operation("post", "Ask", "{type: object, required: [project, flag, name], properties: {project: {type: string}, flag: {type: string}, name: {type: string}}, example: {project: web, flag: dark, name: n}}", ""), "{'200'", "{'404': {description: d}, '200'", 1)
	c, m := of(t, path("/projects/{project}/flags/{flag}", operation("get", "Flag", "", "flag")), path("/ask", asking))
	assert.Equal(t, map[string]string{"/project": `example "web", any value`, "/flag": `example "dark", any value`}, dependencies(c, m, "postAsk"))
}

func TestTheExampleOfAWholeBodyGivesValuesOfItsMembers(t *testing.T) {
	body := `{type: object, required: [memberId, lines], properties: {memberId: {type: string}, lines: {type: array, items: {type: object, required: [roomId], properties: {roomId: {type: string}}}}}, example: {memberId: m1, lines: [{roomId: r7}]}}`
	c, m := of(t, path("/stays", operation("post", "Stay", body, "")))
	assert.Equal(t, map[string]string{"/memberId": `example "m1", any value`, "/lines/*/roomId": `example "r7", any value`}, dependencies(c, m, "postStay"))
}

func TestAMemberThatNamesAnotherThingGetsItsKey(t *testing.T) {
	c, m := of(t,
		path("/authors", operation("post", "Author", "name", "{type: object, properties: {data: {type: object, properties: {id: {type: string}}}}}")),
		path("/books", operation("post", "Book", "title authorId state", "id")))
	assert.Equal(t, map[string]string{"/authorId": "postAuthor#/data/id, any value"}, dependencies(c, m, "postBook"))
	assert.True(t, m.Of(c.Find("postBook"))[0].Optional)
	assert.Equal(t, []string{"/authorId"}, c.Find("postBook").Bind)
}

func TestAMemberWhoseThingIsUnknownGetsAKeyOfItsTypeThatNeedsNothing(t *testing.T) {
	c, m := of(t,
		path("/people", operation("post", "Person", "name", "{type: object, properties: {id: {type: integer}}}")),
		path("/teams", operation("post", "Team", "name", "id")),
		path("/teams/{teamId}/seats", operation("post", "Seat", "", "id")),
		path("/books", operation("post", "Book", "ownerId", "")))
	assert.Equal(t, map[string]string{"/ownerId": "postTeam#/id, any value"}, dependencies(c, m, "postBook"))
}

func TestWhatCannotNameAThingIsNotNeeded(t *testing.T) {
	body := `{type: object, properties: {userId: {type: string, enum: [a]}, roomId: {type: string, const: b}, dayId: {type: string, format: date},
          flagId: {type: boolean}, listId: {type: array}, madeId: {type: string, readOnly: true}, valid: {type: string}, id: {type: string}}}`
	c, m := of(t, path("/books", operation("post", "Book", body, "")))
	assert.Empty(t, m.Of(c.Find("postBook")))
	assert.Empty(t, c.Find("postBook").Bind)
}

func TestTheNeedsOfAPathComeInItsOrderBeforeThoseOfTheBody(t *testing.T) {
	c, m := of(t, "  /teams/{teamId}/users/{userId}:\n    put:\n      operationId: move\n      parameters:\n"+
		"      - {name: userId, in: path, required: true, schema: {type: string}}\n      - {name: teamId, in: path, required: true, schema: {type: string}}\n"+
		"      requestBody: {content: {application/json: {schema: {type: object, properties: {deskId: {type: string}}}}}}\n      responses: {'204': {description: d}}\n")
	var got []string
	for _, n := range m.Of(c.Find("move")) {
		got = append(got, n.Path)
	}
	assert.Equal(t, []string{"path/teamId", "path/userId", "/deskId"}, got)
}

func TestAMemberThatRepeatsThePathIsTheSame(t *testing.T) {
	c, _ := of(t, path("/users/{userId}", operation("put", "User", "id user_id name", "")),
		path("/users/{userId}/mails", operation("post", "Mail", "id userId", "")))
	assert.Equal(t, map[string]string{"/id": "path/userId", "/user_id": "path/userId"}, c.Find("putUser").Same)
	assert.Equal(t, map[string]string{"/userId": "path/userId"}, c.Find("postMail").Same, "the id of a mail is its own")
}

func TestAPreconditionIsTheTagOfTheThingOrAnyTag(t *testing.T) {
	c, m := of(t, path("/users/{userId}", operation("get", "User", "", "id"),
		"    delete:\n      operationId: drop\n      parameters: [{name: if-match, in: header, schema: {type: string}}]\n      responses: {'204': {description: d}}\n"))
	assert.Equal(t, `getUser#ETag, example "*", any value`, dependencies(c, m, "drop")["header/if-match"])
}

func TestALinkComesBeforeWhatIsGuessed(t *testing.T) {
	link := func(target, parameters string) string {
		return "    post:\n      operationId: make\n      responses:\n        '201':\n          description: d\n" +
			"          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}\n" +
			"          links: {it: {" + target + ", parameters: {" + parameters + "}}}\n"
	}
	read := path("/users/{userId}", operation("get", "User", "", "id"))
	for parameters, want := range map[string]string{
		"userId: '$response.body#/serial'":        "make#/serial, ",
		"path.userId: '$response.header.X-Id'":    "make#X-Id, ",
		"userId: '$request.body#/name'":           "make#request/name, ",
		"userId: '$request.query.q'":              "make#request.query/q, ",
		"userId: 'constant'":                      "",
		"other: '$response.body#/serial'":         "",
		"query.userId: '$response.body#/serial' ": "",
	} {
		for _, target := range []string{"operationId: getUser", "operationRef: '#/paths/~1users~1{userId}/get'"} {
			c, m := of(t, path("/users", link(target, parameters)), read)
			assert.Equal(t, want+"make#/id, make#Location, any value", dependencies(c, m, "getUser")["path/userId"], parameters+target)
		}
	}
	c, m := of(t, path("/users", link("operationId: other", "userId: '$response.body#/serial'")), read)
	assert.Equal(t, "make#/id, make#Location, any value", dependencies(c, m, "getUser")["path/userId"], "a link to nothing")
}

func TestTheWaysToOneValueAreFew(t *testing.T) {
	var paths []string
	for n := range 9 {
		paths = append(paths, path(fmt.Sprintf("/v%d/users", n), operation("post", fmt.Sprint("User", n), "", "id uuid key code")))
	}
	c, m := of(t, append(paths, path("/mails", operation("post", "Mail", "userId", "")))...)
	list := m.Of(c.Find("postMail"))[0].Dependencies
	assert.Len(t, list, 12+1)
	assert.Equal(t, resource.Any, list[len(list)-1].Kind)
}

// No request has a member that is readOnly.
func TestAKeyThatTheServerChoosesIsNotThatOfARequest(t *testing.T) {
	c, m := of(t, path("/notes", operation("post", "Note", "{type: object, properties: {id: {type: string, readOnly: true}}}", "")), path("/notes/{id}", operation("get", "Note", "", "")))
	assert.Equal(t, map[string]string{"path/id": "postNote#Location, any value"}, dependencies(c, m, "getNote"))
}

// A loan is of a member's card, which a PUT made, and not of the example that all others use up.
func TestAKeyThatAPutCreatesIsThatOfABodyWhichCallsItByTheSameName(t *testing.T) {
	creating := strings.Replace(operation("put", "Member", "name", "name"), "'200'", "'201'", 1)
	lend := strings.Replace(operation("post", "Loan", "{type: object, required: [card], properties: {card: {type: string, example: AB1}}}", "id"), "{'200'", "{'422': {description: d}, '200'", 1)
	c, m := of(t, path("/members/{card}", creating), path("/loans", lend))
	assert.Contains(t, dependencies(c, m, "postLoan")["/card"], "putMember#request.path/card, example")
}

// An optional customer is one that exists, and the account to which money goes is one.
func TestAMemberMayNameAThingWithoutTheWordKey(t *testing.T) {
	uuid := "{type: object, properties: {id: {type: string, format: uuid}}}"
	transfer := strings.Replace(operation("post", "Transfer", "{type: object, required: [to], properties: {to: {type: string, format: uuid}, customer: {type: string}}}", uuid), "{'200'", "{'422': {description: d}, '200'", 1)
	c, m := of(t, path("/accounts", operation("post", "Account", "name", uuid)),
		path("/customers", operation("post", "Customer", "name", "id")), path("/customers/{customer}", operation("get", "Customer", "", "id")),
		path("/transfers", transfer))
	got := dependencies(c, m, "postTransfer")
	assert.Equal(t, "any value, postAccount#/id", got["/to"])
	assert.Contains(t, got["/customer"], "postCustomer#/id")
	for _, n := range m.Of(c.Find("postTransfer")) {
		assert.Equal(t, n.Path == "/customer", n.Optional, n.Path)
	}
}

// The name of a job stands in the path and in the metadata of its body.
func TestAMemberOfTheMetadataRepeatsThePath(t *testing.T) {
	c, _ := of(t, path("/jobs/{name}", operation("put", "Job", "{type: object, properties: {metadata: {type: object, properties: {name: {type: string}}}, spec: {type: object, properties: {name: {type: string}}}}}", "")))
	assert.Equal(t, map[string]string{"/metadata/name": "path/name"}, c.Find("putJob").Same)
}

// A movement of goods says where they go by the code of a place, under another name.
func TestAMemberWithThePatternOfAKeyNamesSuchAThing(t *testing.T) {
	code := "^[A-Z]{2}[0-9]{4}$"
	places := path("/places", operation("post", "Place", "{type: object, properties: {code: {type: string, pattern: '"+code+"'}}}", "code")) +
		strings.ReplaceAll(path("/places/{code}", operation("get", "Place", "", "code")), "schema: {type: string}}", "schema: {type: string, pattern: '"+code+"'}}")
	for _, refusal := range []string{"400", "422"} {
		move := strings.Replace(operation("post", "Move", "{type: object, required: [to], properties: {to: {type: string, pattern: '"+code+"'}}}", ""), "{'200'", "{'"+refusal+"': {description: d}, '200'", 1)
		c, m := of(t, places, path("/moves", move))
		assert.Contains(t, dependencies(c, m, "postMove")["/to"], "postPlace#/code", refusal)
	}
	for pattern, want := range map[string]bool{code: true, "^[A-Z]{2}[0-9]{5}$": false} {
		move := strings.Replace(operation("post", "Move", "{type: object, required: [to], properties: {to: {type: string, pattern: '"+pattern+"'}}}", ""), "{'200'", "{'422': {description: d}, '200'", 1)
		c, m := of(t, places, path("/moves", move))
		assert.Equal(t, want, strings.HasPrefix(dependencies(c, m, "postMove")["/to"], "postPlace#/code"), "%s: %v", pattern, dependencies(c, m, "postMove"))
		assert.NotContains(t, dependencies(c, m, "postPlace"), "/code", "it makes the place itself")
	}
}
