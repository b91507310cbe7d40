package conformance_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

const sums = `
openapi: 3.1.0
info: {title: Sums, version: "1"}
paths:
  /sums:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [left, right], properties: {left: {type: integer}, right: {type: integer}}}}}}
      responses:
        "200": {description: done}
        "400": {description: refused}
`

// addUp serves sums, and refuses further requests.
func addUp(refused func(left float64) bool) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var in struct {
			Left  *float64 `json:"left"`
			Right *float64 `json:"right"`
		}
		body, _ := io.ReadAll(r.Body)
		err := json.Unmarshal(body, &in)
		whole := err == nil && in.Left != nil && in.Right != nil && math.Trunc(*in.Left) == *in.Left && math.Trunc(*in.Right) == *in.Right
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case !whole || refused(*in.Left):
			w.WriteHeader(http.StatusBadRequest)
		}
	}
}

func failedSums(t *testing.T, refused func(float64) bool) []string {
	out := []string{}
	for _, r := range judgeServer(t, addUp(refused), conformance.Config{Spec: []byte(sums), Effort: "gate", Draws: -1, Only: []string{"post-sums/valid/*"}}).Results {
		if r.Verdict == report.Fail {
			out = append(out, r.Requirement+" "+string(r.Level))
		}
	}
	return out
}

// nowAndThen refuses one in so many requests by the value and the number of times that it was sent,
// so that the order in which the requests of several workers arrive changes nothing.
func nowAndThen(one uint64) func(float64) bool {
	sent := map[float64]uint64{}
	return func(left float64) bool {
		sent[left]++
		sum := fnv.New64a()
		_, _ = fmt.Fprint(sum, left, sent[left])
		return sum.Sum64()>>32%one == 0
	}
}

func TestAServerThatRefusesNowAndThenFailsWhateverTheNumbersAre(t *testing.T) {
	t.Parallel()
	for _, one := range []uint64{3, 5} {
		assert.Regexp(t, "post-sums-(valid|body-left|body-right)-accepted MUST", failedSums(t, nowAndThen(one)), one)
	}
}

func TestAServerThatRefusesSomeNumbersOrTooManyRequestsInARowDoesNotFail(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	n := 0
	for way, refused := range map[string]func(float64) bool{
		"odd":        func(left float64) bool { return int64(left)%2 == 1 },
		"every long": func(float64) bool { n++; return n > 100 && n%7 > 2 },
	} {
		assert.NotContains(t, failedSums(t, refused), "post-sums-valid-accepted MUST", way)
	}
}

const nearby = `
openapi: 3.1.0
info: {title: Nearby, version: "1"}
paths:
  /stores:
    get:
      parameters:
        - {name: lat, in: query, schema: {type: integer, minimum: -90, maximum: 90, example: 48}}
        - {name: lon, in: query, schema: {type: integer, minimum: -180, maximum: 180, example: 11}}
      responses:
        "200": {description: found}
        "400": {description: refused}
`

// stores serves nearby. The right one wants both numbers or none, the wrong one refuses the last
// of the second.
func stores(wrong bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		in := func(name string, end int) bool {
			n, err := strconv.Atoi(q.Get(name))
			return len(q[name]) == 1 && err == nil && n >= -end && n <= end && q.Get(name) == strconv.Itoa(n)
		}
		lat, lon := q.Has("lat"), q.Has("lon")
		if r.Method != http.MethodGet || lat && !in("lat", 90) || lon && !in("lon", 180) || !wrong && lat != lon || wrong && q.Get("lon") == "180" {
			w.WriteHeader(http.StatusBadRequest)
		}
	}
}

// Which optional members go together no schema says: it is no failure that 90 alone is refused
// and 47 beside another one is not.
func TestAValueOnABoundFailsOnlyWhereAnotherIsTakenBesideTheSameMembers(t *testing.T) {
	t.Parallel()
	for wrong, failed := range map[bool][]string{false: nil, true: {"get-stores-query-lon-accepted"}} {
		r := judgeServer(t, stores(wrong), conformance.Config{Spec: []byte(nearby), Effort: "gate", Only: []string{"get-stores/valid/*"}})
		var musts []string
		for _, x := range r.Results {
			if x.Verdict == report.Fail && x.Level == report.Must {
				musts = append(musts, x.Requirement)
			}
		}
		assert.Equal(t, failed, musts, "%v", wrong)
	}
}

const meters = `
openapi: 3.1.0
info: {title: Meters, version: "1"}
paths:
  /counts:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses:
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Count"}}}}
        "400": {description: refused}
components:
  schemas:
    New: {type: object, required: [amount], properties: {amount: {type: integer, minimum: 0}}}
    Count: {type: object, required: [id, amount], properties: {id: {type: integer}, amount: {type: integer}}}
`

// counts serves meters. What it makes of an amount says the name.
func counts(way string) http.HandlerFunc {
	var mu sync.Mutex
	var n, last, sum, maximum int64
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d, err := jsontree.Parse(body)
		var amount int64
		whole := false
		if err == nil && d.Root.Kind == jsontree.Object && d.Root.Get("amount") != nil && d.Root.Get("amount").Kind == jsontree.Number {
			amount, whole = jsontree.Int64(d.Root.Get("amount").Text)
		}
		if !whole || amount < 0 {
			w.WriteHeader(400)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		before := last
		n, last, sum, maximum = n+1, amount, sum+amount, max(maximum, amount)
		amount = map[string]int64{
			"": amount, "the one before": before, "the sum": sum, "the largest": maximum, "a number": n, "rounded": amount / 10 * 10, "with a fee": amount + 1,
			"the time": time.Now().UnixMilli(), "the size": r.ContentLength, "half": amount / 2,
		}[way]
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(201)
		_, _ = fmt.Fprintf(w, `{"id": %d, "amount": %d}`, n, amount)
	}
}

