package services

import (
	"cmp"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// Orders serves orders.yaml; what is named wrong, if anything, is done wrong.
func Orders(wrong string) http.Handler {
	var placed atomic.Int64
	service := kit.New(wrong)
	service.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		c := &kit.Check{Wrong: wrong}
		sent := r.Header.Values("X-Desk-Key")
		if !c.Want("key required", len(sent) > 0) || !c.Want("key right", len(sent) == 0 || slices.Equal(sent, []string{Key})) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		lines := readOrder(c, c.Body(r))
		if c.Complaint != "" {
			status := http.StatusUnprocessableEntity
			if wrong == "refusal 400" {
				status = http.StatusBadRequest
			}
			kit.Answer(w, status, map[string]any{"title": c.Complaint, "at": []string{"body"}})
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
		kit.Answer(w, status, order)
	})
	return service
}

// readOrder checks a NewOrder and gives the number of its lines.
func readOrder(c *kit.Check, v value) int {
	o := c.Object("order", v, true, "reference", "customer", "lines", "priority", "due", "labels")
	if s, ok := c.Text("reference", c.Member("reference", o, "reference")); ok {
		c.Want("reference uuid", kit.HasFormat("uuid", s))
	}
	readCustomer(c, c.Member("customer", o, "customer"))
	lines := readLines(c, c.Member("lines", o, "lines"))
	if s, ok := c.Text("priority", o["priority"]); ok {
		c.Want("priority enum", s == "low" || s == "normal" || s == "high")
		c.Strict("only low priority", s != "low")
	}
	if s, ok := c.Text("due", o["due"]); ok {
		c.Want("due date", kit.HasFormat("date", s))
	}
	if v, given := o["labels"]; given {
		readLabels(c, v)
	}
	return lines
}

func readCustomer(c *kit.Check, v value) {
	if v == nil {
		return
	}
	o := c.Object("customer", v, true, "name", "country")
	if s, ok := c.Text("name", c.Member("name", o, "name")); ok {
		n := utf8.RuneCountInString(s)
		c.Want("name short", n >= 1)
		c.Want("name long", n <= 40)
	}
	if s, ok := c.Text("country", o["country"]); ok {
		c.Want("country pattern", matches(`[A-Z]{2}`, s))
	}
}

func readLines(c *kit.Check, v value) int {
	if v == nil {
		return 1
	}
	list := c.Array("lines", v)
	if list != nil {
		c.Want("lines few", len(list) >= 1)
		c.Want("lines many", len(list) <= 8)
	}
	for _, v := range list {
		readLine(c, v)
	}
	return min(max(1, len(list)), 8)
}

func readLine(c *kit.Check, v value) {
	o := c.Object("line", v, true, "sku", "quantity", "pack", "discount", "gift")
	if s, ok := c.Text("sku", c.Member("sku", o, "sku")); ok {
		c.Want("sku pattern", matches(`[A-Z]{3}-[0-9]{4}`, s))
	}
	if n, ok := c.Integer("quantity", c.Member("quantity", o, "quantity")); ok {
		c.Want("quantity low", kit.AtLeast(n, 1))
		c.Want("quantity high", kit.AtMost(n, 999))
	}
	if n, ok := c.Integer("pack", o["pack"]); ok {
		c.Want("pack multiple", new(big.Rat).Quo(n, big.NewRat(6, 1)).IsInt())
		c.Want("pack low", kit.AtLeast(n, 6))
		c.Want("pack high", kit.AtMost(n, 600))
	}
	if n, ok := c.Number("discount", o["discount"]); ok {
		c.Want("discount low", kit.AtLeast(n, 0))
		c.Want("discount high", kit.AtMost(n, 1) && !kit.AtLeast(n, 1))
	}
	c.Boolean("gift", o["gift"])
}

func readLabels(c *kit.Check, v value) {
	list := c.Array("labels", v)
	if list != nil {
		c.Want("labels few", len(list) >= 1)
	}
	c.Want("labels many", len(list) <= 5)
	seen := map[string]bool{}
	for _, v := range list {
		if s, ok := c.Text("label", v); ok {
			n := utf8.RuneCountInString(s)
			c.Want("label short", n >= 2)
			c.Want("label long", n <= 12)
			c.Want("labels unique", !seen[s])
			seen[s] = true
		}
	}
}

