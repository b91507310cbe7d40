package otherservers

import (
	"math/big"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

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
			c.want("limit high", most(n, 100))
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
