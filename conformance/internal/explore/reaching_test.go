package explore_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// document writes a document of paths.
func document(paths ...string) string {
	return "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n" + strings.Join(paths, "")
}

// path writes a path whose parameters have a type.
func path(template, kind string, operations ...string) string {
	out := "  " + template + ":\n"
	if strings.Contains(template, "{") {
		out += "    parameters:\n"
	}
	for _, name := range openapi.Expressions(template) {
		out += fmt.Sprintf("      - {name: %s, in: path, required: true, schema: {type: %s}}\n", name, kind)
	}
	return out + strings.Join(operations, "")
}

// operation writes an operation. The schemas of its body and its answer may be empty.
func operation(method, id, body, status, answer string) string {
	out := fmt.Sprintf("    %s:\n      operationId: %s\n", method, id)
	if body != "" {
		out += fmt.Sprintf("      requestBody: {required: true, content: {application/json: {schema: %s}}}\n", body)
	}
	content := ""
	if answer != "" {
		content = fmt.Sprintf(", content: {application/json: {schema: %s}}", answer)
	}
	return out + fmt.Sprintf("      responses:\n        '%s': {description: d%s}\n        '400': {description: d}\n", status, content)
}

// The schemas of things.
const (
	named      = `{type: object, required: [name], properties: {name: {type: string, maxLength: 40}}}`
	identified = `{type: object, required: [id], properties: {id: {type: integer}}}`
	anyID      = `{type: object, properties: {id: {}}}`
)

// users is a document where one operation makes what another needs.
var users = document(path("/users", "", operation("post", "addUser", named, "201", identified)),
	path("/users/{userId}", "integer", operation("get", "getUser", "", "200", identified)))

// world is a target behind a handler.
type world struct {
	*fake.Document
	*fake.Client
	*explore.Target
	t *testing.T
}

// over returns a target whose document needs reaching.
func over(t *testing.T, text string, h http.Handler) world {
	t.Helper()
	d := fake.Of(t, text)
	c := &fake.Client{Serve: fake.Handled(h)}
	o := d.Over(c)
	o.Stated = false
	return world{d, c, explore.New(o), t}
}

// learned returns a target after its pre-flight.
func learned(t *testing.T, text string, h http.Handler) world {
	t.Helper()
	w := over(t, text, h)
	require.True(t, w.Learn(t.Context()), "%v", w.Reasons)
	return w
}

// op is the operation of a name.
func (w world) op(name string) *openapi.Operation {
	w.t.Helper()
	op := w.Document.Contract.Find(name)
	require.NotNil(w.t, op, name)
	return op
}

// way says how an operation is reached.
func (w world) way(name string) string {
	w.t.Helper()
	for _, way := range w.Ways() {
		if way.Operation == name {
			return way.String()
		}
	}
	return ""
}

// lines are the request lines so far, without the version.
func (w world) lines() []string {
	var out []string
	for _, r := range w.Sent() {
		line, _, _ := strings.Cut(string(r.Head), " HTTP/")
		out = append(out, line)
	}
	return out
}

// bound returns a message of an operation with the values of the target.
func (w world) bound(name string) (*message.Message, error) {
	w.t.Helper()
	s := w.Session()
	defer s.Close()
	m := w.Fresh(w.op(name)).Baseline()
	return m, w.Bind(w.t.Context(), s, m)
}

// at returns the text of the value at a place of a bound message.
func (w world) at(name, place string) string {
	w.t.Helper()
	m, err := w.bound(name)
	require.NoError(w.t, err)
	require.NotNil(w.t, m.At(place))
	return m.At(place).Text
}

// respond writes an answer of JSON.
func respond(w http.ResponseWriter, status int, format string, a ...any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, format, a...)
}

// service is a server of users that counts them.
type service struct {
	*http.ServeMux
	users int
}

// newService makes users with an id, and gives them back. The answer of addUser is a
// format for the id.
func newService(made string) *service {
	s := &service{ServeMux: http.NewServeMux()}
	s.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) {
		s.users++
		respond(w, 201, made, s.users)
	})
	s.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !s.known(r.PathValue("id")) {
			respond(w, 404, `{}`)
			return
		}
		respond(w, 200, `{"id":%s}`, r.PathValue("id"))
	})
	return s
}

func (s *service) known(id string) bool {
	for n := 1; n <= s.users; n++ {
		if id == fmt.Sprint(n) {
			return true
		}
	}
	return false
}

// through makes a way the one to a value of an operation.
func (w world) through(name, place string, way resource.Way) {
	w.Facts.Of(w.op(name)).Reached = &explore.Reached{Ways: map[string]resource.Way{place: way}, Own: true}
}
