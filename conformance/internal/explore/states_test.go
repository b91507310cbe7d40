package explore_test

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// The state of an order is why its shipment is refused. Nothing makes a carrier.
func TestAStateIsMadeAlsoWhereNothingMakesAnotherValueOfTheRequest(t *testing.T) {
	for name, body := range map[string]string{
		"any value": `{type: object, required: [carrierId], properties: {carrierId: {type: string}}}`,
		"left out":  `{type: object, properties: {carrierId: {type: string}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			text := document(path("/orders", "", operation("post", "addOrder", named, "201", identified)),
				path("/orders/{orderId}/payment", "integer", operation("post", "payOrder", named, "200", identified)),
				path("/orders/{orderId}/shipment", "integer", operation("post", "shipOrder", body, "200", identified)))
			paid := map[string]bool{}
			s := http.NewServeMux()
			s.HandleFunc("POST /orders", func(w http.ResponseWriter, _ *http.Request) { respond(w, 201, `{"id":%d}`, len(paid)+1) })
			s.HandleFunc("POST /orders/{id}/payment", func(w http.ResponseWriter, r *http.Request) {
				paid[r.PathValue("id")] = true
				respond(w, 200, `{"id":1}`)
			})
			s.HandleFunc("POST /orders/{id}/shipment", func(w http.ResponseWriter, r *http.Request) {
				if !paid[r.PathValue("id")] {
					respond(w, 400, `{}`)
					return
				}
				delete(paid, r.PathValue("id"))
				respond(w, 200, `{"id":1}`)
			})
			w := learned(t, text, s)
			want := "shipOrder <- addOrder#/id after payOrder"
			if name == "any value" {
				want = "shipOrder <- addOrder#/id, any value after payOrder"
			}
			assert.Equal(t, want, w.dependency("shipOrder"))
		})
	}
}

// A ticket that was just made is open, and nothing says so.
func TestAnotherValueOfAnEnumIsSentWhereAThingIsInTheFirstStateAlready(t *testing.T) {
	to := `{type: object, required: [to], properties: {to: {type: string, enum: [open, closed, solved]}}}`
	for _, accepted := range []string{"closed", "solved", ""} {
		t.Run(accepted, func(t *testing.T) {
			text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
				path("/users/{userId}/moves", "integer", operation("post", "move", to, "200", identified)))
			s := newService(`{"id":%d}`)
			s.HandleFunc("POST /users/{id}/moves", func(w http.ResponseWriter, r *http.Request) {
				sent, err := io.ReadAll(r.Body)
				if err != nil || string(sent) != `{"to":"`+accepted+`"}` {
					respond(w, 400, `{}`)
					return
				}
				respond(w, 200, `{"id":1}`)
			})
			w := learned(t, text, s)
			facts := fmt.Sprint(w.Facts.List(w.Document.Contract.Operations))
			if accepted == "" {
				assert.NotContains(t, facts, "enums")
				assert.NotEmpty(t, w.Facts.Of(w.op("move")).Unreached)
				return
			}
			assert.Equal(t, "move <- addUser#/id", w.dependency("move"))
			assert.Contains(t, facts, "enums the first values are refused")
		})
	}
}

func TestAnAmountThatNoSchemaBoundsIsSmallWhereLargeOnesAreRefused(t *testing.T) {
	lines := `{type: object, required: [lines], properties: {lines: {type: array, minItems: 1, items: {type: object, required: [count], properties: {count: {type: integer, minimum: 1}}}}}}`
	for _, status := range []int{400, 409} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
				path("/users/{userId}/orders", "integer", operation("post", "addOrder", lines, "201", identified)))
			text = strings.ReplaceAll(text, "'400'", fmt.Sprintf("'%d'", status))
			s := newService(`{"id":%d}`)
			s.HandleFunc("POST /users/{id}/orders", func(w http.ResponseWriter, r *http.Request) {
				sent, err := io.ReadAll(r.Body)
				if n, _ := jsontree.Rat(string(regexp.MustCompile(`\d+`).Find(sent))); err != nil || n.Cmp(big.NewRat(40, 1)) > 0 {
					respond(w, status, `{}`)
					return
				}
				respond(w, 201, `{"id":1}`)
			})
			w := learned(t, text, s)
			assert.Equal(t, "addOrder <- addUser#/id", w.dependency("addOrder"))
			assert.Contains(t, fmt.Sprint(w.Facts.List(w.Document.Contract.Operations)), "only small ones are accepted")
		})
	}
}

// A deleted note can be restored, and no other one. At the end nothing of them is left.
func TestADeletionMayComeBeforeAnActionThatRestores(t *testing.T) {
	text := document(path("/notes", "", operation("post", "addNote", named, "201", identified)),
		path("/notes/{noteId}", "integer", operation("delete", "dropNote", "", "204", "")),
		path("/notes/{noteId}/restore", "integer", operation("post", "restoreNote", "", "200", identified)))
	var mu sync.Mutex
	gone := map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("POST /notes", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := len(gone) + 1
		gone[fmt.Sprint(id)] = false
		respond(w, 201, `{"id":%d}`, id)
	})
	change := func(was bool, status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if is, known := gone[r.PathValue("id")]; !known || is != was {
				respond(w, 400, `{}`)
				return
			}
			gone[r.PathValue("id")] = !was
			respond(w, status, `{"id":%s}`, r.PathValue("id"))
		}
	}
	s.HandleFunc("DELETE /notes/{id}", change(false, 204))
	s.HandleFunc("POST /notes/{id}/restore", change(true, 200))
	w := learned(t, text, s)
	assert.Equal(t, "restoreNote <- addNote#/id after dropNote", w.dependency("restoreNote"))
	w.CleanUp(t.Context())
	for id, is := range gone {
		assert.True(t, is, id)
	}
}

// After the first request, only ten people are taken.
func TestWhatOthersNeedIsMadeWithSmallNumbersAfterARefusal(t *testing.T) {
	people := `{type: object, required: [people], properties: {people: {type: integer, minimum: 1, maximum: 200}}}`
	text := document(path("/stays", "", operation("post", "addStay", people, "201", identified)),
		path("/stays/{stayId}", "integer", operation("get", "getStay", "", "200", identified), operation("delete", "dropStay", "", "204", "")))
	refused, made := 0, 0
	s := http.NewServeMux()
	s.HandleFunc("POST /stays", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if n, _ := jsontree.Rat(string(regexp.MustCompile(`\d+`).Find(sent))); err != nil || made > 0 && n.Cmp(big.NewRat(10, 1)) > 0 {
			refused++
			respond(w, 400, `{}`)
			return
		}
		made++
		respond(w, 201, `{"id":%d}`, made)
	})
	s.HandleFunc("GET /stays/{id}", func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"id":%s}`, r.PathValue("id")) })
	s.HandleFunc("DELETE /stays/{id}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	w := learned(t, text, s)
	for range 20 {
		_, err := w.bound("dropStay")
		require.NoError(t, err)
	}
	assert.Positive(t, refused)
}

