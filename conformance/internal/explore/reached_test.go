package explore_test

import (
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
	"plantstore/reference/services"
)

func TestAnOperationIsReachedThroughTheOneThatMakesItsThing(t *testing.T) {
	w := learned(t, users, newService(`{"id":%d}`))
	assert.Equal(t, "getUser <- addUser#/id", w.dependency("getUser"))
	assert.Equal(t, "addUser <- nothing needed", w.dependency("addUser"))
	assert.False(t, w.Facts.Of(w.op("getUser")).Reached.Own)
}

func TestAWayThatLeadsToNoValueOrToARefusedOneIsGivenUp(t *testing.T) {
	two := strings.Replace(users, identified, `{type: object, properties: {userId: {type: integer}, id: {type: integer}}}`, 1)
	for _, answer := range []string{`{"id":%d}`, `{"userId":909090,"id":%d}`, `{"userId":null,"id":%d}`, `{"userId":"","id":%d}`} {
		w := learned(t, two, newService(answer))
		assert.Equal(t, "getUser <- addUser#/id", w.dependency("getUser"), answer)
	}
}

func TestAValueIsSpelledAsItsPlaceTakesIt(t *testing.T) {
	kinds := map[string]jsontree.Kind{"integer": jsontree.Number, "string": jsontree.String}
	for kind, answer := range map[string]string{"integer": `{"id":"%d"}`, "string": `{"id":%d}`} {
		text := document(path("/users", "", operation("post", "addUser", named, "201", anyID)),
			path("/users/{userId}", kind, operation("get", "getUser", "", "200", anyID)))
		w := learned(t, text, newService(answer))
		m, err := w.bound("getUser")
		require.NoError(t, err)
		assert.Equal(t, kinds[kind], m.At("path/userId").Kind, kind)
	}
}

func TestWhatIsChangedOrDeletedIsNeverTakenFromAList(t *testing.T) {
	text := document(path("/users", "", operation("get", "listUsers", "", "200", `{type: array, items: `+identified+`}`)),
		path("/users/{userId}", "integer", operation("get", "getUser", "", "200", identified), operation("delete", "dropUser", "", "204", ""),
			operation("put", "setUser", named, "200", identified)))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `[{"id":4711}]`) })
	mux.HandleFunc("/users/4711", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `{"id":4711}`) })
	w := learned(t, text, mux)
	assert.Equal(t, "getUser <- listUsers#/-/id", w.dependency("getUser"))
	assert.Contains(t, w.lines(), "GET /users/4711")
	assert.NotContains(t, w.lines(), "DELETE /users/4711")
	assert.NotContains(t, w.lines(), "PUT /users/4711")
	assert.NotEmpty(t, w.Facts.Of(w.op("dropUser")).Unreached)
}

func TestAnOperationThatIsNotReachedSaysWhyAndWhatHelps(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":1}`) })
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, _ *http.Request) { respond(w, 404, `{}`) })
	w := learned(t, users, mux)
	const help = "name a value that exists: --value 'get-users-userid:path/userId=VALUE'"
	assert.Equal(t, "getUser not reached: its baseline request is answered with 404: "+help, w.dependency("getUser"))
	assert.Contains(t, w.Reasons, "getUser is not reached: its baseline request is answered with 404: "+help)
	assert.Empty(t, openings(w), "a refusal may be right")
}

func TestAnOperationThatIsNotReachedKeepsNoWayToAnItemThatAListLacks(t *testing.T) {
	text := document(path("/shops", "", operation("get", "listShops", "", "200", `{type: array, items: `+identified+`}`)),
		path("/shops/{shopId}/label", "integer", operation("get", "getLabel", "", "200", "")))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shops", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `[{"id":7}]`) })
	w := learned(t, text, mux)
	assert.Nil(t, w.Facts.Of(w.op("getLabel")).Reached, "its cases would not be sent, for want of a second shop")
}

// openings are the operations whose exchange is kept to be judged, but for the one
// that makes users.
func openings(w world) []string {
	var out []string
	for _, o := range w.Openings {
		if o.Op.ID != "addUser" {
			out = append(out, o.Op.ID)
		}
	}
	return out
}

func TestAServerErrorBehindWhatIsNeededIsJudged(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":1}`) })
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, _ *http.Request) { respond(w, 500, `{}`) })
	w := learned(t, users, mux)
	assert.Equal(t, []string{"getUser"}, openings(w))
}

