package conformance_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// switchboard is a house with settings of one member, which are read and put.
func switchboard(schema string, allowed *regexp.Regexp, kind jsontree.Kind, initial string, off func(h *housed, to string) bool, refuse func(string) int) (string, *housed) {
	switching := `  /settings:
    get: {operationId: settings, responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [to], properties: {to: ` + schema + `}}}}}}}
    put:
      operationId: turn
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [to], properties: {to: ` + schema + `}}}}}
      responses: {'204': {description: d}, '400': {description: d}}
`
	to := initial
	h := newHouse(func(h *housed, method, path string, body *jsontree.Value) (int, bool) {
		if path != "/settings" {
			return 0, false
		}
		if method != http.MethodPut {
			return 0, false
		}
		put := typed(body, []string{"to"}, kind)
		if put == "" || !allowed.MatchString(put) {
			return 400, true
		}
		to = put
		h.off = off(h, put)
		return 204, true
	}, refuse)
	h.more = func(path string) string {
		if path == "/settings" {
			return to
		}
		return ""
	}
	return switching, h
}

var (
	positive = regexp.MustCompile(`:([1-9]\d{0,2}|1000)$`)
	thousand = regexp.MustCompile(`:(0|[1-9]\d{0,2}|1000)$`)
)

func TestASwitchByATextOrANumberIsNamedUndoneAndNothingElseIsBlamed(t *testing.T) {
	text, number := jsontree.String, jsontree.Number
	few := "{type: integer, minimum: 1, maximum: 1000}"
	var calls int
	for name, one := range map[string]struct {
		schema  string
		allowed *regexp.Regexp
		kind    jsontree.Kind
		initial string
		off     func(h *housed, to string) bool
		refuse  func(string) int
		seen    string
		effort  string
	}{
		"a text of a pattern": {"{type: string, pattern: '^(open|readonly)$'}", regexp.MustCompile(`:"(open|readonly)"$`), text, `"to":"open"`, func(_ *housed, to string) bool { return to == `"to":"readonly"` }, writes(503), `put-settings: after turn`, ""},
		"the smallest number": {"{type: integer, minimum: 0, maximum: 1000}", thousand, number, `"to":100`, func(_ *housed, to string) bool { return to == `"to":0` }, all(429), `put-settings: after turn {"to":0}, `, ""},
		"a number of few":     {few, positive, number, `"to":100`, func(_ *housed, to string) bool { return to == `"to":1` }, writes(409), `put-settings: after turn`, ""},
		"the largest number":  {few, positive, number, `"to":100`, func(_ *housed, to string) bool { return to == `"to":1000` }, all(503), `put-settings: after turn {"to":1000}, `, "gate"},
		"a later call": {few, positive, number, `"to":100`, func(_ *housed, to string) bool {
			calls++
			return calls > 9 && to == `"to":1000`
		}, all(503), `put-settings: after turn {"to":1000}, `, "gate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, 3)
			switching, h := switchboard(one.schema, one.allowed, one.kind, one.initial, one.off, one.refuse)
			got := lived(t, switching, h, conformance.Config{Effort: one.effort})
			assert.Contains(t, learned(got), one.seen)
			assert.Contains(t, learned(got), "; undone by ")
			assert.Empty(t, failedMusts(got))
			assert.Empty(t, got.Summary.Reasons)
		})
	}
}

func TestAnEffectThatShowsLaterIsNamedAndUndone(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	var from time.Time // under the lock of the house
	h := newHouse(func(h *housed, method, path string, _ *jsontree.Value) (int, bool) {
		switch {
		case path != "/pause":
			return 0, false
		case method == http.MethodDelete:
			from, h.off = time.Time{}, false
		case from.IsZero():
			from = time.Now().Add(50 * time.Millisecond)
			h.off = true
		}
		return 204, true
	}, func(string) int {
		if time.Now().After(from) {
			return 503
		}
		return 0
	})
	got := lived(t, "  /pause:\n    post: {operationId: turn, responses: {'204': {description: d}}}\n    delete: {operationId: goon, responses: {'204': {description: d}}}\n", h, conformance.Config{})
	assert.Contains(t, learned(got), "post-pause: after turn, ")
	assert.Contains(t, learned(got), "; undone by goon")
	assert.Empty(t, failedMusts(got))
}

