package explore_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/reference/services"
)

// withDelete is users with an operation that deletes one.
var withDelete = users + operation("delete", "dropUser", "", "204", "")

func deleting() *service {
	s := newService(`{"id":%d}`)
	s.HandleFunc("DELETE /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !s.known(r.PathValue("id")) {
			respond(w, 404, `{}`)
			return
		}
		w.WriteHeader(204)
	})
	return s
}

func TestRequestsThatChangeNothingShareOneThing(t *testing.T) {
	s := deleting()
	w := learned(t, withDelete, s)
	one := w.at("getUser", "path/userId")
	made := s.users
	assert.Equal(t, one, w.at("getUser", "path/userId"))
	assert.Equal(t, made, s.users)
}

func TestEachRequestThatDeletesHasAThingOfItsOwn(t *testing.T) {
	s := deleting()
	w := learned(t, withDelete, s)
	made := s.users
	one, other := w.at("dropUser", "path/userId"), w.at("dropUser", "path/userId")
	assert.NotEqual(t, one, other)
	assert.Equal(t, made+2, s.users)
	assert.NotEqual(t, w.at("getUser", "path/userId"), w.at("dropUser", "path/userId"))
}

func TestAFailedSetUpNamesTheRequestThatFailed(t *testing.T) {
	failing := false
	s := deleting()
	w := learned(t, withDelete, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if failing && r.Method == "POST" {
			respond(w, 500, `{}`)
			return
		}
		s.ServeHTTP(w, r)
	}))
	failing = true
	_, err := w.bound("dropUser")
	assert.EqualError(t, err, "addUser, which it needs, was answered with 500")
	failing = false
	_, err = w.bound("dropUser")
	assert.NoError(t, err)
}

func TestThingsThatNeedEachOtherAreGivenUp(t *testing.T) {
	needing := func(id string) string {
		return fmt.Sprintf(`{type: object, required: [%s], properties: {%s: {type: integer}}}`, id, id)
	}
	text := document(path("/hens", "", operation("post", "addHen", needing("eggId"), "201", identified)),
		path("/eggs", "", operation("post", "addEgg", needing("henId"), "201", identified)),
		path("/nests", "", operation("get", "listNests", "", "200", identified)))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /nests", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `{"id":1}`) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { respond(w, 400, `{}`) })
	w := learned(t, text, mux)
	assert.NotEmpty(t, w.Facts.Of(w.op("addHen")).Unreached)
	assert.NotEmpty(t, w.Facts.Of(w.op("addEgg")).Unreached)
	assert.Less(t, len(w.Sent()), 80, "up to 30 of them find out how many connections are served")

	// Both are known to work, and each of them needs the other.
	w.Facts.Of(w.op("addHen")).Accepted, w.Facts.Of(w.op("addEgg")).Accepted = true, true
	hen, egg := w.Reach.Of(w.op("addHen"))[0], w.Reach.Of(w.op("addEgg"))[0]
	w.through("addHen", hen.Path, hen.Dependencies[0])
	w.through("addEgg", egg.Path, egg.Dependencies[0])
	_, err := w.bound("addHen")
	assert.ErrorContains(t, err, "needs too many things that need others")
}

// tagged is a document where a change must name the state of the resource, and a server
// of it.
func tagged() (string, *service) {
	text := users + `    put:
      operationId: setUser
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: ` + named + `}}}
      responses:
        '200': {description: d, content: {application/json: {schema: ` + identified + `}}}
        '412': {description: d}
`
	s := newService(`{"id":%d}`)
	s.HandleFunc("PUT /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-Match") != `"v`+r.PathValue("id")+`"` {
			respond(w, 412, `{}`)
			return
		}
		respond(w, 200, `{"id":%s}`, r.PathValue("id"))
	})
	return text, s
}

func TestAChangeNamesTheStateOfTheThingThatItChanges(t *testing.T) {
	text, s := tagged()
	w := learned(t, text, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			w.Header().Set("ETag", `"v`+strings.TrimPrefix(r.URL.Path, "/users/")+`"`)
		}
		s.ServeHTTP(w, r)
	}))
	assert.Equal(t, "setUser <- addUser#/id, getUser#ETag", w.dependency("setUser"))
	m, err := w.bound("setUser")
	require.NoError(t, err)
	assert.Equal(t, `"v`+m.At("path/userId").Text+`"`, m.At("header/If-Match").Text)
}

func TestTheStateOfAThingMayBeAMemberOfItsAnswer(t *testing.T) {
	text, s := tagged()
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err)
	op := c.Find("setUser")
	op.Origins = append(op.Origins, openapi.Origin{Place: "header/If-Match", From: c.Find("getUser"), What: "/version"})
	w := overDocument(t, fake.From(t, c), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := strings.TrimPrefix(r.URL.Path, "/users/"); r.Method == "GET" && s.known(id) {
			respond(w, 200, `{"id":%s,"version":"\"v%s\""}`, id, id)
			return
		}
		s.ServeHTTP(w, r)
	}))
	require.True(t, w.Learn(t.Context()))
	assert.Equal(t, "setUser <- addUser#/id, getUser#/version", w.dependency("setUser"))
}