func TestWaysAreTriedTogetherUntilTheirNumberIsSpent(t *testing.T) {
	many := `{type: object, properties: {id: {type: integer}, uuid: {type: integer}, key: {type: integer}, code: {type: integer}, number: {type: integer}}}`
	text := document(path("/users", "", operation("post", "addUser", named, "201", many)),
		path("/teams", "", operation("post", "addTeam", named, "201", many)),
		path("/teams/{teamId}/users/{userId}", "integer", operation("get", "getUser", "", "200", identified)))
	const answer = `{"id":1,"uuid":2,"key":3,"code":4,"number":5}`
	mux := http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, answer) })
	mux.HandleFunc("POST /teams", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, answer) })
	mux.HandleFunc("GET /teams/2/users/3", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `{"id":1}`) })
	w := learned(t, text, mux)
	assert.Equal(t, "getUser <- addTeam#/uuid, addUser#/key", w.dependency("getUser"), "the last value changes first")

	mux = http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, answer) })
	mux.HandleFunc("POST /teams", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, answer) })
	w = learned(t, text, mux)
	asked := slices.DeleteFunc(w.lines(), func(l string) bool { return !strings.HasPrefix(l, "GET ") })
	assert.LessOrEqual(t, len(asked), 2*limits.ReachTries, "first, and after all others")
}

func TestWhatDeletesIsTriedAfterWhatReads(t *testing.T) {
	text := document(path("/users/{userId}", "integer", operation("delete", "dropUser", "", "204", ""), operation("get", "getUser", "", "200", identified)),
		path("/users", "", operation("post", "addUser", named, "201", identified)))
	s := newService(`{"id":%d}`)
	s.HandleFunc("DELETE /users/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	w := learned(t, text, s)
	first := func(method string) int {
		return slices.IndexFunc(w.lines(), func(l string) bool { return strings.HasPrefix(l, method) })
	}
	assert.Less(t, first("POST"), first("GET"))
	assert.Less(t, first("GET"), first("DELETE"))
	assert.True(t, w.Facts.Of(w.op("dropUser")).Reached.Own)
}

func TestAStateThatMustHoldFirstIsMadeForEachRequest(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/shipping.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), services.Shipping(""))
	assert.Equal(t, "shipOrder <- addOrder#/id after payOrder", w.dependency("shipOrder"))
	r := w.Facts.Of(w.op("shipOrder")).Reached
	assert.Equal(t, []*openapi.Operation{w.op("payOrder")}, r.Before)
	assert.True(t, r.Own, "it uses the state up")
	before := len(w.Sent())
	order := w.at("shipOrder", "path/orderId")
	assert.Equal(t, []string{"POST /orders", "POST /orders/" + order + "/payment"}, w.lines()[before:])
}

func TestStatesThatFollowOneAnotherAreMadeInTheirOrder(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/articles.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), services.Articles(""))
	assert.Equal(t, "publishArticle <- addArticle#/id after submitArticle, approveArticle", w.dependency("publishArticle"), "it is tried before approveArticle is reached, and again")
	assert.Equal(t, "approveArticle <- addArticle#/id after submitArticle", w.dependency("approveArticle"))
	before := len(w.Sent())
	at := "POST /articles/" + w.at("publishArticle", "path/articleId")
	assert.Equal(t, []string{"POST /articles", at + "/submission", at + "/approval"}, w.lines()[before:])
}

func TestAReferenceThatMayBeLeftOutIsSentOnlyIfOneIsTaken(t *testing.T) {
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/tasks", "", operation("post", "addTask", `{type: object, required: [name], properties: {name: {type: string}, userId: {type: integer}}}`, "201", identified)))
	for taken, want := range map[bool]string{true: "addTask <- addUser#/id", false: "addTask <- nothing needed"} {
		s := newService(`{"id":%d}`)
		s.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) {
			body := make([]byte, r.ContentLength)
			_, _ = r.Body.Read(body)
			_, id, given := strings.Cut(string(body), `"userId":`)
			if given && !(taken && s.known(strings.Trim(strings.Split(id, ",")[0], " }"))) {
				respond(w, 400, `{}`)
				return
			}
			respond(w, 201, `{"id":1}`)
		})
		w := learned(t, text, s)
		assert.Equal(t, want, w.dependency("addTask"))
		assert.Equal(t, !taken, w.Facts.Of(w.op("addTask")).Reached.Ways["/userId"].None())
	}
}

