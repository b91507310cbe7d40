package otherservers

import (
	"cmp"
	"net/http"
)

// Shipping serves shipping.yaml: an order is paid before it is shipped, and each once.
// What is named wrong, if anything, is done wrong.
func Shipping(wrong string) http.Handler {
	orders := far()
	paid := map[any]string{} // the card, by order
	mux := http.NewServeMux()
	orders.handle(mux, wrong, "POST /orders", func(c *check, r *http.Request) (int, any) {
		o := c.object("order", c.body(r), true, "item")
		item := c.word(o, "item")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, orders.add(map[string]any{"item": item, "state": "open"})
	})
	// step moves an order from one state to the next.
	step := func(name, from, to, member string) {
		orders.handle(mux, wrong, "POST /orders/{orderId}/"+name, func(c *check, r *http.Request) (int, any) {
			order := orders.find(r.PathValue("orderId"))
			switch {
			case order == nil:
				return 404, nil
			case order["state"] != from:
				return 409, nil
			}
			given := c.word(c.object(name, c.body(r), true, member), member)
			if c.complaint != "" {
				return 400, nil
			}
			order["state"], paid[order["id"]] = to, cmp.Or(paid[order["id"]], string(given))
			if wrong == name+" state" {
				return 200, map[string]any{"id": order["id"], "item": order["item"], "state": "gone"}
			}
			return 200, order
		})
	}
	orders.handle(mux, wrong, "GET /orders/{orderId}/payment", func(_ *check, r *http.Request) (int, any) {
		order := orders.find(r.PathValue("orderId"))
		switch {
		case order == nil || order["state"] == "open":
			return 404, nil
		case wrong == "payment without card":
			return 200, map[string]any{}
		}
		return 200, map[string]any{"card": value(paid[order["id"]])}
	})
	step("payment", "open", "paid", "card")
	step("shipment", "paid", "shipped", "carrier")
	return mux
}
