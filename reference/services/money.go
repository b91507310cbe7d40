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

	"plantstore/reference/kit"
)

// payments is what Payments serves.
type payments struct {
	kit.Store
	wrong    string
	accounts kit.Store
	// made are the payments by their idempotency keys.
	made map[string]map[string]any
}

// Payments serves payments.yaml: a payment names an account, and one that is sent again with the
// same key is the first one. An account can be given labels, to a limit. What is named wrong, if anything, is done wrong, or right in an
// unusual way.
func Payments(wrong string) http.Handler {
	p := &payments{Store: kit.Far(), wrong: wrong, accounts: kit.Far(), made: map[string]map[string]any{}}
	service := kit.New(wrong)
	service.On("POST /accounts", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Words(r, "account", false, "owner")
		if c.Complaint != "" {
			return 400, nil
		}
		v["labels"] = map[string]string{}
		return 201, p.accounts.Add(v)
	})
	service.On("POST /accounts/{id}", p.change)
	for path, k := range map[string]*kit.Store{"accounts": &p.accounts, "payments": &p.Store} {
		service.On("GET /"+path+"/{id}", k.Read("id"))
	}
	service.On("POST /payments", p.pay)
	service.On("GET /payments", p.list)
	return service.Keeping(p.accounts.Shown(nil), p.Shown(nil))
}

func (p *payments) pay(c *kit.Check, r *http.Request) (int, any) {
	v := c.Object("payment", c.Body(r), true, "account_id", "purpose")
	n, ok := c.Integer("account_id", c.Member("account_id", v, "account_id"))
	purpose := c.Word(v, "purpose")
	keys := r.Header.Values("Idempotency-Key")
	key := ""
	if len(keys) > 0 {
		key = keys[0]
		c.Want("key length", len(keys) == 1 && len(key) >= 1 && len(key) <= 100)
	}
	if c.Complaint != "" || !ok {
		return 400, nil
	}
	if !n.IsInt() || !n.Num().IsInt64() || p.accounts.Find(n.Num().String()) == nil {
		return 404, nil
	}
	if before := p.made[key]; before != nil && p.wrong != "pays again" {
		if p.wrong == "refuses to pay again" {
			return 400, nil
		}
		return 201, before
	}
	made := p.Add(map[string]any{"account_id": n.Num().Int64(), "purpose": purpose})
	if key != "" {
		p.made[key] = made
	}
	return 201, made
}

func (p *payments) list(c *kit.Check, r *http.Request) (int, any) {
	want, out := r.URL.Query()["account_id"], []map[string]any{}
	of := int64(0)
	if len(want) > 0 {
		n, err := strconv.ParseInt(want[0], 10, 64)
		if !c.Want("account_id integer", err == nil) {
			return 400, nil
		}
		of = n
	}
	for _, one := range p.Things {
		if len(want) == 0 || one["account_id"] == of || p.wrong == "shows the payments of others" {
			out = append(out, one)
		}
	}
	return 200, out
}

// maxLabels is how many labels an account can have.
const maxLabels = 8

