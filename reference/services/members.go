package services

import (
	"maps"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
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
	return storing(mux, accounts.shown(func(of map[string]any) bool { return of["closed"] != true }))
}

// maxMembers is how many members a team has at most.
const maxMembers = 12

// Club serves club.yaml: a badge belongs to a member, who belongs to a team, which may
// be full. What is named wrong, if anything, is done wrong.
func Club(wrong string) http.Handler {
	teams, members, badges := far(), far(), far()
	mux := http.NewServeMux()
	// member finds the member of a team that a path names.
	member := func(r *http.Request) map[string]any {
		m := members.find(r.PathValue("memberId"))
		if team := teams.find(r.PathValue("teamId")); m == nil || team == nil || m["teamId"] != team["id"] {
			return nil
		}
		return m
	}
	teams.handle(mux, wrong, "POST /teams", func(c *check, r *http.Request) (int, any) {
		name := c.word(c.object("team", c.body(r), true, "name"), "name")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, teams.add(map[string]any{"name": name})
	})
	teams.handle(mux, wrong, "POST /teams/{teamId}/members", func(c *check, r *http.Request) (int, any) {
		team := teams.find(r.PathValue("teamId"))
		if team == nil {
			return 404, nil
		}
		inTeam := 0
		for _, m := range members.resources {
			if m["teamId"] == team["id"] {
				inTeam++
			}
		}
		if inTeam >= maxMembers {
			return 409, nil
		}
		nick := c.word(c.object("member", c.body(r), true, "nick"), "nick")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, members.add(map[string]any{"nick": nick, "teamId": team["id"]})
	})
	teams.handle(mux, wrong, "POST /teams/{teamId}/members/{memberId}/badges", func(c *check, r *http.Request) (int, any) {
		m := member(r)
		if m == nil {
			return 404, nil
		}
		label := c.word(c.object("badge", c.body(r), true, "label"), "label")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, badges.add(map[string]any{"label": label, "memberId": m["id"]})
	})
	teams.handle(mux, wrong, "GET /teams/{teamId}/members/{memberId}/badges/{badgeId}", func(_ *check, r *http.Request) (int, any) {
		m, badge := member(r), badges.find(r.PathValue("badgeId"))
		switch {
		case m == nil || badge == nil || badge["memberId"] != m["id"]:
			return 404, nil
		case wrong == "badge of nobody":
			return 200, map[string]any{"id": badge["id"], "label": badge["label"]}
		}
		return 200, badge
	})
	return storing(mux, teams.shown(nil), members.shown(nil), badges.shown(nil))
}

// Profiles serves profiles.yaml. A profile with another handle than that of the path is
// refused with 409. What is named wrong, if anything, is done wrong, or right in an
// unusual way.
func Profiles(wrong string) http.Handler {
	var k keeper
	profiles := map[string]map[string]any{}
	mux := http.NewServeMux()
	k.handle(mux, wrong, "PUT /profiles/{handle}", func(c *check, r *http.Request) (int, any) {
		handle := r.PathValue("handle")
		c.want("path", noteKey.MatchString(handle))
		v := c.object("profile", c.body(r), true, "handle", "motto")
		motto := c.word(v, "motto")
		own, ok := c.text("handle", c.member("handle", v, "handle"))
		n := len([]rune(own))
		c.want("handle length", !ok || n >= 3 && n <= 30)
		switch {
		case c.complaint != "":
			return 400, nil
		case own != handle && wrong == "path wins":
			own = handle
		case own != handle:
			return 409, nil
		}
		profiles[handle] = map[string]any{"handle": own, "motto": motto}
		return 200, profiles[handle]
	})
	k.handle(mux, wrong, "GET /profiles/{handle}", func(_ *check, r *http.Request) (int, any) {
		if p := profiles[r.PathValue("handle")]; p != nil {
			return 200, p
		}
		return 404, nil
	})
	return storing(mux, under(profiles))
}

// keeper stores the things of a small service under numbers from 1.
type keeper struct {
	// before is added to each number; see far.
	before    int
	mu        sync.Mutex
	resources []map[string]any
}

// far returns a keeper with ids that no case guesses: which thing a guess finds would depend on
// the order of the cases.
func far() keeper { return keeper{before: 4_718_281} }

// add stores a thing and gives it its id.
func (k *keeper) add(res map[string]any) map[string]any {
	res["id"] = k.before + len(k.resources) + 1
	k.resources = append(k.resources, res)
	return res
}

// find returns the thing with the id that a text spells, or nil.
func (k *keeper) find(id string) map[string]any {
	n, err := strconv.Atoi(id)
	if err != nil || n <= k.before || n > k.before+len(k.resources) || strconv.Itoa(n) != id {
		return nil
	}
	return k.resources[n-k.before-1]
}

// read serves the operation that reads the thing which {id} names.
func (k *keeper) read(_ *check, r *http.Request) (int, any) {
	if found := k.find(r.PathValue("id")); found != nil {
		return 200, found
	}
	return 404, nil
}

// textOf is the text of a member that a check has read.
func textOf(res map[string]any, name string) string {
	var text string
	_ = json.Unmarshal(res[name].(value), &text) // it was read before
	return text
}

// handle serves one operation. It answers with a status and a body; without a body,
// the complaint of the check is the reason for a refusal.
func (k *keeper) handle(mux *http.ServeMux, wrong, pattern string, serve func(c *check, r *http.Request) (int, any)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		defer k.mu.Unlock()
		c := &check{wrong: wrong}
		status, body := serve(c, r)
		switch {
		case c.complaint != "":
			answer(w, max(status, http.StatusBadRequest), map[string]string{"why": c.complaint})
		case status/100 != 2:
			answer(w, status, map[string]string{"why": http.StatusText(status)})
		case body == nil:
			w.WriteHeader(status)
		default:
			answer(w, status, body)
		}
	})
}

// word reads a required text of 1 to 20 characters out of a body that is an object of
// no other members than the known.
func (c *check) word(v map[string]value, name string) value {
	s, ok := c.text(name, c.member(name, v, name))
	if n := len([]rune(s)); ok {
		c.want(name+" length", n >= 1 && n <= 20)
	}
	return v[name]
}

// words reads a body of words. The first is required, but those of a patch may all be missing.
func (c *check) words(r *http.Request, res string, patch bool, names ...string) map[string]any {
	v, out := c.object(res, c.body(r), true, names...), map[string]any{}
	for i, name := range names {
		if _, found := v[name]; found || i == 0 && !patch {
			out[name] = c.word(v, name)
		}
	}
	return out
}
