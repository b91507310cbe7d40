package explore_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
)

func TestWaysAreInTheOrderOfTheDocumentWithoutWhatIsNotTried(t *testing.T) {
	w := over(t, withDelete, deleting())
	w.Aside = map[*openapi.Operation]bool{w.op("getUser"): true}
	require.True(t, w.Learn(t.Context()))
	assert.Equal(t, []report.Way{
		{Operation: "addUser", Reached: true},
		{Operation: "dropUser", Reached: true, Sources: []report.Source{{Place: "path/userId", Kind: "producer", From: "addUser#/id"}}},
	}, w.Ways())
}

func TestAnOperationThatIsNotReachedListsThePlacesThatMayMatter(t *testing.T) {
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}/mails", "integer", operation("post", "addMail", `{type: object, required: [text], properties: {text: {type: string}, note: {type: string}}}`, "201", "")))
	s := newService(`{"id":%d}`)
	s.HandleFunc("POST /users/{id}/mails", func(w http.ResponseWriter, _ *http.Request) { respond(w, 400, `{}`) })
	w := learned(t, text, s)
	got := w.Ways()[1]
	assert.False(t, got.Reached)
	assert.Equal(t, []report.Source{{Place: "path/userId"}, {Place: "/text"}}, got.Sources)
}

// A user who signs in has to be one that the server knows.
func TestAnOperationThatSignsAUserInIsNotReachedWithoutOne(t *testing.T) {
	login := `{type: object, required: [user, password], properties: {user: {type: string}, password: {type: string}, scope: {type: string}}}`
	for status, asked := range map[int]bool{401: true, 403: true, 400: true, 404: false} {
		text := document(path("/users", "", operation("post", "addUser", named, "201", identified)), path("/login", "", operation("post", "signIn", login, "200", "")))
		s := newService(`{"id":%d}`)
		s.HandleFunc("POST /login", func(w http.ResponseWriter, _ *http.Request) { respond(w, status, `{}`) })
		w := learned(t, text, s)
		facts := w.Facts.Of(w.op("signIn"))
		assert.Equal(t, asked, facts.Unreached != "", status)
		if asked {
			assert.Equal(t, status, facts.RefusedWith)
			assert.Equal(t, "name a user that exists: --value 'post-login:/user=VALUE' --value 'post-login:/password=VALUE'", facts.Help)
		}
	}
}

// The examples of a document are often those of a user who exists.
func TestAUserOfTheDocumentSignsIn(t *testing.T) {
	login := `{type: object, required: [user, password], properties: {user: {type: string}, password: {type: string, example: open-sesame}}, example: {user: ann, password: correct-horse}}`
	text := document(path("/login", "", operation("post", "signIn", login, "200", "")))
	s := newService("")
	s.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil || string(sent) != `{"user":"ann","password":"correct-horse"}` {
			respond(w, 401, `{}`)
			return
		}
		respond(w, 200, `{}`)
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("signIn")).Accepted)
	assert.Equal(t, []report.Source{{Place: "/user", Kind: "example", Value: `"ann"`}, {Place: "/password", Kind: "example", Value: `"correct-horse"`}}, w.Ways()[0].Sources)
}

// Where a resource was made and 404 is the answer, the body may name what does not exist.
func TestAnOperationThatIsAnsweredWith404HasHelpAboutTheMembersOfItsBodyToo(t *testing.T) {
	code := `{type: object, required: [code, since, kind], properties: {code: {type: string}, since: {type: string, format: date}, kind: {type: string, enum: [a, b]}, note: {type: string}}}`
	for status, want := range map[int]string{404: " or --value 'put-users-userid-discount:/code=VALUE'", 400: ""} {
		text := document(path("/users", "", operation("post", "addUser", named, "201", identified)), path("/users/{userId}/discount", "integer", operation("put", "discount", code, "200", "")))
		s := newService(`{"id":%d}`)
		s.HandleFunc("PUT /users/{id}/discount", func(w http.ResponseWriter, _ *http.Request) { respond(w, status, `{}`) })
		w := learned(t, strings.ReplaceAll(text, "'400': {description: d}", "'4XX': {description: d}"), s)
		assert.Equal(t, "name a value that exists: --value 'put-users-userid-discount:path/userId=VALUE'"+want, w.Facts.Of(w.op("discount")).Help)
	}
}

