package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// jobs is a document of jobs whose results come later.
const jobs = `{openapi: 3.0.3, info: {title: Jobs, version: "1"}, paths: {
  /jobs: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"202": {description: taken, headers: {Location: {schema: {type: string, format: uri-reference}}}, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}, "400": {description: refused}}}},
  "/jobs/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}, "303": {description: done, headers: {Location: {schema: {type: string}}}}, "400": {description: wrong}, "404": {description: none}}}},
  "/jobs/{id}/result": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {type: object, required: [sum], properties: {sum: {type: integer}}}}}}, "400": {description: wrong}, "404": {description: none}, "409": {description: not done}, "425": {description: early}}}}},
  components: {schemas: {Job: {type: object, required: [id, state], properties: {id: {type: integer}, state: {type: string, enum: [queued, running, done]}}}}}}`

// working serves jobs. Until a job is ready, its result is answered with the status not; a wrong one is no number.
func working(not int, ready func(polls int, age time.Duration) bool, wrong bool) http.HandlerFunc {
	var mu sync.Mutex
	var made []time.Time
	polls := map[int]int{}
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		in := members(r)
		text, one := strings.CutPrefix(r.URL.Path, "/jobs/")
		text, result := strings.CutSuffix(text, "/result")
		id, err := strconv.Atoi(text)
		w.Header().Set("Content-Type", "application/json")
		switch name := in.Get("name"); {
		case r.Method == http.MethodPost && (name == nil || name.Kind != jsontree.String), one && err != nil:
			w.WriteHeader(http.StatusBadRequest)
		case r.Method == http.MethodPost:
			made = append(made, time.Now())
			w.Header().Set("Location", fmt.Sprint("/jobs/", len(made)))
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprintf(w, `{"id":%d,"state":"queued"}`, len(made))
		case id < 1 || id > len(made):
			w.WriteHeader(http.StatusNotFound)
		case result:
			if !ready(polls[id], time.Since(made[id-1])) {
				w.WriteHeader(not)
				return
			}
			if wrong {
				_, _ = io.WriteString(w, `{"sum":"x"}`)
				return
			}
			_, _ = io.WriteString(w, `{"sum":3}`)
		default:
			polls[id]++
			if ready(polls[id], time.Since(made[id-1])) {
				w.Header().Set("Location", r.URL.Path+"/result")
				w.WriteHeader(http.StatusSeeOther)
				return
			}
			fmt.Fprintf(w, `{"id":%d,"state":"running"}`, id)
		}
	}
}

func TestAResultThatComesLaterOrAfterSomeLooksAtItsJobIsWaitedForAndJudged(t *testing.T) {
	t.Parallel()
	for _, not := range []int{http.StatusNotFound, http.StatusConflict, http.StatusTooEarly} {
		for name, ready := range map[string]func(polls int, age time.Duration) bool{
			"time":  func(_ int, age time.Duration) bool { return age > 100*time.Millisecond },
			"looks": func(polls int, _ time.Duration) bool { return polls > 3 },
		} {
			if !sample.Has(fmt.Sprint(t.Name(), name, not), 3) {
				continue
			}
			for _, wrong := range []bool{false, true} {
				got := judgeServer(t, working(not, ready, wrong), conformance.Config{Spec: []byte(jobs), Effort: "smoke", Draws: -1})
				if wrong {
					assert.Equal(t, []string{"get-jobs-id-result-200-body-sum-integer"}, failedMusts(got), "%d %s", not, name)
				} else {
					assert.Equal(t, report.Conformant, got.Summary.Verdict, "%d %s: %v %v", not, name, failedMusts(got), got.Summary.Reasons)
				}
			}
		}
	}
}