// A PUT demands the entity tag of what it replaces, and its document says so in prose alone.
func TestAConditionThatIsDemandedIsReadFromTheThing(t *testing.T) {
	one := `{type: object, minProperties: 1, properties: {name: {type: string, maxLength: 40}, text: {type: string}}}` // a baseline request has an optional member
	for _, row := range []struct {
		status int
		body   string
		made   string // the answer that a new note has beside its Location
	}{{428, named, `{"id":%d}`}, {400, named, `{"id":%d}`}, {428, one, `{"id":%d}`}, {428, named, `{"no":%d}`}} {
		status := row.status
		t.Run(http.StatusText(status)+row.body+row.made, func(t *testing.T) {
			put := strings.Replace(operation("put", "putNote", row.body, "200", identified), "      requestBody",
				"      parameters: [{name: If-Match, in: header, schema: {type: string}}]\n      requestBody", 1)
			text := document(path("/notes", "", operation("post", "addNote", named, "201", identified)),
				path("/notes/{noteId}", "integer", operation("get", "getNote", "", "200", identified), strings.Replace(put, "'400'", fmt.Sprintf("'%d'", status), 1)))
			made := 0
			s := http.NewServeMux()
			s.HandleFunc("POST /notes", func(w http.ResponseWriter, _ *http.Request) {
				made++
				w.Header().Set("Location", fmt.Sprintf("/notes/%d", made))
				respond(w, 201, row.made, made)
			})
			s.HandleFunc("GET /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", fmt.Sprintf("%q", "n"+r.PathValue("id")))
				respond(w, 200, `{"id":%s}`, r.PathValue("id"))
			})
			s.HandleFunc("PUT /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("If-Match") != fmt.Sprintf("%q", "n"+r.PathValue("id")) {
					respond(w, status, `{}`)
					return
				}
				respond(w, 200, `{"id":%s}`, r.PathValue("id"))
			})
			w := learned(t, text, s)
			facts := w.Facts.Of(w.op("putNote"))
			assert.True(t, facts.Accepted)
			assert.Equal(t, map[string]bool{"header/If-Match": true}, facts.Needs)
			assert.Equal(t, status == 428, facts.Demands)
		})
	}
}