func TestAnOperationThatMakesAUserSignsNobodyIn(t *testing.T) {
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/accounts", "", operation("post", "addAccount", `{type: object, required: [password], properties: {password: {type: string}}}`, "201", "")))
	s := newService(`{"id":%d}`)
	s.HandleFunc("POST /accounts", func(w http.ResponseWriter, _ *http.Request) { respond(w, 401, `{}`) })
	w := learned(t, text, s)
	assert.Empty(t, w.Facts.Of(w.op("addAccount")).Unreached)
}

func TestAHelperIsAskedAndIsNoWayOfItsOwn(t *testing.T) {
	s := newService(`{"id":%d}`)
	w := over(t, users, s)
	w.Aside = map[*openapi.Operation]bool{w.op("addUser"): true}
	require.True(t, w.Learn(t.Context()))
	assert.Equal(t, "getUser <- addUser#/id", w.dependency("getUser"))
	assert.Empty(t, w.dependency("addUser"))
	assert.Positive(t, s.users)
}

// boxes are made with one credential, and read with that one or with two.
const boxes = `
openapi: 3.1.0
info: {title: t, version: '1'}
components: {securitySchemes: {key: {type: apiKey, in: header, name: K}, badge: {type: apiKey, in: header, name: B}}}
paths:
  /boxes:
    post:
      operationId: addBox
      security: [{badge: []}]
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}, '401': {description: d}}
  /boxes/{boxId}:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getBox
      security: [{key: [], badge: []}]
      responses: {'200': {description: d}, '403': {description: d}}
`

// met learns about a target whose answers to the other principal are given, and to any
// wrong key, and returns why getBox does not accept the other one.
func met(t *testing.T, others []string, make, read, wrong int) string {
	t.Helper()
	d := fake.Of(t, boxes)
	d.Endpoint.Other = map[string]string{}
	for _, name := range others {
		d.Endpoint.Other[name] = "other-9Kw2"
	}
	d.HaveOther(others...)
	to := d.Target(func(r *exchange.Request) *exchange.Exchange {
		head, other := string(r.Head), false
		known := func(field string) bool {
			_, value, _ := strings.Cut(head, "\r\n"+field+": ")
			value, _, _ = strings.Cut(value, "\r\n")
			other = other || value == "other-9Kw2"
			return value == fake.Token || value == "other-9Kw2"
		}
		adds := strings.HasPrefix(head, "POST")
		switch badge, key := known("B"), known("K"); {
		case !badge || !adds && !key:
			return fake.Answer(wrong, "", "")
		case other && adds && make != 201:
			return fake.Answer(make, "", "")
		case other && !adds:
			return fake.Answer(read, "", "")
		case adds:
			return fake.Answer(201, "application/json", `{"id":7}`)
		}
		return fake.Answer(200, "", "")
	})
	assert.True(t, to.Learn(t.Context()), "%v", to.Reasons)
	why := to.Facts.SecondPrincipal(d.Contract.Find("getBox"))
	assert.Equal(t, why != "", len(to.Reasons) > 0)
	return why
}

func TestTheTargetIsAskedWhetherItKnowsTheOtherPrincipal(t *testing.T) {
	both, badge, key := []string{"key", "badge"}, []string{"badge"}, []string{"key"}
	assert.Empty(t, met(t, badge, 201, 403, 401), "another operation takes the badge")
	assert.Empty(t, met(t, both, 201, 403, 401), "the box is somebody else's: a wrong key gets 401")
	assert.Empty(t, met(t, key, 201, 404, 401))
	assert.Contains(t, met(t, key, 201, 401, 401), "getBox returns 401 for it")
	assert.Contains(t, met(t, key, 201, 403, 403), "getBox returns 403 for it", "a wrong key gets 403 too")
	assert.Contains(t, met(t, badge, 401, 401, 401), "addBox returns 401 for it")
}
