package execute_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const lamps = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /lamps:
    post:
      operationId: addLamp
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /lamps/{lampId}:
    parameters: [{name: lampId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getLamp
      responses: {'200': {description: d}, '304': {description: d}, '404': {description: d}}
    delete:
      operationId: dropLamp
      responses: {'204': {description: d}, '409': {description: d}}
`

// shop is a server of lamps.
type shop struct {
	made   int
	late   time.Duration // until a lamp is gone
	gone   map[string]time.Time
	shown  map[string]bool
	locked bool   // no lamp can be deleted any more
	place  string // before the number of a lamp, as its Location says
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/lamps/")
	gone, dropped := s.gone[id]
	switch {
	case r.Method == "POST":
		s.made++
		s.shown[fmt.Sprint(s.made)] = true
		w.Header().Set("Content-Type", "application/json")
		if s.place != "" {
			w.Header().Set("Location", s.place+fmt.Sprint(s.made))
		}
		w.WriteHeader(201)
		fmt.Fprintf(w, `{"id":%d}`, s.made)
	case !s.shown[id] || dropped && time.Now().After(gone):
		w.WriteHeader(404)
	case r.Method == "DELETE" && s.locked:
		w.WriteHeader(409)
	case r.Method == "DELETE":
		s.gone[id] = time.Now().Add(s.late)
		w.WriteHeader(204)
	default:
		w.Header().Set("ETag", `"`+id+`"`)
		_, _ = w.Write([]byte("a lamp"))
	}
}

// live runs the cases about lamps against a shop, in a bubble where waiting takes no
// time, and looks at the record of the first case of a scenario.
func live(t *testing.T, s *shop, settle time.Duration, lifecycle string, then func(), look func(r *judge.Record, failed []string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.gone, s.shown = map[string]time.Time{}, map[string]bool{}
		d := fake.Of(t, lamps, checks.Scenarios()...)
		run, _ := against(t, d, s, execute.Settings{Workers: 1, Settle: settle}, func(*explore.Target) { then() })
		i := slices.IndexFunc(d.Plan.Cases, func(c *plan.Case) bool { return strings.Contains(c.ID, lifecycle) })
		require.GreaterOrEqual(t, i, 0)
		r := run.Record(d.Plan.Cases[i])
		var failed []string
		for _, f := range r.Failures {
			failed = append(failed, run.Judge.Bound[f.At].ID)
		}
		look(r, failed)
	})
}

func TestWhatShowsAMomentLaterIsReadAgain(t *testing.T) {
	for settle, want := range map[time.Duration][]string{2 * time.Second: nil, 0: {"get-lamps-lampid-gone"}} {
		live(t, &shop{late: time.Second}, settle, "/deleted/", nothing, func(r *judge.Record, failed []string) {
			assert.Equal(t, judge.Tried, r.State, r.Why)
			assert.Equal(t, want, failed, settle)
		})
	}
}

// What one operation never shows says nothing of how late others show it.
func TestWhatShowsLateDoesNotFailBecauseOthersNeverShowIt(t *testing.T) {
	const kind = `
  /KIND:
    post:
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /KIND/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: d}, '404': {description: d}}}
    delete: {responses: {'204': {description: d}}}
