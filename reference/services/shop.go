package services

import (
	"cmp"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Key is the credential that Orders and Desk accept.
const Key = "desk-key-0123456789abcdef"

// Orders serves orders.yaml; what is named wrong, if anything, is done wrong.
func Orders(wrong string) http.Handler {
	var placed atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		sent := r.Header.Values("X-Desk-Key")
		if !c.want("key required", len(sent) > 0) || !c.want("key right", len(sent) == 0 || slices.Equal(sent, []string{Key})) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		lines := c.order(c.body(r))
		if c.complaint != "" {
			status := http.StatusUnprocessableEntity
			if wrong == "refusal 400" {
				status = http.StatusBadRequest
			}
			answer(w, status, map[string]any{"title": c.complaint, "at": []string{"body"}})
			return
		}
		order := map[string]any{"number": placed.Add(1), "status": "placed", "lines": lines}
		switch wrong {
		case "answer number text":
			order["number"] = "one"
		case "answer status unknown":
			order["status"] = "lost"
		case "answer lines missing":
			delete(order, "lines")
		}
		status := http.StatusCreated
		if wrong == "answer 200" {
			status = http.StatusOK
		}
		answer(w, status, order)
	})
	return mux
}

// order checks a NewOrder and gives the number of its lines.
func (c *check) order(v value) int {
	o := c.object("order", v, true, "reference", "customer", "lines", "priority", "due", "labels")
	if s, ok := c.text("reference", c.member("reference", o, "reference")); ok {
		c.want("reference uuid", uuid(s))
	}
	c.customer(c.member("customer", o, "customer"))
	lines := c.lines(c.member("lines", o, "lines"))
	if s, ok := c.text("priority", o["priority"]); ok {
		c.want("priority enum", s == "low" || s == "normal" || s == "high")
		c.strict("only low priority", s != "low")
	}
	if s, ok := c.text("due", o["due"]); ok {
		_, err := time.Parse(time.DateOnly, s)
		c.want("due date", err == nil)
	}
	if v, given := o["labels"]; given {
		c.labels(v)
	}
	return lines
}

func (c *check) customer(v value) {
	if v == nil {
		return
	}
	o := c.object("customer", v, true, "name", "country")
	if s, ok := c.text("name", c.member("name", o, "name")); ok {
		n := utf8.RuneCountInString(s)
		c.want("name short", n >= 1)
		c.want("name long", n <= 40)
	}
	if s, ok := c.text("country", o["country"]); ok {
		c.want("country pattern", matches(`[A-Z]{2}`, s))
	}
}

func (c *check) lines(v value) int {
	if v == nil {
		return 1
	}
	list := c.array("lines", v)
	if list != nil {
		c.want("lines few", len(list) >= 1)
		c.want("lines many", len(list) <= 8)
	}
	for _, v := range list {
		c.line(v)
	}
	return min(max(1, len(list)), 8)
}

func (c *check) line(v value) {
	o := c.object("line", v, true, "sku", "quantity", "pack", "discount", "gift")
	if s, ok := c.text("sku", c.member("sku", o, "sku")); ok {
		c.want("sku pattern", matches(`[A-Z]{3}-[0-9]{4}`, s))
	}
	if n, ok := c.integer("quantity", c.member("quantity", o, "quantity")); ok {
		c.want("quantity low", minimum(n, 1))
		c.want("quantity high", maximum(n, 999))
	}
	if n, ok := c.integer("pack", o["pack"]); ok {
		c.want("pack multiple", new(big.Rat).Quo(n, big.NewRat(6, 1)).IsInt())
		c.want("pack low", minimum(n, 6))
		c.want("pack high", maximum(n, 600))
	}
	if n, ok := c.number("discount", o["discount"]); ok {
		c.want("discount low", minimum(n, 0))
		c.want("discount high", maximum(n, 1) && !minimum(n, 1))
	}
	c.boolean("gift", o["gift"])
}

func (c *check) labels(v value) {
	list := c.array("labels", v)
	if list != nil {
		c.want("labels few", len(list) >= 1)
	}
	c.want("labels many", len(list) <= 5)
	seen := map[string]bool{}
	for _, v := range list {
		if s, ok := c.text("label", v); ok {
			n := utf8.RuneCountInString(s)
			c.want("label short", n >= 2)
			c.want("label long", n <= 12)
			c.want("labels unique", !seen[s])
			seen[s] = true
		}
	}
}

func uuid(s string) bool {
	return matches(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`, s)
}

func matches(whole, s string) bool { return regexp.MustCompile(`\A(?:` + whole + `)\z`).MatchString(s) }

// Parcels serves parcels.yaml; what is named wrong, if anything, is done wrong.
func Parcels(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /parcels", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		c.parcel(c.body(r))
		if c.complaint != "" {
			answer(w, http.StatusBadRequest, map[string]any{"why": c.complaint})
			return
		}
		answer(w, http.StatusOK, map[string]any{"taken": true})
	})
	return mux
}

// parcel checks a Parcel.
func (c *check) parcel(v value) {
	o := c.object("parcel", v, false)
	kind, _ := c.text("kind", c.member("kind", o, "kind"))
	c.want("kind enum", kind == "box" || kind == "letter")
	c.want("weight required", o["weight"] != nil || kind != "box")
	c.want("pages required", o["pages"] != nil || kind == "box")
	for _, name := range []string{"weight", "pages", "limit"} {
		c.integer(name, o[name])
	}
	for _, name := range []string{"card", "address"} {
		if s, ok := c.text(name, o[name]); ok {
			n := utf8.RuneCountInString(s)
			c.want(name+" length", n >= 1 && n <= 255)
		}
	}
	if o["card"] != nil {
		c.want("address required", o["address"] != nil)
		if n, ok := c.number("limit", o["limit"]); ok {
			c.want("limit high", maximum(n, 100))
		}
	}
	whole := 0
	for _, item := range c.array("codes", c.member("codes", o, "codes")) {
		if n, ok := new(check).number("", item); ok && n.Cmp(new(big.Rat).SetInt(n.Num())) == 0 {
			whole++
		}
	}
	c.want("codes few", whole >= 2)
	c.want("codes many", whole <= 4)
	if pair := o["pair"]; pair != nil {
		list := c.array("pair", pair)
		c.want("pair sealed", len(list) <= 1)
		if len(list) > 0 {
			c.boolean("pair", list[0])
		}
	}
	for name, member := range o {
		switch {
		case strings.HasPrefix(name, "x-"):
			c.integer("x", member)
			c.strict("x refused", true)
		case !slices.Contains(strings.Fields("kind weight pages card address limit codes pair"), name):
			c.want("parcel sealed", false)
		}
	}
}

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
	return storing(mux, orders.shown(func(of map[string]any) bool {
		of["card"] = paid[of["id"]]
		return true
	}))
}
