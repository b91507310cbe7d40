package explore_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/reference/services"
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

// The schemas of resources.
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
	return overDocument(t, fake.Of(t, text), h)
}

func overDocument(t *testing.T, d *fake.Document, h http.Handler) world {
	t.Helper()
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

// dependency says how an operation is reached.
func (w world) dependency(name string) string {
	w.t.Helper()
	for _, dependency := range w.Ways() {
		if dependency.Operation == name {
			return dependency.String()
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
func (w world) through(name, place string, dependency resource.Dependency) {
	w.Facts.Of(w.op(name)).Reached = &explore.Reached{Ways: map[string]resource.Dependency{place: dependency}, Own: true}
}

// sentText returns a text in the body of a request.
func sentText(t *testing.T, r *http.Request, pointer string) string {
	t.Helper()
	sent, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	doc, err := jsontree.Parse(sent)
	if err != nil || doc.Root.At(pointer) == nil {
		return ""
	}
	return doc.Root.At(pointer).Text
}

// A cart without an item cannot be ordered, and an item is one of the products that are listed.
func TestACartIsFilledBeforeItIsOrdered(t *testing.T) {
	line := `{type: object, required: [sku], properties: {sku: {type: string, pattern: '^[A-Z]{3}-[0-9]{4}$'}}}`
	order := strings.Replace(operation("post", "order", `{type: object, required: [cartId], properties: {cartId: {type: integer}}}`, "201", identified),
		"responses:\n", "responses:\n        '409': {description: the cart is empty}\n", 1)
	add := strings.Replace(operation("post", "addItem", line, "201", identified), "responses:\n", "responses:\n        '404': {description: no such product}\n", 1)
	text := document(path("/carts", "", operation("post", "addCart", named, "201", identified)),
		path("/products", "", operation("get", "products", "", "200", `{type: array, items: `+line+`}`)),
		path("/carts/{cartId}/items", "integer", add),
		path("/orders", "", order))
	items, carts := map[string]int{}, 0
	s := http.NewServeMux()
	s.HandleFunc("GET /products", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `[{"sku":"ABC-0001"}]`) })
	s.HandleFunc("POST /carts", func(w http.ResponseWriter, _ *http.Request) {
		carts++
		respond(w, 201, `{"id":%d}`, carts)
	})
	s.HandleFunc("POST /carts/{id}/items", func(w http.ResponseWriter, r *http.Request) {
		if sentText(t, r, "/sku") != "ABC-0001" {
			respond(w, 404, `{}`)
			return
		}
		items[r.PathValue("id")]++
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		if items[sentText(t, r, "/cartId")] == 0 {
			respond(w, 409, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.Equal(t, "order <- addCart#/id after addItem", w.dependency("order"))
	m, err := w.bound("order")
	require.NoError(t, err)
	assert.Equal(t, 1, items[m.At("/cartId").Text])
}

// A page is in a workspace or below another page: what the second needs, the first makes.
func TestOneAlternativeMakesWhatAnotherNeeds(t *testing.T) {
	page := `{type: object, required: [title, parent], properties: {title: {type: string}, parent: {oneOf: [` +
		`{type: object, additionalProperties: false, required: [type], properties: {type: {const: workspace}}},` +
		`{type: object, additionalProperties: false, required: [type, page_id], properties: {type: {const: page}, page_id: {type: integer}}}]}}}`
	text := document(path("/pages", "", strings.Replace(operation("post", "addPage", page, "201", identified),
		"responses:\n", "responses:\n        '404': {description: no such page}\n", 1)),
		path("/pages/{page_id}", "integer", operation("get", "readPage", "", "200", identified)))
	pages := 0
	s := http.NewServeMux()
	s.HandleFunc("POST /pages", func(w http.ResponseWriter, r *http.Request) {
		of := sentText(t, r, "/parent/page_id")
		var n int
		if _, err := fmt.Sscan(of, &n); of != "" && (err != nil || n < 1 || n > pages) {
			respond(w, 404, `{}`)
			return
		}
		pages++
		respond(w, 201, `{"id":%d}`, pages)
	})
	s.HandleFunc("GET /pages/{id}", func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"id":%s}`, r.PathValue("id")) })
	w := learned(t, text, s)
	for _, op := range w.Document.Contract.Operations {
		for _, one := range append(op.Additional, op) {
			assert.Empty(t, w.Facts.Of(one).Unreached, one.Name())
		}
	}
}

// A course gets a lesson before it is published, and is published before somebody enrols, who may
// withdraw then. Only the second kind of lesson is accepted, so all this is found out late.
func TestAnOperationThatIsReachedLateMayBeWhatAnotherOneNeedsFirst(t *testing.T) {
	conflict := func(text string) string {
		return strings.Replace(text, "responses:\n", "responses:\n        '409': {description: d}\n        '422': {description: d}\n", 1)
	}
	text := document(path("/courses", "", operation("post", "addCourse", named, "201", identified)),
		path("/courses/{courseId}/publish", "integer", conflict(operation("post", "publish", "", "200", identified))),
		path("/courses/{courseId}/lessons", "integer", conflict(operation("post", "addLesson", `{type: object, required: [kind], properties: {kind: {type: string, enum: [video, text]}}}`, "201", identified))),
		path("/enrolments", "", conflict(operation("post", "enrol", `{type: object, required: [courseId], properties: {courseId: {type: integer}}}`, "201", identified))),
		path("/enrolments/{enrolmentId}/withdraw", "integer", strings.Replace(operation("post", "withdraw", "", "200", identified), "responses:\n", "responses:\n        '404': {description: d}\n", 1)))
	courses, enrolments := 0, 0
	lessons, published := map[string]bool{}, map[string]bool{}
	answer := func(w http.ResponseWriter, ok bool, refusal, success int) {
		if !ok {
			respond(w, refusal, `{}`)
			return
		}
		respond(w, success, `{"id":1}`)
	}
	s := http.NewServeMux()
	s.HandleFunc("POST /courses", func(w http.ResponseWriter, _ *http.Request) {
		courses++
		respond(w, 201, `{"id":%d}`, courses)
	})
	s.HandleFunc("POST /courses/{id}/lessons", func(w http.ResponseWriter, r *http.Request) {
		ok := sentText(t, r, "/kind") == "text"
		lessons[r.PathValue("id")] = lessons[r.PathValue("id")] || ok
		answer(w, ok, 422, 201)
	})
	s.HandleFunc("POST /courses/{id}/publish", func(w http.ResponseWriter, r *http.Request) {
		ok := lessons[r.PathValue("id")]
		published[r.PathValue("id")] = ok
		answer(w, ok, 409, 200)
	})
	s.HandleFunc("POST /enrolments", func(w http.ResponseWriter, r *http.Request) {
		if !published[sentText(t, r, "/courseId")] {
			respond(w, 409, `{}`)
			return
		}
		enrolments++
		respond(w, 201, `{"id":%d}`, enrolments)
	})
	s.HandleFunc("POST /enrolments/{id}/withdraw", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		answer(w, err == nil && id > 0 && id <= enrolments, 404, 200)
	})
	w := learned(t, text, s)
	for _, name := range []string{"addLesson", "publish", "enrol", "withdraw"} {
		assert.True(t, w.Facts.Of(w.op(name)).Accepted, name)
	}
}

// Requests with the optional member are refused too now and then, so it is not what the others lack.
func TestAnOptionalMemberIsNotNeededIfRequestsWithItAreRefusedToo(t *testing.T) {
	body := `{type: object, required: [name], properties: {name: {type: string, maxLength: 40}, note: {type: string}}}`
	text := document(path("/users", "", strings.Replace(operation("post", "addUser", body, "201", identified), "responses:\n", "responses:\n        '422': {description: d}\n", 1)))
	for always, want := range map[bool]int{true: 1, false: 0} {
		with := 0
		s := http.NewServeMux()
		s.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
			if sentText(t, r, "/note") == "" {
				respond(w, 422, `{}`)
				return
			}
			if with++; !always && with%2 == 0 {
				respond(w, 422, `{}`)
				return
			}
			respond(w, 201, `{"id":1}`)
		})
		w := learned(t, text, s)
		assert.Len(t, w.Facts.Of(w.op("addUser")).Needs, want, "always accepted with it: %v", always)
	}
}

// The messages of a server tell which members it wants, one at a time, and it takes no others.
func TestMembersThatRefusalsNameAreGivenBelowAThingThatAListNames(t *testing.T) {
	body := `{type: object, properties: {kind: {type: string}, text: {type: string}, secret: {type: string}}}`
	text := document(path("/shops", "", operation("get", "listShops", "", "200", `{type: array, items: `+identified+`}`)),
		path("/shops/{shopId}/items", "integer", strings.Replace(operation("post", "addItem", body, "201", identified), "responses:\n", "responses:\n        '422': {description: d}\n", 1)),
		path("/shops/{shopId}/close", "integer", operation("put", "closeShop", "", "200", "")))
	for kinds, want := range map[string]map[string]bool{"any": {"/kind": true, "/text": true}, "few": nil} {
		s := http.NewServeMux()
		s.HandleFunc("GET /shops", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `[{"id":7}]`) })
		s.HandleFunc("POST /shops/7/items", func(w http.ResponseWriter, r *http.Request) {
			sent, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			for _, name := range []string{"kind", "text"} {
				if !bytes.Contains(sent, []byte(`"`+name+`"`)) {
					respond(w, 422, `{"error":"Key '%s' not present"}`, name)
					return
				}
			}
			if bytes.Contains(sent, []byte(`"secret"`)) || kinds == "few" {
				respond(w, 422, `{"error":"no"}`)
				return
			}
			respond(w, 201, `{"id":1}`)
		})
		w := learned(t, text, s)
		facts := w.Facts.Of(w.op("addItem"))
		assert.Equal(t, want, facts.Needs, kinds)
		if want == nil {
			assert.Equal(t, "name a value that it accepts: --value 'post-shops-shopid-items:/kind=VALUE'", facts.Help)
		}
		assert.Equal(t, "name a value that exists and may be changed: --value 'put-shops-shopid-close:path/shopId=VALUE'", w.Facts.Of(w.op("closeShop")).Help)
	}
}

func TestWhatMustComeFirstIsSentAboutAThingThatTheCaseMadeItself(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/shipping.yaml")
	require.NoError(t, err)
	w := learned(t, string(text), services.Shipping(""))
	s := w.Session()
	defer s.Close()
	add, ship := w.Fresh(w.op("addOrder")).Baseline(), w.Fresh(w.op("shipOrder")).Baseline()
	order := explore.MadeBy(add, w.Send(t.Context(), s, add, "case", "case"))
	require.NoError(t, w.BindTo(t.Context(), s, ship, order))
	before := len(w.Sent())
	require.NoError(t, w.Ready(t.Context(), s, ship, order))
	assert.Equal(t, []string{"POST /orders/" + ship.At("path/orderId").Text + "/payment"}, w.lines()[before:])
	require.NoError(t, w.Ready(t.Context(), s, ship, explore.MadeBy(ship, w.Send(t.Context(), s, ship, "case", "case"))))
	assert.Len(t, w.Sent(), before+2, "it is shipped, and no payment is sent for what is made beside it")
}