// Nobody may have more than three loans, so the member whom the first requests share takes no more.
func TestAThingThatTakesNoMoreIsNoRepeatedValue(t *testing.T) {
	loan := `{type: object, required: [days, title], properties: {days: {type: integer, minimum: 1, maximum: 28}, title: {type: string, maxLength: 40}}}`
	text := document(path("/members", "", operation("post", "addMember", named, "201", identified)),
		path("/members/{memberId}/loans", "integer", operation("get", "listLoans", "", "200", ""), operation("post", "addLoan", loan, "201", identified)))
	loans, members := map[string]int{}, 0
	s := http.NewServeMux()
	s.HandleFunc("POST /members", func(w http.ResponseWriter, _ *http.Request) {
		members++
		respond(w, 201, `{"id":%d}`, members)
	})
	s.HandleFunc("POST /members/{id}/loans", func(w http.ResponseWriter, r *http.Request) {
		if loans[r.PathValue("id")]++; loans[r.PathValue("id")] > 1 {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("GET /members/{id}/loans", func(http.ResponseWriter, *http.Request) {})
	w := learned(t, text, s)
	facts := w.Facts.Of(w.op("addLoan"))
	assert.True(t, facts.Accepted)
	assert.False(t, facts.Reached.Own)
	assert.False(t, facts.Unique())
}

// A PUT that has to name the version that it replaces is refused with any other one. Where a POST
// takes it too, it is a value like others.
func TestAVersionThatNoRequestMakesIsReadFromTheThing(t *testing.T) {
	versioned := `{type: object, required: [name, version], properties: {name: {type: string, maxLength: 40}, version: {type: integer}}}`
	shown := `{type: object, required: [id], properties: {id: {type: integer}, version: {type: integer}}}`
	for post, want := range map[string]string{named: "putNote <- addNote#/id, getNote#/version", versioned: "putNote <- addNote#/id"} {
		text := document(path("/notes", "", operation("post", "addNote", post, "201", identified)),
			path("/notes/{noteId}", "integer", operation("get", "getNote", "", "200", shown), operation("put", "putNote", versioned, "200", shown)))
		made := 0
		s := http.NewServeMux()
		s.HandleFunc("POST /notes", func(w http.ResponseWriter, _ *http.Request) {
			made++
			respond(w, 201, `{"id":%d}`, made)
		})
		s.HandleFunc("GET /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
			respond(w, 200, `{"id":%[1]s,"version":7%[1]s}`, r.PathValue("id"))
		})
		s.HandleFunc("PUT /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
			sent, err := io.ReadAll(r.Body)
			if err != nil || post == named && !strings.Contains(string(sent), `"version":7`+r.PathValue("id")) {
				respond(w, 400, `{}`)
				return
			}
			respond(w, 200, `{"id":%s}`, r.PathValue("id"))
		})
		assert.Equal(t, want, learned(t, text, s).dependency("putNote"))
	}
}

// The name is misread: the server wants a word of its own.
func TestAGuessedKindOfTextIsGivenUpIfItIsRefused(t *testing.T) {
	w, op := marked(t, `currency: {type: string, maxLength: 12}`, "/currency", func(text string) bool { return len(text) > 3 })
	assert.True(t, w.Facts.Of(op).Accepted)
	m := w.Fresh(op).Baseline()
	assert.True(t, m.Unguessed)
	assert.Equal(t, schema.MustAccept, op.Body.Shape.ReadBound([]byte(`{"currency":"word"}`), schema.Bindings{Unguessed: m.Unguessed}).Kind, "any text is as ordinary as another one now")
}

func TestAKindThatASentenceTellsOfIsTriedIfPlainTextsAreRefused(t *testing.T) {
	const said = `code: {type: string, maxLength: 40, description: Not a currency code (ISO 4217).}`
	for name, takes := range map[string]func(string) bool{"plain": func(text string) bool { return len(text) > 3 }, "told": func(text string) bool { return len(text) == 3 }} {
		w, op := marked(t, said, "/code", takes)
		assert.True(t, w.Facts.Of(op).Accepted, name)
		assert.Equal(t, name == "told", len(w.Fresh(op).Baseline().Tree.Get("code").Text) == 3, name)
	}
}

// marked learns an operation whose server takes some texts of a member.
func marked(t *testing.T, member, at string, takes func(text string) bool) (world, *openapi.Operation) {
	t.Helper()
	name := at[1:]
	s := http.NewServeMux()
	s.HandleFunc("POST /marks", func(w http.ResponseWriter, r *http.Request) {
		if !takes(sentText(t, r, at)) {
			respond(w, 400, `{}`)
			return
		}
		respond(w, 201, `{"id":1}`)
	})
	w := learned(t, document(path("/marks", "", operation("post", "addMark", `{type: object, required: [`+name+`], properties: {`+member+`}}`, "201", identified))), s)
	return w, w.op("addMark")
}

// A PUT makes a page under the key of its path, and needs two members that its schema lets it
// leave out; a get reads it.
func TestAPutThatMakesAThingGetsTheOptionalMembersThatItNeeds(t *testing.T) {
	body := `{type: object, properties: {kind: {type: string}, text: {type: string}}}`
	text := document(path("/pages/{pageId}", "string",
		strings.Replace(operation("put", "putPage", body, "201", identified), "responses:\n", "responses:\n        '404': {description: none}\n", 1),
		operation("get", "getPage", "", "200", identified)))
	pages := map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("PUT /pages/{id}", func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		if !bytes.Contains(sent, []byte(`"kind"`)) || !bytes.Contains(sent, []byte(`"text"`)) {
			respond(w, 404, `{}`)
			return
		}
		pages[r.PathValue("id")] = true
		respond(w, 201, `{"id":1}`)
	})
	s.HandleFunc("GET /pages/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !pages[r.PathValue("id")] {
			respond(w, 404, `{}`)
			return
		}
		respond(w, 200, `{"id":1}`)
	})
	w := learned(t, text, s)
	assert.True(t, w.Facts.Of(w.op("putPage")).Accepted)
	assert.Equal(t, map[string]bool{"/kind": true, "/text": true}, w.Facts.Of(w.op("putPage")).Needs)
	assert.True(t, w.Facts.Of(w.op("getPage")).Accepted)
}
