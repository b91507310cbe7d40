package services

import (
	"bytes"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// payments is what Payments serves.
type payments struct {
	keeper
	wrong    string
	accounts keeper
	// made are the payments by their idempotency keys.
	made map[string]map[string]any
}

// Payments serves payments.yaml: a payment names an account, and one that is sent again with the
// same key is the first one. An account can be given labels, to a limit. What is named wrong, if anything, is done wrong, or right in an
// unusual way.
func Payments(wrong string) http.Handler {
	p := &payments{keeper: far(), wrong: wrong, accounts: far(), made: map[string]map[string]any{}}
	mux := http.NewServeMux()
	p.accounts.handle(mux, wrong, "POST /accounts", func(c *check, r *http.Request) (int, any) {
		v := c.words(r, "account", false, "owner")
		if c.complaint != "" {
			return 400, nil
		}
		v["labels"] = map[string]string{}
		return 201, p.accounts.add(v)
	})
	p.accounts.handle(mux, wrong, "POST /accounts/{id}", p.change)
	for path, k := range map[string]*keeper{"accounts": &p.accounts, "payments": &p.keeper} {
		k.handle(mux, wrong, "GET /"+path+"/{id}", k.read)
	}
	p.handle(mux, wrong, "POST /payments", p.pay)
	p.handle(mux, wrong, "GET /payments", p.list)
	return storing(mux, p.accounts.shown(nil), p.shown(nil))
}

func (p *payments) pay(c *check, r *http.Request) (int, any) {
	v := c.object("payment", c.body(r), true, "account_id", "purpose")
	n, ok := c.integer("account_id", c.member("account_id", v, "account_id"))
	purpose := c.word(v, "purpose")
	keys := r.Header.Values("Idempotency-Key")
	key := ""
	if len(keys) > 0 {
		key = keys[0]
		c.want("key length", len(keys) == 1 && len(key) >= 1 && len(key) <= 100)
	}
	if c.complaint != "" || !ok {
		return 400, nil
	}
	if !n.IsInt() || !n.Num().IsInt64() || p.account(n.Num().String()) == nil {
		return 404, nil
	}
	if before := p.made[key]; before != nil && p.wrong != "pays again" {
		if p.wrong == "refuses to pay again" {
			return 400, nil
		}
		return 201, before
	}
	made := p.add(map[string]any{"account_id": n.Num().Int64(), "purpose": purpose})
	if key != "" {
		p.made[key] = made
	}
	return 201, made
}

// account returns the account with an id, or nil.
func (p *payments) account(id string) map[string]any {
	p.accounts.mu.Lock()
	defer p.accounts.mu.Unlock()
	return p.accounts.find(id)
}

func (p *payments) list(c *check, r *http.Request) (int, any) {
	want, out := r.URL.Query()["account_id"], []map[string]any{}
	of := int64(0)
	if len(want) > 0 {
		n, err := strconv.ParseInt(want[0], 10, 64)
		if !c.want("account_id integer", err == nil) {
			return 400, nil
		}
		of = n
	}
	for _, one := range p.resources {
		if len(want) == 0 || one["account_id"] == of || p.wrong == "shows the payments of others" {
			out = append(out, one)
		}
	}
	return 200, out
}

// maxLabels is how many labels an account can have.
const maxLabels = 8

// change adds labels to those that an account has, or replaces them.
func (p *payments) change(c *check, r *http.Request) (int, any) {
	v := c.object("change", c.body(r), true, "owner", "labels")
	account := p.accounts.find(r.PathValue("id"))
	if account == nil {
		return 404, nil
	}
	labels, _ := account["labels"].(map[string]string)
	labels = maps.Clone(labels)
	sent := map[string]value{}
	if raw, found := v["labels"]; found {
		sent = c.object("labels", raw, false)
	}
	c.want("labels properties", len(sent) <= maxLabels)
	for name, one := range sent {
		text, ok := c.text("label", one)
		if ok && c.want("label length", utf8.RuneCountInString(text) <= 20) {
			labels[name] = text
		}
	}
	if _, found := v["owner"]; found {
		v["owner"] = c.word(v, "owner")
	}
	switch {
	case c.complaint != "":
		return 400, nil
	case len(labels) > maxLabels:
		return 400, nil
	}
	account["labels"] = labels
	if owner, found := v["owner"]; found {
		account["owner"] = owner
	}
	return 200, account
}

// debtCents is how much each debt is at first.
const debtCents = 1_000_000

var clerkName = regexp.MustCompile(`^[a-z]{2,12}$`)

var utcTime = regexp.MustCompile(`^20[3-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// Debts serves debts.yaml, with rules that no schema states. What is named wrong, if anything,
// is done wrong.
func Debts(wrong string) http.Handler {
	var debts, payments keeper
	sent, paid := map[string]bool{}, map[string]int64{}
	mux := http.NewServeMux()
	debts.handle(mux, wrong, "POST /debts", func(c *check, r *http.Request) (int, any) {
		v := c.object("debt", c.body(r), true, "start", "end", "clerk")
		start, end := c.time(v, "start"), c.time(v, "end")
		clerk, given := c.text("clerk", v["clerk"])
		c.want("clerk pattern", !given || clerkName.MatchString(clerk))
		switch {
		case c.complaint != "":
			return 400, nil
		case given && clerk != "alice" && clerk != "bob", end.Before(start), end.After(start.AddDate(10, 0, 0)):
			return 422, nil
		}
		debt := map[string]any{"start": v["start"], "end": v["end"]}
		if given {
			debt["clerk"] = clerk
		}
		return 201, debts.add(debt)
	})
	about := func(pattern string, serve func(c *check, r *http.Request, id string, debt map[string]any) (int, any)) {
		debts.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
			id := r.PathValue("debtId")
			debt := debts.find(id)
			if debt == nil {
				return 404, nil
			}
			return serve(c, r, id, debt)
		})
	}
	about("GET /debts/{debtId}", func(_ *check, _ *http.Request, _ string, debt map[string]any) (int, any) { return 200, debt })
	about("POST /debts/{debtId}/send", func(_ *check, _ *http.Request, id string, debt map[string]any) (int, any) {
		sent[id] = true
		return 200, debt
	})
	about("POST /debts/{debtId}/payments", func(c *check, r *http.Request, id string, _ map[string]any) (int, any) {
		v := c.object("payment", c.body(r), true, "cents")
		n, ok := c.integer("cents", c.member("cents", v, "cents"))
		if ok {
			c.want("cents bounds", minimum(n, 1) && maximum(n, 2_000_000_000))
		}
		if c.complaint != "" || !ok {
			return 400, nil
		}
		cents := n.Num().Int64()
		if c.strict("few cents only", cents > 5000); c.complaint != "" {
			return 400, nil
		}
		if !sent[id] || paid[id]+cents > debtCents {
			return 409, nil
		}
		paid[id] += cents
		return 201, payments.add(map[string]any{"cents": cents, "debt": id})
	})
	about("GET /debts/{debtId}/payments/{paymentId}", func(c *check, r *http.Request, id string, _ map[string]any) (int, any) {
		p := payments.find(r.PathValue("paymentId"))
		switch {
		case p == nil || p["debt"] != id:
			return 404, nil
		case wrong == "cents as text":
			return 200, map[string]any{"id": p["id"], "cents": "1"}
		}
		return 200, p
	})
	return storing(mux, debts.shown(func(of map[string]any) bool {
		id := strconv.Itoa(of["id"].(int))
		of["sent"], of["paid"] = sent[id], paid[id]
		return true
	}), payments.shown(nil))
}

// time reads a required time in UTC.
func (c *check) time(v map[string]value, name string) time.Time {
	text, ok := c.text(name, c.member(name, v, name))
	at, err := time.Parse(time.RFC3339, text)
	if ok {
		c.want(name+" time", err == nil && utcTime.MatchString(text))
	}
	return at
}

// Cards serves cards.yaml: a card takes a merge patch (RFC 7396) and a JSON Patch
// (RFC 6902). What is named wrong, if anything, is done wrong, or right in an unusual way.
func Cards(wrong string) http.Handler {
	var cards keeper
	mux := http.NewServeMux()
	cards.handle(mux, wrong, "POST /cards", func(c *check, r *http.Request) (int, any) {
		v := c.object("card", c.body(r), true, "front", "back", "hint")
		made := map[string]any{"front": c.word(v, "front")}
		for _, name := range []string{"back", "hint"} {
			if _, given := v[name]; given {
				made[name] = c.word(v, name)
			}
		}
		if c.complaint != "" {
			return 400, nil
		}
		return 201, cards.add(made)
	})
	cards.handle(mux, wrong, "GET /cards/{cardId}", func(_ *check, r *http.Request) (int, any) {
		if found := cards.find(r.PathValue("cardId")); found != nil {
			return 200, found
		}
		return 404, nil
	})
	cards.handle(mux, wrong, "PATCH /cards/{cardId}", func(c *check, r *http.Request) (int, any) {
		found := cards.find(r.PathValue("cardId"))
		if found == nil {
			return 404, nil
		}
		next, status, patch := maps.Clone(found), 200, false
		if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media == "application/json-patch+json" {
			status, patch = c.patchCard(next, c.body(r)), true
		} else {
			c.changeCard(next, c.body(r))
		}
		if c.complaint != "" {
			status = max(status, 400)
		}
		if status >= 400 && (wrong != "refused operations stay" || !patch) {
			return status, nil
		}
		answer := maps.Clone(next)
		switch {
		case wrong == "words are folded":
			for name, v := range next {
				if word, ok := v.(value); ok && !bytes.ContainsRune(word, '\\') {
					next[name], answer[name] = value(strings.ToUpper(string(word))), value(strings.ToUpper(string(word)))
				}
			}
		case wrong == "operations are not stored" && status == 200 && patch:
			next = maps.Clone(found)
		}
		clear(found)
		maps.Copy(found, next)
		return status, answer
	})
	return storing(mux, cards.shown(nil))
}

// changeCard merges a patch.
func (c *check) changeCard(card map[string]any, body value) {
	v := c.object("change", body, true, "front", "back", "hint")
	for name, given := range v {
		if string(given) == "null" && name != "front" {
			delete(card, name)
			continue
		}
		card[name] = c.word(v, name)
	}
}

// patchCard applies operations, one after the other. It returns the status.
func (c *check) patchCard(card map[string]any, body value) int {
	list := c.array("patch", body)
	c.want("patch few", len(list) > 0)
	var operations []map[string]value
	for _, item := range list {
		v := c.object("operation", item, false)
		op, _ := c.text("op", c.member("op", v, "op"))
		c.want("op enum", op == "add" || op == "remove" || op == "replace" || op == "test")
		_, _ = c.text("path", c.member("path", v, "path"))
		operations = append(operations, v)
	}
	if c.complaint != "" {
		return 400
	}
	for _, v := range operations {
		var op, path string
		_ = json.Unmarshal(v["op"], &op)
		_ = json.Unmarshal(v["path"], &path)
		name, known := strings.CutPrefix(path, "/")
		old, there := card[name]
		word := ""
		isWord := v["value"] != nil && json.Unmarshal(v["value"], &word) == nil
		if !known || name != "front" && name != "back" && name != "hint" || op != "add" && !there {
			return 409
		}
		was, _ := old.(value)
		switch {
		case op == "test" && c.wrong == "test is ignored":
		case op == "test" && !bytes.Equal(was, v["value"]):
			return 409
		case op == "test":
		case name == "front" && (op == "remove" || c.wrong == "the front stays"):
			return 409
		case op == "remove" && c.wrong == "remove is ignored":
		case op == "remove":
			delete(card, name)
		case !isWord || len([]rune(word)) < 1 || len([]rune(word)) > 20:
			return 409
		case c.wrong == "replace clears the rest":
			for _, other := range []string{"back", "hint"} {
				delete(card, other)
			}
			card[name] = v["value"]
		default:
			card[name] = v["value"]
		}
	}
	return 200
}
