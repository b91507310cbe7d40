package otherservers

import (
	"maps"
	"net/http"
	"strconv"
)

// Accounts serves accounts.yaml. The members of an account are told by links and by a values
// file, not by paths. What is named wrong, if anything, is done wrong.
func Accounts(wrong string) http.Handler {
	var accounts keeper
	mux := http.NewServeMux()
	// open returns an account that is not closed, or nil.
	open := func(number string) map[string]any {
		found := accounts.find(number)
		if found == nil || found["closed"] == true && wrong != "closed is read" && !(wrong == "closed after a deposit is read" && found["deposits"] != 0) {
			return nil
		}
		return found
	}
	shown := func(account map[string]any) map[string]any {
		out := maps.Clone(account)
		delete(out, "id")
		delete(out, "closed")
		out["number"] = account["id"]
		return out
	}
	accounts.handle(mux, wrong, "POST /openings", func(c *check, r *http.Request) (int, any) {
		given := c.words(r, "account", false, "owner", "note")
		if c.complaint != "" {
			return 400, nil
		}
		given["deposits"], given["frozen"] = 0, false
		answer := shown(accounts.add(given))
		if wrong == "opening keeps no note" {
			delete(given, "note")
		}
		return 201, answer
	})
	accounts.handle(mux, wrong, "GET /accounts/{number}", func(_ *check, r *http.Request) (int, any) {
		if account := open(r.PathValue("number")); account != nil {
			return 200, shown(account)
		}
		return 404, nil
	})
	accounts.handle(mux, wrong, "PATCH /accounts/{number}", func(c *check, r *http.Request) (int, any) {
		account := open(r.PathValue("number"))
		if account == nil {
			return 404, nil
		}
		given := c.words(r, "account", true, "owner", "note")
		if c.complaint != "" {
			return 400, nil
		}
		answer := shown(account)
		maps.Copy(answer, given)
		switch {
		case wrong == "change after a deposit is lost" && account["deposits"] != 0:
		case wrong == "change after a freeze is lost" && account["frozen"] == true:
		default:
			maps.Copy(account, given)
		}
		return 200, answer
	})
	accounts.handle(mux, wrong, "DELETE /accounts/{number}", func(_ *check, r *http.Request) (int, any) {
		account := open(r.PathValue("number"))
		if account == nil {
			return 404, nil
		}
		account["closed"] = true
		return 204, nil
	})
	accounts.handle(mux, wrong, "POST /deposits", func(c *check, r *http.Request) (int, any) {
		list := r.URL.Query()["account"]
		n := 0
		if len(list) == 1 {
			n, _ = strconv.Atoi(list[0])
		}
		c.want("account", n >= 1 && n <= 1<<31-1)
		if c.complaint != "" {
			return 400, nil
		}
		account := open(strconv.Itoa(n))
		if account == nil {
			return 404, nil
		}
		account["deposits"] = account["deposits"].(int) + 1
		return 204, nil
	})
	accounts.handle(mux, wrong, "POST /freezes", func(c *check, r *http.Request) (int, any) {
		v := c.object("freeze", c.body(r), true, "target")
		n, ok := c.integer("target", c.member("target", v, "target"))
		ok = ok && n.IsInt() && n.Num().IsInt64() && c.want("target size", n.Num().Int64() >= 1 && n.Num().Int64() <= 1<<31-1)
		if c.complaint != "" || !ok {
			return 400, nil
		}
		account := open(n.Num().String())
		if account == nil {
			return 404, nil
		}
		account["frozen"] = true
		return 201, map[string]any{"target": n.Num().Int64()}
	})
	return mux
}
