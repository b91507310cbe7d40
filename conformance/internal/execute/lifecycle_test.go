package execute_test

import (
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
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
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
// time, and looks at the record of the first case of a lifecycle.
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