func TestAnItemOfAListIsTheOneThatWasMade(t *testing.T) {
	text := document(path("/users", "", operation("get", "listUsers", "", "200", `{type: array, items: {type: object, properties: {id: {type: integer}, name: {type: string}}}}`),
		operation("post", "addUser", named, "201", "")),
		path("/users/{userId}", "integer", operation("get", "getUser", "", "200", identified)))
	names := []string{"someone else"}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		_, _ = r.Body.Read(body)
		doc, err := jsontree.Parse(body)
		if err != nil {
			respond(w, 400, `{}`)
			return
		}
		names = append(names, doc.Root.Get("name").Text)
		w.WriteHeader(201)
	})
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, _ *http.Request) {
		items := jsontree.NewArray()
		for i, name := range names {
			items.Items = append(items.Items, jsontree.NewObject(jsontree.M("id", jsontree.NewInt(int64(i))), jsontree.M("name", jsontree.NewString(name))))
		}
		respond(w, 200, "%s", items.Emit())
	})
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"id":%s}`, r.PathValue("id")) })
	w := learned(t, text, mux)
	assert.Equal(t, "getUser <- listUsers#/-/id", w.dependency("getUser"))
	i := slices.IndexFunc(w.lines(), func(l string) bool { return strings.HasPrefix(l, "GET /users/") })
	before := w.Sent()[:i]
	made := before[len(before)-2]
	assert.Equal(t, "POST", made.Method)
	id := strings.TrimPrefix(w.lines()[i], "GET /users/")
	assert.NotEqual(t, "0", id, "that is of someone else")
	assert.True(t, slices.ContainsFunc(names, func(name string) bool { return fake.Holds(made, name) && id == fmt.Sprint(slices.Index(names, name)) }))
}

func TestWhatMakesTheLastThingOfAPathKnowsThoseBeforeIt(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/club.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), services.Club(""))
	before := len(w.Sent())
	for range 2 {
		m, err := w.bound("addBadge")
		require.NoError(t, err)
		team, member := m.At("path/teamId").Text, m.At("path/memberId").Text
		assert.Contains(t, w.lines(), "POST /teams/"+team+"/members")
		assert.Contains(t, w.lines(), "POST /teams/"+team+"/members/"+member+"/badges", "accepted before with the same values")
	}
	assert.Len(t, w.lines(), before, "shared")
}

func TestWhatIsSharedIsMadeAgainAfterItsCollectionIsDeleted(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/notes.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), services.Notes(""))
	key := w.at("getNote", "path/key")
	assert.Equal(t, key, w.at("getNote", "path/key"))
	s := w.Session()
	defer s.Close()
	w.Target.Send(t.Context(), s, w.Fresh(w.op("dropNotes")).Baseline(), "case", "case")
	assert.NotEqual(t, key, w.at("getNote", "path/key"))
}

func TestThrottlingOfWrongCredentialsBecomesTheirRefusalAlsoWhereAThingIsNeeded(t *testing.T) {
	text := strings.Replace(withDelete, "paths:\n", "security: [{bearer: []}]\ncomponents: {securitySchemes: {bearer: {type: http, scheme: bearer}}}\npaths:\n", 1)
	s := deleting()
	synctest.Test(t, func(t *testing.T) {
		w := learned(t, text, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+fake.Token {
				w.Header().Set("Retry-After", "4")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			s.ServeHTTP(w, r)
		}))
		m, err := w.bound("dropUser")
		require.NoError(t, err)
		m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer other" }}}
		session := w.Session()
		defer session.Close()
		assert.Equal(t, 429, status(w.Send(t.Context(), session, m, "case", "case")))
	})
}

// located returns where a resource is by the Location of the answer that made it, below
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
		return plan.NewGen(op, 1, plan.Identity{}, 0).Request(op, false)
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

func TestALocationBelowTheRequestIsNoLongerPrefixOfTheOwnAddress(t *testing.T) {
	text := document(path("/books/{bookId}/loans", "integer", operation("post", "lend", named, "201", identified)),
		path("/loans/{loanId}", "integer", operation("get", "getLoan", "", "200", identified)))
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err)
	at, err := exchange.ParseTarget("http://shop.example:8080/api")
	require.NoError(t, err)
	to := explore.New(explore.Options{Endpoint: &message.Endpoint{Target: at}})
	lend := plan.NewGen(c.Operations[0], 1, plan.Identity{}, 0).Baseline()
	lend.Set("path/bookId", jsontree.NewNumber("5"))
	for location, want := range map[string]string{
		"/api/books/5/loans/7": "/api/books/5/loans/7",
		"/api/loans/7":         "",
		"/gate/api/loans/7":    "",
	} {
		get := plan.NewGen(c.Operations[1], 1, plan.Identity{}, 0).Baseline()
		get.Set("path/loanId", jsontree.NewNumber("7"))
		made := &exchange.Exchange{Response: &exchange.Response{Status: 201, Fields: []exchange.Field{{Name: "Location", Value: location}}}}
		assert.Equal(t, want, to.Located(explore.MadeBy(lend, made), get), location)
	}
}

func TestTheLocationOfA202CountsWhereItEndsWithTheKey(t *testing.T) {
	assert.Equal(t, "/api/v1/person/7", located(t, 202, "/api/v1/person/7"))
	assert.Empty(t, located(t, 202, "/api/v1/users/8"), "it may be that of a job")
}
