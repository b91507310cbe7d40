package crud

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// valid lists a valid request and its status, one or more for each operation.
func valid() []struct {
	operation string
	status    int
	request
} {
	type row = struct {
		operation string
		status    int
		request
	}
	return []row{
		{"listUsers", 200, get("/users?limit=5&offset=0", "X-Labels: one, two")},
		{"listUsers", 200, get("/users?offset=1000000")},
		{"createUser", 201, send("POST", "/users", jsonMedia, userWith())},
		{"createUser", 201, send("POST", "/users", "Application/JSON; charset=UTF-8", userWith("email", `"x@example.org"`, "role", `"admin"`, "birthday", "null", "homepage", `"https://example.com/?a=b%20c"`,
			"avatar", `"aGVsbG8="`, "address", `{"city":"Ulm","zip":"89073","country":"DE","street":""}`, "name", `"`+strings.Repeat("\U0001F331", 60)+`"`))},
		{"getUser", 200, get("/users/" + userID)},
		{"listProjects", 200, get("/projects?limit=100&status=draft&archived=false&createdAfter=2020-02-29&tags=old&budget[min]=0&budget%5Bmax%5D=1e3&sort=-name",
			"X-Request-Id: "+nobody)},
		{"listProjects", 200, bare("GET", "/projects?sort=-created", "X-Desk-Key: "+DefaultCredentials().DeskKey)},
		{"listProjects", 200, bare("GET", "/projects?sort=name", "Authorization: bearer "+DefaultCredentials().Bearer)},
		{"createProject", 201, send("POST", "/projects", jsonMedia, projectWith(), "X-Request-Id: "+nobody)},
		{"createProject", 201, send("POST", "/projects", jsonMedia, projectWith("budget", "999999.99", "team", "500", "progress", "95", "starts", `"2024-02-29"`,
			"ends", "null", "description", `""`, "archived", "true", "tags", "[]", "milestones", `[{"title":"m","due":"2026-12-31T23:59:60Z","done":false}]`,
			"contact", `{"email":"a.b+c@example.com","website":"urn:x"}`, "secret", `"12345678"`, "status", `"closed"`))},
		{"getProject", 200, get("/projects/1")},
		{"headProject", 200, request{method: "HEAD", target: "/projects/1"}},
		{"replaceProject", 200, send("PUT", "/projects/1", jsonMedia, projectWith(), "If-Match: *")},
		{"replaceProject", 412, send("PUT", "/projects/1", jsonMedia, projectWith(), `If-Match: "old"`)},
		{"replaceProject", 428, send("PUT", "/projects/1", jsonMedia, projectWith())},
		{"changeProject", 200, send("PATCH", "/projects/1", mergeMedia, `{"description":null,"budget":0}`)},
		{"listTasks", 200, get("/projects/1/tasks?limit=1&cursor=c0")},
		{"listTasks", 200, get("/projects/1/tasks?cursor=c999999999&state=open&dueBefore=2026-01-02T03:04:05.5%2B01:00&labels=red|blue%7Cgreen")},
		{"createTask", 201, send("POST", "/projects/1/tasks", jsonMedia, bugWith("assigneeId", `"`+strings.ToUpper(userID)+`"`, "steps", `["one"]`, "labels", `["ui","ui"]`))},
		{"createTask", 201, send("POST", "/projects/1/tasks", jsonMedia, `{"kind":"feature","title":"t","value":"high","assigneeId":null,"due":"2026-01-02t03:04:05z"}`)},
		{"createTask", 422, send("POST", "/projects/1/tasks", jsonMedia, bugWith("assigneeId", `"`+nobody+`"`))},
		{"getTask", 200, get(aTask)},
		{"completeTask", 200, send("POST", aTask+"/complete", "", "")},
		{"archiveTask", 200, send("POST", "/projects/1/tasks/"+doneID+"/archive", "", "")},
		{"archiveTask", 200, send("POST", aTask+"/archive", "", "")},
		{"completeTask", 409, send("POST", aTask+"/complete", "", "")},
		{"writeNote", 204, send("PUT", aTask+"/note", "text/plain", strings.Repeat("ü", 500))},
		{"readNote", 200, get(aTask + "/note")},
		{"readNote", 404, get("/projects/1/tasks/" + doneID + "/note")},
		{"uploadFile", 201, upload("file", "")},
		{"uploadFile", 201, upload("revision", "99", "meta", `{"author":"me","license":"open"}`)},
		{"downloadFile", 200, get("/files/f1.txt")},
		{"downloadFile", 404, get("/files/f1.bin")},
		{"getReport", 200, bare("GET", "/reports/2099-12.json", "X-Desk-Key: "+DefaultCredentials().DeskKey)},
		{"sendFeedback", 202, feedback("message=fine+work&rating=5&email=a%40example.com&anonymous=true&topics=look&topics=price")},
		{"search", 200, searchFor("q=ri&in=project%20task&where=%7B%22archived%22:false,%22prefix%22:%22B%22%7D")},
		{"getBadge", 200, bare("GET", "/badges/;size=8/.red.green.blue")},
		{"deleteTask", 204, request{method: "DELETE", target: aTask}},
		{"deleteTask", 404, request{method: "DELETE", target: aTask}},
		{"deleteProject", 204, request{method: "DELETE", target: "/projects/1"}},
		{"getProject", 404, get("/projects/1")},
		{"listUsers", 400, get("/users?limit=0")},
		{"listUsers", 401, bare("GET", "/users")},
		{"createUser", 415, send("POST", "/users", "text/plain", userWith())},
		{"createUser", 413, send("POST", "/users", jsonMedia, userWith("x", `"`+strings.Repeat("x", 1<<20)+`"`))},
	}
}

