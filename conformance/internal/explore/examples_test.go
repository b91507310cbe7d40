package explore_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// A server knows only some plans and regions, and takes each name once. The document lists none
// of them, but has examples.
func TestValuesOfExamplesAreUsedWhereNoOthersAreAccepted(t *testing.T) {
	body := `{type: object, required: [plan, name, region, seats], properties: {
    plan: {type: string, example: basic}, name: {type: string, example: Acme}, region: {type: string, example: north}, seats: {type: integer, example: 205}}}`
	text := document(path("/accounts", "", strings.Replace(operation("post", "addAccount", body, "201", identified),
		"responses:\n", "responses:\n        '422': {description: refused}\n", 1)))
	known, names := map[string]bool{"basic": true, "north": true, "205": true}, map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("POST /accounts", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		doc, err := jsontree.Parse(sent)
		require.NoError(t, err)
		name := doc.Root.Get("name").Text
		for _, member := range []string{"plan", "region", "seats"} {
			if v := doc.Root.Get(member); v == nil || !known[v.Text] {
				respond(w, 422, `{}`)
				return
			}
		}
		if names[name] {
			respond(w, 422, `{}`)
			return
		}
		names[name] = true
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	require.True(t, w.Facts.Of(w.op("addAccount")).Accepted)
	got := map[string]string{}
	m := w.Fresh(w.op("addAccount")).Baseline()
	for path, v := range m.Bound {
		got[path] = v.Text
	}
	assert.Equal(t, map[string]string{"/plan": "basic", "/region": "north", "/seats": "205"}, got)
}

// A vehicle keeps its number, and its mileage never goes back.
func TestAPutRepeatsWhatNeverChanges(t *testing.T) {
	body := `{type: object, required: [vin, miles, colour], properties: {vin: {type: string}, miles: {type: integer}, colour: {type: string}}}`
	put := strings.Replace(operation("put", "replaceCar", body, "200", identified), "responses:\n", "responses:\n        '409': {description: refused}\n", 1)
	text := document(path("/cars", "", operation("post", "addCar", body, "201", identified)), path("/cars/{carId}", "integer", put))
	type car struct{ vin, miles string }
	var cars []car
	read := func(r *http.Request) (car, string) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		doc, err := jsontree.Parse(sent)
		require.NoError(t, err)
		return car{doc.Root.Get("vin").Text, doc.Root.Get("miles").Text}, doc.Root.Get("colour").Text
	}
	s := http.NewServeMux()
	s.HandleFunc("POST /cars", func(w http.ResponseWriter, r *http.Request) {
		c, _ := read(r)
		cars = append(cars, c)
		respond(w, 201, `{"id":%d}`, len(cars))
	})
	s.HandleFunc("PUT /cars/{id}", func(w http.ResponseWriter, r *http.Request) {
		c, _ := read(r)
		id, err := strconv.Atoi(r.PathValue("id"))
		require.NoError(t, err)
		if id > len(cars) {
			respond(w, 404, `{}`)
			return
		}
		if old := cars[id-1]; c.vin != old.vin || jsontree.Compare(c.miles, old.miles) < 0 {
			respond(w, 409, `{}`)
			return
		}
		respond(w, 200, `{"id":%d}`, id)
	})
	w := learned(t, text, s)
	facts := w.Facts.Of(w.op("replaceCar"))
	require.True(t, facts.Accepted)
	assert.Contains(t, facts.Reached.Repeated, "/vin")
	assert.NotContains(t, facts.Reached.Repeated, "/colour")
}