`
	kinds := []string{"lamps", "bulbs", "wires", "plugs", "fuses"}
	text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:"
	shops := map[string]*shop{}
	for i, name := range kinds {
		text += strings.ReplaceAll(kind, "KIND", name)
		shops["/"+name] = &shop{late: time.Hour, gone: map[string]time.Time{}, shown: map[string]bool{}}
		if i == len(kinds)-1 {
			shops["/"+name].late = time.Second
		}
	}
	synctest.Test(t, func(t *testing.T) {
		d := fake.Of(t, text, checks.Scenarios()...)
		serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := r.URL.Path[:len("/lamps")]
			r.URL.Path = "/lamps" + r.URL.Path[len(name):]
			shops[name].ServeHTTP(w, r)
		})
		run, _ := against(t, d, serve, execute.Settings{Workers: 1, Settle: 2 * time.Second}, func(*explore.Target) {})
		failed := map[string]bool{}
		for _, c := range d.Plan.Cases {
			for _, f := range run.Record(c).Failures {
				failed[run.Judge.Bound[f.At].ID] = true
			}
		}
		for i, name := range kinds {
			assert.Equal(t, i < len(kinds)-1, failed["get-"+name+"-id-gone"], name)
		}
	})
}

func TestWithoutItsStepsALifeSaysNothing(t *testing.T) {
	s := &shop{}
	live(t, s, 0, "/deleted/", func() { s.locked = true }, func(r *judge.Record, failed []string) {
		assert.Equal(t, judge.Inapplicable, r.State)
		assert.Equal(t, "a step before it was not accepted: dropLamp was answered with 409", r.Why)
		assert.Empty(t, failed)
	})
}

func TestAConditionHasTheTagThatTheThingGot(t *testing.T) {
	s := &shop{}
	live(t, s, 0, "/tagged/unchanged/", nothing, func(r *judge.Record, failed []string) {
		assert.Equal(t, judge.Tried, r.State, r.Why)
		assert.Equal(t, []string{"get-lamps-lampid-if-none-match"}, failed, "the shop does not look at the tag")
		last := r.Failures[0].Steps
		assert.Equal(t, last[1].Exchange.Response.Get("ETag"), last[2].Step.Message.Fields[0].Value)
	})
}

func TestAThingIsReadAtItsLocationToo(t *testing.T) {
	for place, want := range map[string][]string{"": nil, "/lamps/": nil, "lamps/": nil, "/lights/": {"get-lamps-lampid-created-readable"}} {
		live(t, &shop{place: place}, 0, "/located/", nothing, func(r *judge.Record, failed []string) {
			assert.Equal(t, judge.Tried, r.State, r.Why)
			assert.Equal(t, want, failed, place)
			if want != nil {
				assert.True(t, strings.HasPrefix(string(r.Failures[0].Steps[1].Exchange.Request.Head), "GET /lights/"))
			}
		})
	}
}

// classes is a mutator with n classes of one case each.
func classes(name string, n int) plan.Mutator {
	return plan.Mutator{Name: name, Doc: "For tests.", Classes: func(*plan.Space) []plan.Class {
		var out []plan.Class
		for i := range n {
			out = append(out, plan.Class{Family: plan.FamilyValid, Kind: fmt.Sprint("kind", i), Cases: 1, Expected: message.Accept, Build: func(g *plan.Gen, _ int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}}
			}})
		}
		return out
	}}
}

// TestARunThatIsCutHasOneCaseOfEachKind: the classes of one mutator take no time from those of
// others, nor from the cases about credentials.
func TestARunThatIsCutHasOneCaseOfEachKind(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(time.Second, d.Conforming(c.Request))
	}
	cases := []plan.Mutator{classes("many", 200), classes("other", 1), sequence("several", 1, 3, nil), heavy("large", 1, 100), wrongTokens("token", 1)}
	play(t, script{serve: slow, cases: cases, ends: 100 * time.Second}, func(t *testing.T, s scene) {
		for _, mutator := range []string{"many", "other", "several", "large", "token"} {
			assert.Equal(t, judge.Tried, s.Record(s.of(mutator)[0]).State, mutator)
		}
		assert.Empty(t, s.why("token"), "there is time for all of them")
		left := s.why("many")
		require.NotEmpty(t, left)
		assert.Contains(t, left[0], "--max-time")
		assert.Greater(t, len(s.sent("many")), 60, "the time is used")
		assert.NotEqual(t, s.order()[len(s.order())-1], "many", "those about credentials stay last")
	})
}

func TestEveryOperationHasItsPartOfARoundBeforeTheNextRound(t *testing.T) {
	cases := []plan.Mutator{classes("many", 5), classes("other", 3), singles("drawn", 4)}
	play(t, script{serve: conforming, cases: cases}, func(t *testing.T, s scene) {
		var order []string
		for _, c := range s.Calls() {
			if parts := strings.Split(c.Case, "/"); len(parts) > 3 && parts[2] != opening {
				order = append(order, parts[2]+parts[4])
			}
		}
		require.Len(t, order, 12)
		assert.ElementsMatch(t, []string{"many0", "other0", "drawn0"}, order[:3], "the first class of each mutator")
		assert.NotContains(t, strings.Join(order[:9], " "), "drawn1", "a second case comes behind the first of every class")
	})
}

func TestATargetThatStopsAnsweringOnKeptConnectionsIsToldSoon(t *testing.T) {
	// It answers one request of these cases on each connection.
	deaf := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if !c.Fresh && (of(c, "one") || of(c, "pair")) {
			return hanging()
		}
		return d.Conforming(c.Request)
	}
	play(t, script{serve: deaf, workers: 4, cases: []plan.Mutator{pairs("pair", 200), singles("one", 400)}}, func(t *testing.T, s scene) {
		assert.Less(t, s.took, 40*time.Second)
		assert.Empty(t, s.ways("one"), "each is answered on a connection of its own")
		ways := s.ways("pair")
		assert.Len(t, ways, 1, "one is confirmed, the others stay behind it")
		for _, way := range ways {
			assert.Equal(t, "post-plants-answered: timed out\n", way)
		}
		hung := 0
		for _, c := range s.sent("pair") {
			if !c.Fresh {
				hung++
			}
		}
		assert.Less(t, hung, 100, "what no case of a mutator shows otherwise is not waited for in each class")
	})
}

// pairs is n classes of a case each: two requests on a connection.
func pairs(name string, n int) plan.Mutator {
	two := sequence(name, 1, 2, nil)
	return plan.Mutator{Name: name, Doc: two.Doc, Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for i := range n {
			c := two.Classes(s)[0]
			c.Kind = fmt.Sprintf("kind-%d", i)
			out = append(out, c)
		}
		return out
	}}
}

// A server that does not read chunks takes them for the next request.
func TestNoCaseFollowsAnUnusualFramingOnItsConnection(t *testing.T) {
	chunked := making("chunked", plan.Class{Family: plan.FamilyMayRefuse, Cases: 20, Expected: message.Either, Build: func(g *plan.Gen, _ int) []plan.Step {
		m := g.Baseline()
		m.Framing = message.Chunked
		return []plan.Step{{Message: m}}
	}})
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange { return d.Conforming(c.Request) }
	play(t, script{serve: serve, cases: []plan.Mutator{chunked, singles("plain", 20)}}, func(t *testing.T, s scene) {
		var before fake.Call
		kept, behind := 0, 0
		for i, c := range s.Calls() {
			switch {
			case i > 0 && of(before, "chunked"):
				assert.True(t, c.Fresh, c.Request.Case)
				behind++
			case !c.Fresh:
				kept++
			}
			before = c
		}
		assert.NotZero(t, behind)
		assert.NotZero(t, kept)
	})
}

// twice sends a text with a letter of two bytes, and again in pieces.
func twice() plan.Mutator {
	return making("twice", plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: 1, Connections: 1, Build: func(g *plan.Gen, _ int) []plan.Step {
		text := jsontree.NewString(g.Word() + "é")
		whole, again := g.Baseline(), g.Baseline()
		whole.Tree.Set("name", text)
		again.Tree.Set("name", text.Clone())
		again.Framing = message.Pieces
		return []plan.Step{{Message: whole}, {Message: again, From: plan.Taken{}}}
	}})
}

func TestWhatWasAcceptedMustBeAcceptedAgainUnlessRepeatsAreRefused(t *testing.T) {
	name := func(c fake.Call) string {
		_, rest, _ := bytes.Cut(c.Request.Body, []byte(`"name":"`))
		text, _, _ := bytes.Cut(rest, []byte(`"`))
		return string(text)
	}
	wide := func(c fake.Call) bool { return bytes.Contains(c.Request.Body, []byte("é")) }
	for what, refuses := range map[string]func(c fake.Call, times int) bool{
		"in pieces": func(c fake.Call, _ int) bool { return wide(c) && len(c.Request.Cuts) > 0 },
		"repeated":  func(_ fake.Call, times int) bool { return times > 0 },
		"wide":      func(c fake.Call, _ int) bool { return wide(c) },
	} {
		seen := map[string]int{}
		play(t, script{cases: []plan.Mutator{twice()}, serve: func(d *fake.Document, c fake.Call) *exchange.Exchange {
			e := d.Conforming(c.Request)
			if e.Success() {
				if refuses(c, seen[name(c)]) {
					return fake.Answer(400, "application/json", `{"error":400,"message":"no"}`)
				}
				seen[name(c)]++
			}
			return e
		}}, func(t *testing.T, s scene) {
			said := fmt.Sprint(s.ways("twice"))
			assert.Equal(t, what == "in pieces", strings.Contains(said, "post-plants-valid-accepted"), "%s: %s", what, said)
		})
	}
}