// change adds labels to those that an account has, or replaces them.
func (p *payments) change(c *kit.Check, r *http.Request) (int, any) {
	v := c.Object("change", c.Body(r), true, "owner", "labels")
	account := p.accounts.Find(r.PathValue("id"))
	if account == nil {
		return 404, nil
	}
	labels, _ := account["labels"].(map[string]string)
	labels = maps.Clone(labels)
	sent := map[string]value{}
	if raw, found := v["labels"]; found {
		sent = c.Object("labels", raw, false)
	}
	c.Want("labels properties", len(sent) <= maxLabels)
	for name, one := range sent {
		text, ok := c.Text("label", one)
		if ok && c.Want("label length", utf8.RuneCountInString(text) <= 20) {
			labels[name] = text
		}
	}
	if _, found := v["owner"]; found {
		v["owner"] = c.Word(v, "owner")
	}
	switch {
	case c.Complaint != "":
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
	var debts, payments kit.Store
	sent, paid := map[string]bool{}, map[string]int64{}
	service := kit.New(wrong)
	service.On("POST /debts", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("debt", c.Body(r), true, "start", "end", "clerk")
		start, end := readTime(c, v, "start"), readTime(c, v, "end")
		clerk, given := c.Text("clerk", v["clerk"])
		c.Want("clerk pattern", !given || clerkName.MatchString(clerk))
		switch {
		case c.Complaint != "":
			return 400, nil
		case given && clerk != "alice" && clerk != "bob", end.Before(start), end.After(start.AddDate(10, 0, 0)):
			return 422, nil
		}
		debt := map[string]any{"start": v["start"], "end": v["end"]}
		if given {
			debt["clerk"] = clerk
		}
		return 201, debts.Add(debt)
	})
	about := func(pattern string, serve func(c *kit.Check, r *http.Request, id string, debt map[string]any) (int, any)) {
		service.On(pattern, debts.About("debtId", func(c *kit.Check, r *http.Request, debt map[string]any) (int, any) {
			return serve(c, r, r.PathValue("debtId"), debt)
		}))
	}
	service.On("GET /debts/{debtId}", debts.Read("debtId"))
	about("POST /debts/{debtId}/send", func(_ *kit.Check, _ *http.Request, id string, debt map[string]any) (int, any) {
		sent[id] = true
		return 200, debt
	})
	about("POST /debts/{debtId}/payments", func(c *kit.Check, r *http.Request, id string, _ map[string]any) (int, any) {
		v := c.Object("payment", c.Body(r), true, "cents")
		n, ok := c.Integer("cents", c.Member("cents", v, "cents"))
		if ok {
			c.Want("cents bounds", kit.AtLeast(n, 1) && kit.AtMost(n, 2_000_000_000))
		}
		if c.Complaint != "" || !ok {
			return 400, nil
		}
		cents := n.Num().Int64()
		if c.Strict("few cents only", cents > 5000); c.Complaint != "" {
			return 400, nil
		}
		if !sent[id] || paid[id]+cents > debtCents {
			return 409, nil
		}
		paid[id] += cents
		return 201, payments.Add(map[string]any{"cents": cents, "debt": id})
	})
	about("GET /debts/{debtId}/payments/{paymentId}", func(c *kit.Check, r *http.Request, id string, _ map[string]any) (int, any) {
		p := payments.Find(r.PathValue("paymentId"))
		switch {
		case p == nil || p["debt"] != id:
			return 404, nil
		case wrong == "cents as text":
			return 200, map[string]any{"id": p["id"], "cents": "1"}
		}
		return 200, p
	})
	return service.Keeping(debts.Shown(func(of map[string]any) bool {
		id := strconv.Itoa(of["id"].(int))
		of["sent"], of["paid"] = sent[id], paid[id]
		return true
	}), payments.Shown(nil))
}

// readTime reads a required time in UTC.
func readTime(c *kit.Check, v map[string]value, name string) time.Time {
	text, ok := c.Text(name, c.Member(name, v, name))
	at, err := time.Parse(time.RFC3339, text)
	if ok {
		c.Want(name+" time", err == nil && utcTime.MatchString(text))
	}
	return at
}

// Cards serves cards.yaml: a card takes a merge patch (RFC 7396) and a JSON Patch
// (RFC 6902). What is named wrong, if anything, is done wrong, or right in an unusual way.
func Cards(wrong string) http.Handler {
	var cards kit.Store
	service := kit.New(wrong)
	service.On("POST /cards", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("card", c.Body(r), true, "front", "back", "hint")
		made := map[string]any{"front": c.Word(v, "front")}
		for _, name := range []string{"back", "hint"} {
			if _, given := v[name]; given {
				made[name] = c.Word(v, name)
			}
		}
		return cards.Made(c, made)
	})
	service.On("GET /cards/{cardId}", cards.Read("cardId"))
	service.On("PATCH /cards/{cardId}", cards.About("cardId", func(c *kit.Check, r *http.Request, found map[string]any) (int, any) {
		next, status, patch := maps.Clone(found), 200, false
		if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media == "application/json-patch+json" {
			status, patch = patchCard(c, next, c.Body(r)), true
		} else {
			changeCard(c, next, c.Body(r))
		}
		if c.Complaint != "" {
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
	}))
	return service.Keeping(cards.Shown(nil))
}

// changeCard merges a patch.
func changeCard(c *kit.Check, card map[string]any, body value) {
	v := c.Object("change", body, true, "front", "back", "hint")
	for name, given := range v {
		if string(given) == "null" && name != "front" {
			delete(card, name)
			continue
		}
		card[name] = c.Word(v, name)
	}
}

// patchCard applies operations, one after the other. It returns the status.
func patchCard(c *kit.Check, card map[string]any, body value) int {
	list := c.Array("patch", body)
	c.Want("patch few", len(list) > 0)
	var operations []map[string]value
	for _, item := range list {
		v := c.Object("operation", item, false)
		op, _ := c.Text("op", c.Member("op", v, "op"))
		c.Want("op enum", op == "add" || op == "remove" || op == "replace" || op == "test")
		_, _ = c.Text("path", c.Member("path", v, "path"))
		operations = append(operations, v)
	}
	if c.Complaint != "" {
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
		case op == "test" && c.Wrong == "test is ignored":
		case op == "test" && !bytes.Equal(was, v["value"]):
			return 409
		case op == "test":
		case name == "front" && (op == "remove" || c.Wrong == "the front stays"):
			return 409
		case op == "remove" && c.Wrong == "remove is ignored":
		case op == "remove":
			delete(card, name)
		case !isWord || len([]rune(word)) < 1 || len([]rune(word)) > 20:
			return 409
		case c.Wrong == "replace clears the rest":
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