func TestATargetThatRefusesForReasonsOfItsOwnAccusesNobody(t *testing.T) {
	for name, refuse := range map[string]func() http.HandlerFunc{
		"for some time": func() http.HandlerFunc {
			var n atomic.Int64
			return func(w http.ResponseWriter, _ *http.Request) {
				if i := n.Add(1); i > 400 && i < 440 {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}
		},
		"too many requests": func() http.HandlerFunc {
			var n atomic.Int64
			return func(w http.ResponseWriter, _ *http.Request) {
				if n.Add(1)%5 == 0 {
					w.WriteHeader(http.StatusTooManyRequests)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			switching, h := switchboard("{type: integer, minimum: 1, maximum: 1000}", positive, jsontree.Number, `"to":100`, func(*housed, string) bool { return false }, all(0))
			own := refuse()
			got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				x := &told{ResponseWriter: w}
				if own(x, r); x.status == 0 {
					h.ServeHTTP(w, r)
				}
			}), conformance.Config{Spec: house(switching), Effort: "smoke", Draws: -1})
			assert.NotContains(t, learned(got), "after ")
			for _, why := range got.Summary.Reasons {
				assert.NotContains(t, why, "turns that back")
			}
		})
	}
}

// told notes whether a status was written.
type told struct {
	http.ResponseWriter
	status int
}

func (w *told) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func TestAChangeOfAStageThatNothingUndoesEndsTheRunAndBlamesNoOther(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	h := newHouse(func(h *housed, _, path string, body *jsontree.Value) (int, bool) {
		if path != "/work" {
			return 0, false
		}
		to := typed(body, []string{"to"}, jsontree.Number)
		h.off = h.off || to == `"to":1000`
		if !positive.MatchString(to) {
			return 400, true
		}
		return 204, true
	}, all(503))
	got := judgeServer(t, h, conformance.Config{Spec: house(`  /work:
    post:
      operationId: work
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [to], properties: {to: {type: integer, minimum: 1, maximum: 1000}}}}}}
      responses: {'204': {description: d}, '400': {description: d}}
`), Effort: "gate", Draws: -1})
	assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	assert.Empty(t, failedMusts(got))
	require.NotEmpty(t, got.Summary.Reasons)
	assert.Regexp(t, `^after one of the requests of .*work.*, .* got 503, and no request that the document has turns that back: put the target right, and leave it out with .*--exclude work`, got.Summary.Reasons[0])
}

func TestAThingOfARequestThatGotNoAnswerIsCountedAsLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ spec, operation, method string }{{shelves, "addShelf", http.MethodPost}, {labels, "setLabel", http.MethodPut}} {
		t.Run(c.operation, func(t *testing.T) {
			t.Parallel()
			shelves, known := &library{shelves: map[string]map[string]bool{}, last: 100}, &labelled{known: map[string]bool{}, status: http.StatusCreated}
			var made atomic.Int64
			server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := httptest.NewRecorder()
				if c.spec == labels {
					known.ServeHTTP(answer, r)
				} else {
					shelves.ServeHTTP(answer, r)
				}
				if r.Method == c.method && !strings.HasSuffix(r.URL.Path, "/books") && answer.Code == http.StatusCreated && made.Add(1) == 20 {
					<-r.Context().Done() // the client gives up
					return
				}
				w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
				w.WriteHeader(answer.Code)
				_, _ = w.Write(answer.Body.Bytes())
			})
			got := judgeServer(t, server, conformance.Config{Spec: []byte(c.spec), Draws: -1, Effort: "smoke", Timeout: time.Second})
			require.NotNil(t, got.CleanUp)
			require.NotEmpty(t, got.CleanUp.Left)
			assert.Contains(t, got.CleanUp.Left[0], c.operation+" did not answer, and may have made something (")
		})
	}
}

