package execute_test

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// boxes is a document of boxes that are made, or only listed, and of what is put into
// them.
const boxes = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /boxes:
    METHOD:
      operationId: boxes
      responses: {'200': {description: d, content: {application/json: {schema: BOXES}}}}
  /boxes/{boxId}:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getBox
      responses: {'200': {description: d}}
  /boxes/{boxId}/balls:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: balls
      responses: {'200': {description: d}}
    post:
      operationId: addBall
      responses: {'201': {description: d}, 'FULL': {description: d}}
`

// crate is a server of boxes, each of which takes so many balls.
type crate struct {
	maximum int
	balls   map[string]int
	boxes   int
	full    bool // it takes none at all any more
	says    int  // the status of a refusal; 409 where it is 0
	picky   int  // it refuses each nth ball; 0 for none
	pair    bool // and the one after it
	seen    int
}

func (s *crate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch box := strings.Split(strings.Trim(r.URL.Path, "/"), "/"); {
	case len(box) == 1 && r.Method == "POST":
		s.boxes++
		fmt.Fprintf(w, `{"id":%d}`, s.boxes)
	case len(box) == 1:
		_, _ = w.Write([]byte(`[{"id":1}]`))
	case r.Method == "GET":
	case s.full || s.balls[box[1]] >= s.maximum || s.refuses():
		w.WriteHeader(cmp.Or(s.says, 409))
	default:
		s.balls[box[1]]++
		w.WriteHeader(201)
	}
}

func (s *crate) refuses() bool {
	s.seen++
	return s.picky > 0 && (s.seen%s.picky == 0 || s.pair && s.seen > 1 && s.seen%s.picky == 1)
}

// put runs cases that put so many balls each into a box. It returns the failed cases,
// and why others were not tried.
func (s *crate) put(t *testing.T, method string, cases, each int, then func()) (failed []string, why map[string]int) {
	t.Helper()
	s.balls = map[string]int{}
	schema := map[string]string{"post": "{type: object, properties: {id: {type: integer}}}", "get": "{type: array, items: {type: object, properties: {id: {type: integer}}}}"}
	d := fake.Of(t, strings.NewReplacer("FULL", fmt.Sprint(cmp.Or(s.says, 409)), "METHOD", method, "BOXES", schema[method]).Replace(boxes), plan.Mutator{Name: "balls", Doc: "Balls.", Classes: func(s *plan.Space) []plan.Class {
		if s.Op.ID != "addBall" {
			return nil
		}
		return []plan.Class{{Family: plan.FamilySequence, Kind: "in", Expected: message.Accept, Phase: plan.Sequence, Cases: cases, Build: func(g *plan.Gen, _ int) []plan.Step {
			var steps []plan.Step
			for range each {
				steps = append(steps, plan.Step{Message: g.Baseline()})
			}
			return steps
		}}}
	}})
	run, _ := against(t, d, s, execute.Settings{Workers: 1}, func(to *explore.Target) {
		require.False(t, to.Facts.Of(d.Contract.Find("addBall")).Reached.Own)
		then()
	})
	why = map[string]int{}
	for _, c := range d.Plan.Cases {
		r := run.Record(c)
		if len(r.Failures) > 0 {
			failed = append(failed, c.ID)
		}
		if r.Why != "" {
			why[r.Why]++
		}
	}
	return failed, why
}

func nothing() {}

func TestAThingThatTakesNoMoreIsReplacedByAnotherOne(t *testing.T) {
	for _, status := range []int{409, 413, 422} {
		for _, each := range []int{1, 3} {
			s := &crate{maximum: 5, says: status}
			before := 0
			failed, why := s.put(t, "post", 20, each, func() { before = s.boxes })
			assert.Empty(t, failed)
			assert.Empty(t, why)
			assert.Greater(t, s.boxes, before+3)
		}
	}
}

// A seat is held for a while: what is over says nothing of a request.
func TestAThingThatLivesForAWhileIsReplacedByAnotherOne(t *testing.T) {
	for name, row := range map[string]struct {
		status, lives int
		failed        bool
	}{
		"gone":             {status: 410, lives: 3},
		"not found":        {status: 404, lives: 3},
		"never there":      {status: 410, lives: 0, failed: true},
		"undocumented 451": {status: 451, lives: 3, failed: true},
	} {
		d := fake.Of(t, `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /holds:
    post:
      operationId: hold
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /holds/{holdId}:
    parameters: [{name: holdId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getHold
      responses: {'200': {description: d}, '404': {description: d}, '410': {description: d}}
`, plan.Mutator{Name: "reads", Doc: "Reads.", Classes: func(s *plan.Space) []plan.Class {
			if s.Op.ID != "getHold" {
				return nil
			}
			return []plan.Class{{Family: plan.FamilyValid, Kind: "plainly", Expected: message.Accept, Cases: 20, Build: func(g *plan.Gen, _ int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}}
			}}}
		}})
		made, read := 0, map[string]int{}
		learned := false
		server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == "POST":
				made++
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(201)
				fmt.Fprintf(w, `{"id":%d}`, made)
			case learned && read[r.URL.Path] >= row.lives:
				w.WriteHeader(row.status)
			default:
				read[r.URL.Path]++
			}
		})
		run, _ := against(t, d, server, execute.Settings{Workers: 1}, func(*explore.Target) { learned = true; clear(read) })
		failed := 0
		for _, c := range d.Plan.Cases {
			failed += len(run.Record(c).Failures)
		}
		assert.Equal(t, row.failed, failed > 0, name)
	}
}

func TestWithoutAnotherThingACaseIsNotTried(t *testing.T) {
	failed, why := (&crate{maximum: 8}).put(t, "get", 20, 1, nothing)
	assert.Empty(t, failed)
	assert.Len(t, why, 1)
	assert.GreaterOrEqual(t, why[execute.ExhaustedReason], 12)
}

func TestACaseThatIsTooMuchForOneThingGetsOneForEachRequest(t *testing.T) {
	failed, why := (&crate{maximum: 5}).put(t, "post", 2, 6, nothing)
	assert.Empty(t, failed)
	assert.Empty(t, why)
}

func TestATargetThatRefusesEveryThingFails(t *testing.T) {
	s := &crate{maximum: 100}
	failed, why := s.put(t, "post", 3, 1, func() { s.full = true })
	assert.Len(t, failed, 3)
	assert.Empty(t, why)
}

func TestAConflictAboutAThingThatTakesMoreIsAFailure(t *testing.T) {
	s := &crate{maximum: 100}
	failed, why := s.put(t, "post", 12, 1, func() { s.picky = 3 })
	assert.NotEmpty(t, failed)
	assert.Empty(t, why)
}

// TestTwoRefusalsInARowAreNotAllThatAThingTakes: two dates may be taken by chance.
func TestTwoRefusalsInARowAreNotAllThatAThingTakes(t *testing.T) {
	s := &crate{maximum: 100}
	_, why := s.put(t, "get", 20, 1, func() { s.picky, s.pair = 5, true })
	assert.Empty(t, why)
}

// TestAnActionThatHappensOnceToAThingThatCannotBeMadeIsNotTriedAgain: a cancelled order cannot be
// cancelled, and there is no other one.
func TestAnActionThatHappensOnceToAThingThatCannotBeMadeIsNotTriedAgain(t *testing.T) {
	d := fake.Of(t, `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /orders:
    get:
      operationId: orders
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}}
  /orders/{orderId}/cancel:
    parameters: [{name: orderId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: cancel
      responses: {'200': {description: d}, '409': {description: d}}
`, plan.Mutator{Name: "cancel", Doc: "Cancels.", Classes: func(s *plan.Space) []plan.Class {
		if s.Op.ID != "cancel" {
			return nil
		}
		return []plan.Class{{Family: plan.FamilyValid, Kind: "plainly", Expected: message.Accept, Cases: 3, Build: func(g *plan.Gen, _ int) []plan.Step {
			return []plan.Step{{Message: g.Baseline()}}
		}}}
	}})
	cancelled := false
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == "GET":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`[{"id":1}]`))
		case cancelled:
			w.WriteHeader(409)
		default:
			cancelled = true
		}
	})
	run, _ := against(t, d, server, execute.Settings{Workers: 1}, func(to *explore.Target) {
		require.True(t, to.Facts.Of(d.Contract.Find("cancel")).Reached.Own)
	})
	exhausted := 0
	for _, c := range d.Plan.Cases {
		assert.Empty(t, run.Record(c).Failures, c.ID)
		if run.Record(c).Why == execute.ExhaustedReason {
			exhausted++
		}
	}
	assert.Equal(t, 2, exhausted, "the first case cancels it")
}
