package conformance_test

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// house is a document of rooms, one of which is there before the run, of the rules of the house,
// and of a switch, which is put in.
func house(switching string) []byte {
	return []byte(`
openapi: 3.1.0
info: {title: House, version: '1'}
components:
  schemas:
    Room: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
    Made: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}
    Rules: {type: object, required: [motto], properties: {motto: {type: string}, quiet: {type: boolean}, changes: {type: integer, readOnly: true}}}
  requestBodies:
    Room: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
  responses:
    Made: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Made'}}}}
    Rules: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Rules'}}}}
    No: {description: d}
paths:
  /rules:
    get: {operationId: getRules, responses: {'200': {$ref: '#/components/responses/Rules'}}}
    put:
      operationId: setRules
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Rules'}}}}
      responses: {'200': {$ref: '#/components/responses/Rules'}, '400': {$ref: '#/components/responses/No'}}
  /rooms:
    post:
      operationId: addRoom
      requestBody: {$ref: '#/components/requestBodies/Room'}
      responses: {'201': {$ref: '#/components/responses/Made'}, '400': {$ref: '#/components/responses/No'}}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getRoom, responses: {'200': {$ref: '#/components/responses/Made'}, '404': {$ref: '#/components/responses/No'}, '400': {$ref: '#/components/responses/No'}}}
    put:
      operationId: setRoom
      requestBody: {$ref: '#/components/requestBodies/Room'}
      responses: {'200': {$ref: '#/components/responses/Made'}, '404': {$ref: '#/components/responses/No'}, '400': {$ref: '#/components/responses/No'}}
    delete: {operationId: dropRoom, responses: {'204': {$ref: '#/components/responses/No'}, '404': {$ref: '#/components/responses/No'}, '400': {$ref: '#/components/responses/No'}}}
` + switching)
}

// housed serves the document. Its state is all that a user would miss.
type housed struct {
	mu    sync.Mutex
	last  int
	rooms map[string]string
	rules string
	sets  int // changes of the rules
	off   bool
	// turn changes the switch, and refuse says how a request is answered while it is off; 0 lets
	// it through.
	turn   func(h *housed, method, path string, body *jsontree.Value) (status int, mine bool)
	refuse func(method string) int
	more   func(path string) string // what else is shown; nil if nothing
}

func newHouse(turn func(*housed, string, string, *jsontree.Value) (int, bool), refuse func(string) int) *housed {
	return &housed{last: 10, rooms: map[string]string{"7": `"name":"hall","size":3`}, rules: `"motto":"be kind","quiet":true`, turn: turn, refuse: refuse}
}

// state is what a run must leave as it was.
func (h *housed) state() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprint(h.rooms, h.rules, h.off)
}

// typed writes the members of an object that have the given kinds; the first one is required.
// It is empty for any other body.
func typed(body *jsontree.Value, names []string, kinds ...jsontree.Kind) string {
	if body == nil || body.Kind != jsontree.Object || body.Get(names[0]) == nil {
		return ""
	}
	var out []string
	for i, name := range names {
		v := body.Get(name)
		switch {
		case v == nil:
			continue
		case v.Kind != kinds[i]:
			return ""
		case v.Kind == jsontree.Number:
			if _, whole := jsontree.Int64(v.Text); !whole {
				return ""
			}
		case !utf8.ValidString(v.Text) || strings.Contains(strings.ToLower(v.String()), `\ud`):
			return "" // half a character
		}
		out = append(out, fmt.Sprintf("%q:%s", name, v.Emit()))
	}
	return strings.Join(out, ",")
}