func TestADocumentedRefusalOfWhatNeedsNothingIsNoFaultUnlessTheUserSaysWhatIsAccepted(t *testing.T) {
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/reports", "", operation("post", "addReport", named, "201", identified)))
	refuse := func(w http.ResponseWriter, _ *http.Request) { respond(w, 400, `{}`) }
	s := newService(`{"id":%d}`)
	s.HandleFunc("POST /reports", refuse)
	w := learned(t, text, s)
	assert.Equal(t, "its baseline request is answered with 400", w.Facts.Of(w.op("addReport")).Unreached)
	assert.Empty(t, openings(w))

	w = over(t, text, s)
	w.Stated = true
	require.True(t, w.Learn(t.Context()))
	assert.Empty(t, w.Facts.Of(w.op("addReport")).Unreached)
	assert.Equal(t, []string{"addReport"}, openings(w))
}

// The lines of an order name products that exist, and a list names roles.
func TestKeysInsideOfABodyAreThoseOfThingsThatExist(t *testing.T) {
	order := `{type: object, required: [lines, roles], properties: {roles: {type: array, items: {type: string}}, lines: {type: array, items: {type: object, required: [productId], properties: {productId: {type: integer}}}}}}`
	text := strings.ReplaceAll(document(path("/products", "", operation("post", "addProduct", named, "201", identified)),
		path("/roles", "", operation("get", "listRoles", "", "200", `{type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}`)),
		path("/roles/{name}", "string", operation("get", "getRole", "", "200", identified)),
		path("/orders", "", operation("post", "addOrder", order, "201", identified))), "'400'", "'422'")
	s := http.NewServeMux()
	made := 0
	s.HandleFunc("POST /products", func(w http.ResponseWriter, _ *http.Request) {
		made++
		respond(w, 201, `{"id":%d}`, 70000+made)
	})
	s.HandleFunc("GET /roles", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `[{"name":"editor"}]`) })
	s.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(sent), `"productId":7000`) || !strings.Contains(string(sent), `"editor"`) {
			respond(w, 422, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	assert.Equal(t, "addOrder <- addProduct#/id, listRoles#/-/name", learned(t, text, s).dependency("addOrder"))
}

// A document's examples are about resources that belong together. One by one, there are more
// ways to four keys than are tried.
func TestTheExamplesOfADocumentAreTriedTogether(t *testing.T) {
	var paths, needed, properties, example []string
	for _, res := range []string{"project", "flag", "user", "room"} {
		paths = append(paths, path("/"+res+"s", "", operation("post", "add"+res, named, "201", identified)))
		needed = append(needed, res+"Id")
		properties = append(properties, res+"Id: {type: string}")
		example = append(example, res+"Id: its-"+res)
	}
	body := "{type: object, required: [" + strings.Join(needed, ", ") + "], properties: {" + strings.Join(properties, ", ") + "}, example: {" + strings.Join(example, ", ") + "}}"
	text := strings.ReplaceAll(document(append(paths, path("/evaluations", "", operation("post", "evaluate", body, "201", identified)))...), "'400'", "'404'")
	s := newService(`{"id":%d}`)
	for _, res := range []string{"projects", "flags", "rooms"} {
		s.HandleFunc("POST /"+res, func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":1}`) })
	}
	s.HandleFunc("POST /evaluations", func(w http.ResponseWriter, r *http.Request) {
		if sent, err := io.ReadAll(r.Body); err != nil || strings.Count(string(sent), `"its-`) < 4 {
			respond(w, 404, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	assert.Equal(t, `evaluate <- example "its-project", example "its-flag", example "its-user", example "its-room"`, learned(t, text, s).dependency("evaluate"))
}

// What makes a resource may need more values than what changes it.
func TestWhatMakesAThingComesBeforeWhatNeedsIt(t *testing.T) {
	order := `{type: object, required: [userId, roomId], properties: {userId: {type: string}, roomId: {type: string}}, example: {userId: u1, roomId: r1}}`
	text := document(path("/orders/{orderId}", "integer", operation("get", "getOrder", "", "200", identified), operation("delete", "dropOrder", "", "204", "")),
		path("/orders", "", operation("post", "addOrder", order, "201", identified)))
	s := newService(`{"id":%d}`)
	s.HandleFunc("POST /orders", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":4711}`) })
	s.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") != "4711" {
			respond(w, 404, `{}`)
			return
		}
		respond(w, 200, `{"id":4711}`)
	})
	w := learned(t, text, s)
	assert.Equal(t, "getOrder <- addOrder#/id", w.dependency("getOrder"))
	var heads strings.Builder
	for _, r := range w.Sent() {
		heads.Write(r.Head)
	}
	_, first, _ := strings.Cut(heads.String(), "GET ")
	assert.True(t, strings.HasPrefix(first, "/orders/4711 "), "no order is asked for before there is one: %.40s", first)
}

// The kinds of a resource, by the alternatives of its schema.
const (
	car     = `{type: object, required: [plate], properties: {plate: {type: string, maxLength: 20}}}`
	trailer = `{type: object, required: [axles], properties: {axles: {type: integer, minimum: 1, maximum: 9}}}`
)

// kinds is a document of resources of two kinds. What replaces one lists them the other way
// round.
var kinds = document(path("/things", "", operation("post", "addThing", "{$ref: '#/components/schemas/Thing'}", "201", identified)),
	path("/things/{thingId}", "integer", operation("put", "replaceThing", "{oneOf: [{$ref: '#/components/schemas/Trailer'}, {$ref: '#/components/schemas/Car'}]}", "200", identified))) +
	"components:\n  schemas:\n    Thing: {oneOf: [{$ref: '#/components/schemas/Car'}, {$ref: '#/components/schemas/Trailer'}]}\n    Car: " + car + "\n    Trailer: " + trailer + "\n"

// resources is a server of kinds that makes some kinds and changes none, or any, into another.
func resources(makes func(kind string) bool, change bool) http.Handler {
	var list []string
	kind := func(r *http.Request) string {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"axles"`) {
			return "trailer"
		}
		return "car"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things", func(w http.ResponseWriter, r *http.Request) {
		k := kind(r)
		if !makes(k) {
			respond(w, 400, `{}`)
			return
		}
		list = append(list, k)
		respond(w, 201, `{"id":%d}`, len(list))
	})
	mux.HandleFunc("PUT /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("id"))
		if k := kind(r); err != nil || n > len(list) || list[n-1] != k && !change {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 200, `{"id":%d}`, n)
	})
	return mux
}

// row is the copy of an operation for an alternative, or the operation itself.
func (w world) row(name, alternative string) *openapi.Operation {
	w.t.Helper()
	for _, op := range w.op(name).Rows() {
		if op.Alternative == alternative {
			return op
		}
	}
	require.Fail(w.t, "no such alternative", alternative)
	return nil
}

// made is what makes the resource that an operation is about.
func (w world) made(op *openapi.Operation) string {
	w.t.Helper()
	r := w.Facts.Of(op).Reached
	require.NotNil(w.t, r, "%v", w.Reasons)
	return r.Ways["path/thingId"].From.Name()
}

func TestWhatReplacesAThingGetsOneOfItsOwnKind(t *testing.T) {
	w := learned(t, kinds, resources(func(string) bool { return true }, false))
	assert.Empty(t, w.Reasons)
	assert.Equal(t, "addThing (Trailer)", w.made(w.row("replaceThing", "")))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "Car")))
	assert.Equal(t, "replaceThing <- addThing#/id", w.dependency("replaceThing"), "as a values file can say it")
}

func TestWhatReplacesAThingGetsOneOfAnotherKindIfItsOwnIsNotMade(t *testing.T) {
	w := learned(t, kinds, resources(func(kind string) bool { return kind == "car" }, true))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "")))
	assert.Equal(t, "addThing", w.made(w.row("replaceThing", "Car")))
}

func TestTheKindsOfAThingAreMadeAlsoIfThatIsNotTried(t *testing.T) {
	w := over(t, kinds, resources(func(string) bool { return true }, false))
	w.Aside = map[*openapi.Operation]bool{w.op("addThing"): true}
	require.True(t, w.Learn(t.Context()), "%v", w.Reasons)
	assert.Equal(t, "addThing (Trailer)", w.made(w.row("replaceThing", "")))
	for _, o := range w.Openings {
		assert.Equal(t, "replaceThing", o.Op.First().Name())
	}
}