func TestEveryOperationAnswersByTheDocument(t *testing.T) {
	book := openBook(t)
	tried := map[string]bool{}
	judge := func(t *testing.T, s *Running) {
		for _, v := range valid() {
			r := s.send(t, v.request)
			require.NoError(t, r.err)
			assert.Equal(t, v.status, r.status, "%s %s: %s", v.method, v.target, r.body)
			book.judge(t, v.operation, v.method, r)
			assert.NotContains(t, string(r.body), `"password":`, "a writeOnly member came back")
			tried[v.operation] = true
		}
	}
	t.Run("as it is", func(t *testing.T) { judge(t, serve(t)) })
	for _, v := range Variants() {
		switch v.Name {
		case "one-connection", "gzip":
			continue // the client asks for neither
		case "delete-again-204", "tasks-go-on", "late-deletes", "created-later", "limited-at-times":
			continue // other answers, which the stories judge
		}
		t.Run(v.Name, func(t *testing.T) {
			sample.OneIn(t, sampled)
			judge(t, serve(t, WithVariant(v)))
		})
	}
	for _, o := range operations() {
		assert.True(t, tried[o.name], "%s is not tried", o.name)
	}
}

// sampled is how many faults and variants there are for each that go test asks for
// every operation or all stories.
const sampled = 24

// book is the document, as another reader sees it.
type book struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

func openBook(t *testing.T) *book { return bookOf(t, Document()) }

func bookOf(t *testing.T, document []byte) *book {
	t.Helper()
	read, _ := books.LoadOrStore(string(document), sync.OnceValues(func() (any, error) { return readBook(document) }))
	doc, err := read.(func() (any, error))()
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("file:///openapi.json", doc))
	return &book{doc.(map[string]any), c}
}

// books are the documents that were read: each once, for all tests.
var books sync.Map

// readBook reads a document as the validator wants it: by itself.
func readBook(document []byte) (any, error) {
	var root map[string]any
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	plain, err := yaml.MarshalWithOptions(root, yaml.JSON())
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(strings.NewReader(string(plain)))
}

// at follows a pointer, and references on its way.
func (b *book) at(pointer string) (v any, plain string, found bool) {
	v = b.root
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch x := v.(type) {
		case map[string]any:
			if v, found = x[part]; !found {
				return nil, "", false
			}
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(x) {
				return nil, "", false
			}
			v = x[i]
		default:
			return nil, "", false
		}
		plain += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part)
		if m, ok := v.(map[string]any); ok {
			if ref, ok := m["$ref"].(string); ok {
				if v, plain, found = b.at(strings.TrimPrefix(ref, "#")); !found {
					return nil, "", false
				}
			}
		}
	}
	return v, plain, true
}

// operation finds one by its name.
func (b *book) operation(name string) string {
	for path, item := range b.root["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if m, ok := op.(map[string]any); ok && m["operationId"] == name {
				return "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + method
			}
		}
	}
	return ""
}

// judge compares an answer with the document.
func (b *book) judge(t *testing.T, operation, method string, r reply) {
	t.Helper()
	said, at, found := b.at(b.operation(operation) + "/responses/" + strconv.Itoa(r.status))
	if !assert.True(t, found, "%s: %d is not documented", operation, r.status) {
		return
	}
	response := said.(map[string]any)
	headers, _ := response["headers"].(map[string]any)
	for name := range headers {
		header, place, _ := b.at(at + "/headers/" + name)
		value := r.header.Get(name)
		if value == "" {
			assert.NotEqual(t, true, header.(map[string]any)["required"], "%s: %s is missing", operation, name)
			continue
		}
		b.validate(t, place+"/schema", textual(value))
	}
	content, has := response["content"].(map[string]any)
	if !has || method == http.MethodHead {
		assert.Empty(t, r.body, operation)
		return
	}
	media, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	require.NoError(t, err, operation)
	if !assert.Contains(t, content, media, operation) {
		return
	}
	place := at + "/content/" + strings.ReplaceAll(media, "/", "~1") + "/schema"
	switch {
	case strings.HasSuffix(media, "json"):
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(r.body)))
		require.NoError(t, err, operation)
		b.validate(t, place, v)
	case media == "text/plain":
		b.validate(t, place, string(r.body))
	}
}

// textual is a header value as its schema sees it.
func textual(value string) any {
	if n, err := jsonschema.UnmarshalJSON(strings.NewReader(value)); err == nil && !strings.HasPrefix(value, `"`) {
		return n
	}
	return value
}

func (b *book) validate(t *testing.T, pointer string, v any) {
	t.Helper()
	parts := strings.Split(pointer, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	schema, err := b.compiler.Compile("file:///openapi.json#" + strings.Join(parts, "/"))
	require.NoError(t, err)
	assert.NoError(t, schema.Validate(v), pointer)
}

func TestEveryOperationOfTheDocumentIsServedAndNoOther(t *testing.T) {
	b := openBook(t)
	var there []string
	for path, item := range b.root["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if m, ok := op.(map[string]any); ok {
				there = append(there, m["operationId"].(string)+" "+strings.ToUpper(method)+" "+path)
			}
		}
	}
	var served []string
	for _, o := range operations() {
		served = append(served, o.name+" "+o.method+" "+o.path)
	}
	slices.Sort(there)
	slices.Sort(served)
	assert.Equal(t, there, served)
	assert.GreaterOrEqual(t, len(served), 14)
}