// An expense cannot be in the future.
func TestDatesInThePastAreUsedWhereThoseInTheFutureAreRefused(t *testing.T) {
	body := `{type: object, required: [day], properties: {day: {type: string, format: date}}}`
	text := document(path("/expenses", "", strings.Replace(operation("post", "addExpense", body, "201", identified),
		"responses:\n", "responses:\n        '422': {description: refused}\n", 1)))
	s := http.NewServeMux()
	s.HandleFunc("POST /expenses", func(w http.ResponseWriter, r *http.Request) {
		if sentText(t, r, "/day") > "2026" {
			respond(w, 422, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("addExpense")).Accepted)
	assert.Less(t, w.Fresh(w.op("addExpense")).Baseline().At("/day").Text, "2026")
}

// A table can be booked for the next hundred days.
func TestDatesOfTheNextWeeksAreUsedWhereLaterOnesAreRefused(t *testing.T) {
	body := `{type: object, required: [at], properties: {at: {type: string, format: date-time}}}`
	text := document(path("/tables", "", strings.Replace(operation("post", "bookTable", body, "201", identified),
		"responses:\n", "responses:\n        '422': {description: refused}\n", 1)))
	s := http.NewServeMux()
	s.HandleFunc("POST /tables", func(w http.ResponseWriter, r *http.Request) {
		at, err := time.Parse(time.RFC3339, sentText(t, r, "/at"))
		if left := time.Until(at); err != nil || left < 0 || left > 100*24*time.Hour {
			respond(w, 422, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("bookTable")).Accepted)
}

// Each condition needs a value, and no schema says so.
func TestAListIsLeftEmptyWhereItsItemsAreRefusedAndWhatIsMadeSoIsRead(t *testing.T) {
	body := `{type: object, required: [name, conditions], properties: {name: {type: string}, conditions: {type: array, items: {type: object, required: [field], properties: {field: {type: string}, value: {type: string}}}}}}`
	text := document(path("/segments", "", operation("post", "addSegment", body, "201", identified)),
		path("/segments/{segmentId}", "integer", operation("get", "getSegment", "", "200", identified)))
	var made int
	s := http.NewServeMux()
	s.HandleFunc("POST /segments", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		doc, err := jsontree.Parse(sent)
		require.NoError(t, err)
		for _, one := range doc.Root.Get("conditions").Items {
			if one.Get("value") == nil {
				respond(w, 400, `{}`)
				return
			}
		}
		made++
		respond(w, 201, `{"id":%d}`, made)
	})
	s.HandleFunc("GET /segments/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id, err := strconv.Atoi(r.PathValue("id")); err != nil || id > made {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 200, `{"id":%s}`, r.PathValue("id"))
	})
	w := learned(t, text, s)
	assert.Equal(t, "addSegment <- nothing needed", w.dependency("addSegment"))
	assert.Equal(t, "getSegment <- addSegment#/id", w.dependency("getSegment"))
	assert.Empty(t, w.Fresh(w.op("addSegment")).Baseline().At("/conditions").Items)
}

func TestTheExampleOfAWholeBodyIsSentWhereNothingElseIsAccepted(t *testing.T) {
	text := document("  /imports:\n", "    post:\n      operationId: addImport\n      requestBody: {required: true, content: {text/plain: {schema: {type: string}, example: 'https://example.com'}}}\n      responses: {'200': {description: d}, '400': {description: d}}\n",
		"  /notices:\n", "    post:\n      operationId: addNotice\n      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [urls], properties: {urls: {type: array, items: {type: string}}}}, example: {urls: ['mailto:a@example.com']}}}}\n      responses: {'200': {description: d}, '400': {description: d}}\n")
	s := http.NewServeMux()
	s.HandleFunc("POST /imports", func(w http.ResponseWriter, r *http.Request) {
		if sent, err := io.ReadAll(r.Body); err != nil || !strings.HasPrefix(string(sent), "https:") {
			respond(w, 400, `{}`)
		}
	})
	s.HandleFunc("POST /notices", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(sentText(t, r, "/urls/0"), "mailto:") {
			respond(w, 400, `{}`)
		}
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("addImport")).Accepted)
	assert.True(t, w.Facts.Of(w.op("addNotice")).Accepted)
	assert.Equal(t, "https://example.com", string(w.Fresh(w.op("addImport")).Baseline().Body()))
}

func TestTheHelpForARefusedBodyNamesItsMembersAndWhatWasSent(t *testing.T) {
	text := document(path("/codes", "", operation("post", "addCode", `{type: object, required: [word], properties: {word: {type: string}}}`, "201", identified)), path("/ping", "", operation("get", "ping", "", "200", "")))
	s := http.NewServeMux()
	s.HandleFunc("POST /codes", func(w http.ResponseWriter, _ *http.Request) { respond(w, 400, `{}`) })
	s.HandleFunc("GET /ping", func(w http.ResponseWriter, _ *http.Request) { respond(w, 200, `{}`) })
	w := learned(t, text, s)
	assert.Regexp(t, `^addCode not reached: its baseline request is answered with 400: name a value that it accepts: --value 'post-codes:/word=VALUE'; it was sent \{"word":"[a-z0-9]+"\}$`, w.dependency("addCode"))
}

// A reminder needs an address that exists, and none does.
func TestAnOptionalMemberThatIsAlwaysRefusedIsNotSentOnTheWayToOtherRequests(t *testing.T) {
	body := `{type: object, required: [title], properties: {title: {type: string}, note: {type: string}, remindAt: {type: string}}}`
	text := document(path("/todos", "", operation("post", "addTodo", body, "201", identified)))
	s := http.NewServeMux()
	s.HandleFunc("POST /todos", func(w http.ResponseWriter, r *http.Request) {
		if sentText(t, r, "/remindAt") != "" {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	for _, m := range []*message.Message{w.Fresh(w.op("addTodo")).Request(w.op("addTodo"), true), w.Fresh(w.op("addTodo")).Rich(w.op("addTodo"))} {
		assert.NotNil(t, m.At("/note"))
		assert.Nil(t, m.At("/remindAt"))
	}
}

// The server takes a mail or a call, and not both.
func TestOptionalMembersThatAreRefusedTogetherAreSentByTurns(t *testing.T) {
	body := `{type: object, required: [title], properties: {title: {type: string}, mail: {type: string}, call: {type: string}, note: {type: string}}}`
	text := document(path("/todos", "", operation("post", "addTodo", body, "201", identified)))
	s := http.NewServeMux()
	s.HandleFunc("POST /todos", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		sent, err := jsontree.Parse(b)
		if err != nil || sent.Root.Get("mail") != nil && sent.Root.Get("call") != nil {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, text, s)
	op := w.op("addTodo")
	class := &plan.Class{Build: func(g *plan.Gen, draw int) []plan.Step {
		return []plan.Step{{Message: g.Request(op, true)}, {Message: g.Rich(op)}}
	}}
	for draw, names := range [][]string{{"mail", "note"}, {"call"}, {"mail", "note"}} {
		for _, step := range w.Plan.Build(&plan.Case{Op: op, Class: class, Draw: draw}, w.Identity(0)) {
			var got []string
			for _, name := range []string{"mail", "call", "note"} {
				if step.Message.At("/"+name) != nil {
					got = append(got, name)
				}
			}
			assert.Equal(t, names, got, draw)
		}
	}
}

// A thing that is there after a moment may still be refused for what a request lacks.
func TestAThingShowsLaterAlsoToARequestThatIsRefusedForAnotherReason(t *testing.T) {
	text := document(path("/docs", "", operation("post", "addDoc", named, "202", identified)),
		path("/docs/{docId}", "integer", strings.Replace(operation("put", "putDoc", named, "200", identified), "responses:\n", "parameters: [{name: If-Match, in: header, schema: {type: string}}]\n      responses:\n        '404': {description: none}\n        '428': {description: refused}\n", 1),
			operation("get", "getDoc", "", "200", identified), operation("delete", "dropDoc", "", "204", "")))
	var mu sync.Mutex
	made := map[string]time.Time{}
	s := http.NewServeMux()
	s.HandleFunc("POST /docs", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		made[strconv.Itoa(len(made)+1)] = time.Now()
		respond(w, 202, `{"id":%d}`, len(made))
	})
	s.HandleFunc("/docs/{id}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		at, found := made[r.PathValue("id")]
		switch {
		case !found || time.Since(at) < 50*time.Millisecond:
			respond(w, 404, `{}`)
		case r.Method == http.MethodPut && r.Header.Get("If-Match") == "":
			respond(w, 428, `{}`)
		case r.Method == http.MethodDelete:
			w.WriteHeader(204)
		default:
			w.Header().Set("ETag", `"1"`)
			respond(w, 200, `{"id":%s}`, r.PathValue("id"))
		}
	})
	w := over(t, text, s)
	w.Settle = 400 * time.Millisecond
	require.True(t, w.Learn(t.Context()), "%v", w.Reasons)
	for _, name := range []string{"putDoc", "getDoc", "dropDoc"} {
		assert.Contains(t, w.dependency(name), name+" <- addDoc#/id")
	}
}