func matches(whole, s string) bool { return regexp.MustCompile(`\A(?:` + whole + `)\z`).MatchString(s) }

// Parcels serves parcels.yaml; what is named wrong, if anything, is done wrong.
func Parcels(wrong string) http.Handler {
	service := kit.New(wrong)
	service.HandleFunc("POST /parcels", func(w http.ResponseWriter, r *http.Request) {
		c := &kit.Check{Wrong: wrong}
		readParcel(c, c.Body(r))
		if c.Complaint != "" {
			kit.Answer(w, http.StatusBadRequest, map[string]any{"why": c.Complaint})
			return
		}
		kit.Answer(w, http.StatusOK, map[string]any{"taken": true})
	})
	return service
}

// readParcel checks a Parcel.
func readParcel(c *kit.Check, v value) {
	o := c.Object("parcel", v, false)
	kind, _ := c.Text("kind", c.Member("kind", o, "kind"))
	c.Want("kind enum", kind == "box" || kind == "letter")
	c.Want("weight required", o["weight"] != nil || kind != "box")
	c.Want("pages required", o["pages"] != nil || kind == "box")
	for _, name := range []string{"weight", "pages", "limit"} {
		c.Integer(name, o[name])
	}
	for _, name := range []string{"card", "address"} {
		if s, ok := c.Text(name, o[name]); ok {
			n := utf8.RuneCountInString(s)
			c.Want(name+" length", n >= 1 && n <= 255)
		}
	}
	if o["card"] != nil {
		c.Want("address required", o["address"] != nil)
		if n, ok := c.Number("limit", o["limit"]); ok {
			c.Want("limit high", kit.AtMost(n, 100))
		}
	}
	whole := 0
	for _, item := range c.Array("codes", c.Member("codes", o, "codes")) {
		if n, ok := new(kit.Check).Number("", item); ok && n.Cmp(new(big.Rat).SetInt(n.Num())) == 0 {
			whole++
		}
	}
	c.Want("codes few", whole >= 2)
	c.Want("codes many", whole <= 4)
	if pair := o["pair"]; pair != nil {
		list := c.Array("pair", pair)
		c.Want("pair sealed", len(list) <= 1)
		if len(list) > 0 {
			c.Boolean("pair", list[0])
		}
	}
	for name, member := range o {
		switch {
		case strings.HasPrefix(name, "x-"):
			c.Integer("x", member)
			c.Strict("x refused", true)
		case !slices.Contains(strings.Fields("kind weight pages card address limit codes pair"), name):
			c.Want("parcel sealed", false)
		}
	}
}

// Shipping serves shipping.yaml: an order is paid before it is shipped, and each once.
// What is named wrong, if anything, is done wrong.
func Shipping(wrong string) http.Handler {
	orders := kit.Far()
	paid := map[any]string{} // the card, by order
	service := kit.New(wrong)
	service.On("POST /orders", func(c *kit.Check, r *http.Request) (int, any) {
		o := c.Object("order", c.Body(r), true, "item")
		item := c.Word(o, "item")
		return orders.Made(c, map[string]any{"item": item, "state": "open"})
	})
	// step moves an order from one state to the next.
	step := func(name, from, to, member string) {
		service.On("POST /orders/{orderId}/"+name, orders.About("orderId", func(c *kit.Check, r *http.Request, order map[string]any) (int, any) {
			switch {
			case order["state"] != from:
				return 409, nil
			}
			given := c.Word(c.Object(name, c.Body(r), true, member), member)
			if c.Complaint != "" {
				return 400, nil
			}
			order["state"], paid[order["id"]] = to, cmp.Or(paid[order["id"]], string(given))
			if wrong == name+" state" {
				return 200, map[string]any{"id": order["id"], "item": order["item"], "state": "gone"}
			}
			return 200, order
		}))
	}
	service.On("GET /orders/{orderId}/payment", func(_ *kit.Check, r *http.Request) (int, any) {
		order := orders.Find(r.PathValue("orderId"))
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
	return service.Keeping(orders.Shown(func(of map[string]any) bool {
		of["card"] = paid[of["id"]]
		return true
	}))
}
