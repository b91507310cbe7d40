package otherservers

import (
	"net/http"
	"strconv"
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
	return mux
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
	for _, one := range p.things {
		if len(want) == 0 || one["account_id"] == of || p.wrong == "shows the payments of others" {
			out = append(out, one)
		}
	}
	return 200, out
}