// What was sent is kept, and can be read; the answer is 200.
func TestWhatAPOSTThatIsAnsweredWith200MayHaveMadeIsSaidToBeLeft(t *testing.T) {
	t.Parallel()
	const mail = `{openapi: 3.0.3, info: {title: Mail, version: "1"}, paths: {
	  /messages: {post: {operationId: send, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}},
	    responses: {"200": {description: sent, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}, "400": {description: refused}}}},
	  "/messages/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: one}, "400": {description: wrong}, "404": {description: none}}}}}}`
	for _, kept := range []bool{true, false} {
		var last atomic.Int64
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text, one := strings.CutPrefix(r.URL.Path, "/messages/")
			id, err := strconv.ParseInt(text, 10, 64)
			switch in := members(r); {
			case one && err != nil, !one && (in.Get("text") == nil || in.Get("text").Kind != jsontree.String):
				w.WriteHeader(http.StatusBadRequest)
			case one && (id < 1 || id > max(last.Load(), 1)):
				w.WriteHeader(http.StatusNotFound)
			case !one:
				id = 1
				if kept {
					id = last.Add(1)
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"id":%d}`, id)
			}
		}), conformance.Config{Spec: []byte(mail), Draws: -1, Effort: "smoke"})
		if kept {
			require.NotNil(t, got.CleanUp)
			assert.Equal(t, []string{fmt.Sprintf("send gave a new key each time, and may have made what no operation deletes (%d)", last.Load())}, got.CleanUp.Left)
		} else {
			assert.Nil(t, got.CleanUp, "it always answers with one")
		}
	}
}

func TestATargetThatEndsAmongManyRequestsBlamesNoneAndNamesAll(t *testing.T) {
	t.Parallel()
	l := &library{shelves: map[string]map[string]bool{}, last: 100}
	var s *httptest.Server
	var dead atomic.Bool
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dead.Load() || r.Method == http.MethodDelete && r.Header.Get("Accept") == "," {
			dead.Store(true)
			go s.Listener.Close()
			panic(http.ErrAbortHandler)
		}
		l.ServeHTTP(w, r)
	}))
	defer s.Close()
	got, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Spec: []byte(shelves), Effort: "gate", Draws: -1, Cache: plans})
	require.NoError(t, err)
	require.True(t, dead.Load())
	require.NotEmpty(t, got.Findings)
	assert.Contains(t, got.Findings[0].Sentence, "the target stops answering")
	var suspects []string
	for _, x := range got.Results {
		for _, f := range x.Failures {
			if len(f.Suspects) > 1 {
				assert.Equal(t, "unreachable/"+report.OneOfSeveral, f.Flaw.Kind)
			}
			suspects = append(append(suspects, f.Case), f.Suspects...)
		}
	}
	assert.Contains(t, strings.Join(suspects, "\n"), "/accept")
}

// A quota is no harm that an operation did: the run deletes what earlier cases made.
func TestAServiceThatTakesOnlySoManyThingsIsTriedAsAWhole(t *testing.T) {
	t.Parallel()
	const quota = 40
	full := 0
	h := newHouse(func(h *housed, method, path string, body *jsontree.Value) (int, bool) {
		if path == "/rooms" && typed(body, []string{"name", "size"}, jsontree.String, jsontree.Number) != "" && len(h.rooms) == quota {
			full++
			return http.StatusForbidden, true
		}
		return 0, false
	}, nil)
	spec := strings.Replace(string(house("")), "responses: {'201':", "responses: {'403': {$ref: '#/components/responses/No'}, '201':", 1)
	got := judgeServer(t, h, conformance.Config{Spec: []byte(spec), Effort: "smoke"})
	assert.Positive(t, full)
	assert.Equal(t, report.Conformant, got.Summary.Verdict, got.Summary.Reasons)
	assert.Contains(t, learned(got), "post-rooms: makes only so many things: the run deletes earlier ones")
}