func TestANumberThatOnlyAnotherRequestSentFails(t *testing.T) {
	assert.Contains(t, failedAt(t, "gate", meters, counts("the one before")), "post-counts-belongs")
}

func TestANumberThatAServerMakesIsNotAnothers(t *testing.T) {
	for _, way := range []string{"", "the sum", "the largest", "a number", "rounded", "with a fee", "the time", "the size", "half"} {
		effort := "smoke"
		if way == "the largest" || way == "rounded" {
			effort = "gate" // what comes is often what another request sent
		}
		assert.NotContains(t, failedAt(t, effort, meters, counts(way)), "post-counts-belongs", way)
	}
}

const seats = `
openapi: 3.1.0
info: {title: Tickets, version: "1"}
paths:
  /tickets:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [seat], properties: {seat: {type: string, minLength: 1, maxLength: 50}}}}}}
      responses:
        "201": {description: sold}
        "400": {description: refused}
        "403": {description: refused}
`

// A quota that the run uses up is no rule about values, and no failure: nothing more could be tried.
func TestAQuotaThatTheRunUsesUpIsNoFailureUnlessAllValidRequestsArePromised(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		status   int
		promised string
		verdict  report.Outcome
	}{
		{http.StatusForbidden, "", report.Incomplete},
		{http.StatusForbidden, "valid: accepted", report.NotConformant},
		{http.StatusBadRequest, "", report.NotConformant}, // that the request is wrong, and it is not
	} {
		var sold atomic.Int32
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			seat := members(r).Get("seat")
			switch {
			case r.Method != http.MethodPost:
				w.WriteHeader(http.StatusMethodNotAllowed)
			case seat == nil || seat.Kind != jsontree.String || seat.Text == "" || utf8.RuneCountInString(seat.Text) > 50:
				w.WriteHeader(http.StatusBadRequest)
			case sold.Add(1) > 40:
				w.WriteHeader(row.status)
			default:
				w.WriteHeader(http.StatusCreated)
			}
		}), conformance.Config{Spec: []byte(seats), Requirements: []byte(row.promised), Effort: "gate", Draws: -1, Only: []string{"post-tickets/valid/*"}})
		assert.Equal(t, row.verdict, got.Summary.Verdict, "%v", row)
	}
}

// The first valid request of the run may be the only one with such values.
func TestAListedValueThatGoesWithSmallNumbersAloneIsSuspected(t *testing.T) {
	t.Parallel()
	const discounts = `{openapi: 3.0.3, info: {title: Discounts, version: "1"}, paths: {/discounts: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [kind, value], properties: {
    kind: {type: string, enum: [percent, amount]}, value: {type: integer, minimum: 1, maximum: 100000}}}}}},
  responses: {"201": {description: made}, "422": {description: no}}}}}}`
	for limit, want := range map[int64]report.Outcome{100: report.Conformant, 0: report.NotConformant} {
		server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.WriteHeader(discounted(body, limit))
		})
		got := judgeServer(t, server, conformance.Config{Spec: []byte(discounts), Draws: -1})
		assert.Equal(t, want, got.Summary.Verdict, "%d: %v", limit, failedMusts(got))
	}
}

// discounted answers a new discount: a percentage is at most the limit.
func discounted(body []byte, limit int64) int {
	doc, err := jsontree.Parse(body)
	if err != nil || doc.Root.Kind != jsontree.Object || !utf8.Valid(body) {
		return http.StatusUnprocessableEntity
	}
	kind, value := doc.Root.Get("kind"), doc.Root.Get("value")
	if kind == nil || kind.Kind != jsontree.String || kind.Text != "percent" && kind.Text != "amount" || value == nil || value.Kind != jsontree.Number {
		return http.StatusUnprocessableEntity
	}
	if n, whole := jsontree.Int64(value.Text); !whole || n < 1 || n > 100000 || kind.Text == "percent" && n > limit {
		return http.StatusUnprocessableEntity
	}
	return http.StatusCreated
}

func TestAMemberOfWhichNoValueIsFoundIsToldAndDoesNotPass(t *testing.T) {
	t.Parallel()
	const codes = `{openapi: 3.1.0, info: {title: Codes, version: "1"}, paths: {/codes: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [name], properties: {name: {type: string, maxLength: 9}, code: {allOf: [{type: string, pattern: "^a"}, {pattern: "^b"}]}}}}}},
  responses: {"201": {description: made}, "400": {description: refused}, "415": {description: refused}}}}}}`
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct {
			Name *string        `json:"name"`
			Code jsontext.Value `json:"code"`
		}
		status := http.StatusCreated
		if json.UnmarshalRead(r.Body, &sent) != nil || sent.Name == nil || utf8.RuneCountInString(*sent.Name) > 9 || sent.Code != nil {
			status = http.StatusBadRequest
		}
		w.WriteHeader(status)
	}), conformance.Config{Spec: []byte(codes), Draws: -1})
	const why = "no valid value of /code was found: give one with --value"
	assert.Contains(t, r.Header.LeftOut, "POST /codes: "+why)
	told := 0
	for _, x := range r.Results {
		if strings.Contains(x.Requirement, "code-") && strings.Contains(x.Sentence, "/code ") {
			told++
			assert.Equal(t, report.Inconclusive, x.Verdict, x.Requirement)
			assert.Equal(t, why, x.Reason, x.Requirement)
		}
	}
	assert.NotZero(t, told)
	assert.NotEqual(t, report.Conformant, r.Summary.Verdict)
}
