package target_test

import (
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
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
			assert.Equal(t, want, w.way("shipOrder"))
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
			assert.Equal(t, "addOrder <- addUser#/id", w.way("addOrder"))
			assert.Contains(t, fmt.Sprint(w.Facts.List(w.Document.Contract.Operations)), "only small ones are accepted")
			addOrder, rules := w.op("addOrder"), w.Facts.Of(w.op("addOrder")).Rules
			for text, explained := range map[string]bool{`{"lines":[{"count":2000}]}`: true, `{"lines":[{"count":3}]}`: status == 409} {
				sent := w.Endpoint.ClassifyBytes(addOrder, w.Sent()[len(w.Sent())-1], []byte(text))
				assert.Equal(t, explained, rules.Explain(addOrder, sent.Body, status), text)
			}
		})
	}
}