func (h *housed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var body *jsontree.Value
	raw, _ := io.ReadAll(r.Body)
	if doc, err := jsontree.Parse(raw); err == nil && utf8.Valid(raw) { // what is stored goes into later answers as it is
		body = doc.Root
	}
	if h.turn != nil {
		if status, mine := h.turn(h, r.Method, r.URL.Path, body); mine {
			w.WriteHeader(status)
			return
		}
	}
	if h.off && h.refuse(r.Method) != 0 {
		w.WriteHeader(h.refuse(r.Method))
		return
	}
	id, item := strings.CutPrefix(r.URL.Path, "/rooms/")
	room := typed(body, []string{"name", "size"}, jsontree.String, jsontree.Number)
	rules := typed(body, []string{"motto", "quiet"}, jsontree.String, jsontree.Bool)
	status := 200
	var shown string
	switch _, found := h.rooms[id]; {
	case h.more != nil && h.more(r.URL.Path) != "":
		shown = h.more(r.URL.Path)
	case r.URL.Path == "/rules" && r.Method == "GET":
		shown = fmt.Sprintf(`%s,"changes":%d`, h.rules, h.sets)
	case r.URL.Path == "/rules" && rules == "", r.URL.Path == "/rooms" && room == "":
		status = 400
	case r.URL.Path == "/rules":
		h.rules, h.sets = rules, h.sets+1
		shown = fmt.Sprintf(`%s,"changes":%d`, h.rules, h.sets)
	case r.URL.Path == "/rooms":
		h.last++
		h.rooms[fmt.Sprint(h.last)] = room
		status, shown = 201, fmt.Sprintf(`%s,"id":%d`, room, h.last)
	case !item || !found:
		status = 404
	case r.Method == "DELETE":
		delete(h.rooms, id)
		status = 204
	case r.Method == "PUT" && room == "":
		status = 400
	default:
		if r.Method == "PUT" {
			h.rooms[id] = room
		}
		shown = h.rooms[id] + `,"id":` + id
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if shown != "" {
		_, _ = io.WriteString(w, "{"+shown+"}")
	}
}

// all refuses every request with a status, and writes only those that change something.
func all(status int) func(string) int { return func(string) int { return status } }
func writes(status int) func(string) int {
	return func(method string) int {
		if method == "GET" {
			return 0
		}
		return status
	}
}

// lived runs and reaches a house, and wants it as it was.
func lived(t *testing.T, switching string, h *housed, c conformance.Config) *report.Report {
	t.Helper()
	before := h.state()
	s := httptest.NewServer(h)
	defer s.Close()
	c.Spec, c.Target, c.Effort, c.Draws, c.AllowDisruptive = house(switching), s.URL, cmp.Or(c.Effort, "smoke"), -1, true
	_, err := conformance.Reach(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, before, h.state(), "after reach")
	got, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	if !unanswered(got) {
		assert.Equal(t, before, h.state(), "after the run")
	}
	return got
}

// learned returns the facts of a report in one text.
func learned(r *report.Report) string {
	var out []string
	for _, f := range r.Facts {
		out = append(out, f.Name+": "+f.Value)
	}
	return strings.Join(out, "\n")
}

func TestARunPutsBackWhatItChangedAndDidNotMake(t *testing.T) {
	t.Parallel()
	got := lived(t, "", newHouse(nil, nil), conformance.Config{Values: []string{"put-rooms-id:path/id=7"}})
	assert.Empty(t, failedMusts(got))
	require.NotNil(t, got.CleanUp)
	assert.Equal(t, 2, got.CleanUp.Changed, "the rules and room 7")
	assert.Equal(t, 2, got.CleanUp.Restored)
	assert.Empty(t, got.CleanUp.Left)
}

func TestProposePutsBackWhatItChangedAndTurnedOffAndDeletesWhatItMade(t *testing.T) {
	t.Parallel()
	turned := 0
	h := newHouse(func(h *housed, method, path string, _ *jsontree.Value) (int, bool) {
		if path == "/freeze" {
			h.off = method == "POST"
			turned++
		}
		return 204, path == "/freeze"
	}, writes(409))
	before := h.state()
	s := httptest.NewServer(h)
	defer s.Close()
	p, err := conformance.Propose(t.Context(), conformance.Config{Target: s.URL, Effort: "smoke", Draws: -1, AllowDisruptive: true, Values: []string{"put-rooms-id:path/id=7"},
		Spec: house("  /freeze:\n    post: {operationId: turn, responses: {'204': {description: d}}}\n    delete: {operationId: thaw, responses: {'204': {description: d}}}\n")})
	require.NoError(t, err)
	assert.Equal(t, before, h.state())
	assert.Positive(t, h.sets, "the rules were changed")
	assert.Greater(t, h.last, 10, "rooms were made")
	assert.Greater(t, turned, 1, "the switch was turned, and back")
	var shown []string
	for _, l := range p.Lines {
		if l.Shown() {
			shown = append(shown, l.Operation+": "+l.Key)
		}
	}
	assert.Subset(t, shown, []string{"PUT /rules: valid", "POST /rooms: valid", "PUT /rooms/{id}: replacesAll"})
}

func TestAnOperationThatTurnsOthersOffIsNamedAndUndoneAndNothingElseIsBlamed(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	body := func(schema string) string {
		return "{operationId: turn, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [to], properties: {to: " + schema + "}}}}}, responses: {'204': {description: d}, '400': {description: d}}}\n"
	}
	plain := "{operationId: turn, responses: {'204': {description: d}}}\n"
	for name, one := range map[string]struct {
		switching string
		turn      func(h *housed, method, path string, body *jsontree.Value) (int, bool)
		refuse    func(string) int
		seen      string
	}{
		"a boolean member, writes": {"  /mode:\n    post: " + body("{type: boolean}"), func(h *housed, _, path string, body *jsontree.Value) (int, bool) {
			if to := typed(body, []string{"to"}, jsontree.Bool); path == "/mode" && to != "" {
				h.off = to == `"to":true`
				return 204, true
			}
			return 400, path == "/mode"
		}, writes(503), "post-mode: after turn, addRoom got 503"},
		"a choice, all": {"  /mode:\n    put: " + body("{enum: [open, closed, hidden]}"), func(h *housed, _, path string, body *jsontree.Value) (int, bool) {
			to := typed(body, []string{"to"}, jsontree.String)
			if path == "/mode" && slices.Contains([]string{`"to":"open"`, `"to":"closed"`, `"to":"hidden"`}, to) {
				h.off = to != `"to":"open"`
				return 204, true
			}
			return 400, path == "/mode"
		}, all(423), "put-mode: after turn, getRules, getRoom, addRoom and 1 more got 423"},
		"a DELETE": {"  /license:\n    delete: " + plain + "    put: {operationId: license, responses: {'204': {description: d}}}\n", func(h *housed, method, path string, _ *jsontree.Value) (int, bool) {
			if path == "/license" {
				h.off = method == "DELETE"
			}
			return 204, path == "/license"
		}, all(403), "delete-license: after turn, getRules, getRoom, addRoom got 403"},
		"a POST without a body": {"  /freeze:\n    post: " + plain + "    delete: {operationId: thaw, responses: {'204': {description: d}}}\n", func(h *housed, method, path string, _ *jsontree.Value) (int, bool) {
			if path == "/freeze" {
				h.off = method == "POST"
			}
			return 204, path == "/freeze"
		}, writes(409), "post-freeze: after turn, addRoom"},
	} {
		t.Run(name, func(t *testing.T) {
			got := lived(t, one.switching, newHouse(one.turn, one.refuse), conformance.Config{})
			assert.Contains(t, learned(got), one.seen)
			assert.Contains(t, learned(got), "; undone by ")
			assert.Empty(t, failedMusts(got))
			assert.Empty(t, got.Summary.Reasons)
		})
	}
}

func TestAnOperationWhoseHarmCannotBeUndoneEndsTheRun(t *testing.T) {
	t.Parallel()
	h := newHouse(func(h *housed, _, path string, _ *jsontree.Value) (int, bool) {
		h.off = h.off || path == "/bye"
		return 204, path == "/bye"
	}, all(401))
	got := judgeServer(t, h, conformance.Config{Spec: house("  /bye: {post: {operationId: bye, responses: {'204': {description: d}}}}\n"), Effort: "smoke", Draws: -1})
	assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	assert.Empty(t, failedMusts(got))
	require.NotEmpty(t, got.Summary.Reasons)
	assert.Regexp(t, `^after bye, .* got 401, and no request that the document has turns that back: put the target right, and leave it out with --exclude bye$`, got.Summary.Reasons[0])
}

func TestAnOperationThatTakesTheTargetDownIsReportedAsThat(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	h := newHouse(nil, nil)
	down := false
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down {
			c, _, _ := http.NewResponseController(w).Hijack()
			_ = c.Close()
			return
		}
		if down = r.URL.Path == "/work"; !down {
			h.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}), conformance.Config{Spec: house("  /work: {post: {operationId: work, responses: {'204': {description: d}}}}\n"), Effort: "smoke", Draws: -1})
	assert.Equal(t, []string{"post-work-answered"}, failedMusts(got))
	assert.Equal(t, report.NotConformant, got.Summary.Verdict)
}

