package target_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
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
