package conformance_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
)

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