// busy is a house that finds no room while one is being dropped, or now and then.
func busy(t *testing.T, always bool) []string {
	t.Helper()
	h := newHouse(nil, nil)
	var dropping, hidden, asked atomic.Int64
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		room := strings.HasPrefix(r.URL.Path, "/rooms/")
		if room && r.Method == http.MethodDelete {
			dropping.Add(1)
			defer dropping.Add(-1)
			time.Sleep(3 * time.Millisecond)
		}
		if room && r.Method == http.MethodGet && (dropping.Load() > 0 || always && asked.Add(1)%9 == 0) {
			hidden.Add(1)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	}), conformance.Config{Spec: house(""), Include: []string{"getRoom", "dropRoom"}, Effort: "gate", Draws: -1})
	assert.Positive(t, hidden.Load())
	return failedMusts(got)
}

func TestARefusalForAStateThatPassesAloneIsNoFailure(t *testing.T) {
	t.Parallel()
	assert.Empty(t, busy(t, false))
}

func TestARefusalNowAndThenIsAFailureAlsoIfItPassesOnceAlone(t *testing.T) {
	t.Parallel()
	assert.NotEmpty(t, busy(t, true))
}

func TestWhatDeletesThingsOfOtherCasesRunsApartFromThem(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	h := newHouse(func(h *housed, _, path string, _ *jsontree.Value) (int, bool) {
		if path == "/sweep" {
			maps.DeleteFunc(h.rooms, func(id, _ string) bool { return id != "7" })
		}
		return 204, path == "/sweep"
	}, nil)
	got := judgeServer(t, h, conformance.Config{Spec: house("  /sweep: {post: {operationId: sweep, responses: {'204': {description: d}}}}\n"), Effort: "gate", Draws: -1, Exclude: []string{"/rules"}})
	assert.Empty(t, failedMusts(got))
	assert.Contains(t, learned(got), "post-sweep: deletes what other requests made: its cases run apart")
}
