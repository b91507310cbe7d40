package services

import (
	"maps"
	"net/http"
	"strconv"

	"plantstore/reference/kit"
)

// Accounts serves accounts.yaml. The members of an account are told by links and by a values
// file, not by paths. What is named wrong, if anything, is done wrong.
func Accounts(wrong string) http.Handler {
	var accounts kit.Store
	service := kit.New(wrong)
	// open returns an account that is not closed, or nil.
	open := func(number string) map[string]any {
		found := accounts.Find(number)
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
	service.On("POST /openings", func(c *kit.Check, r *http.Request) (int, any) {
		given := c.Words(r, "account", false, "owner", "note")
		if c.Complaint != "" {
			return 400, nil
		}
		given["deposits"], given["frozen"] = 0, false
		answer := shown(accounts.Add(given))
		if wrong == "opening keeps no note" {
			delete(given, "note")
		}
		return 201, answer
	})
	service.On("GET /accounts/{number}", kit.About("number", open, func(_ *kit.Check, _ *http.Request, account map[string]any) (int, any) {
		return 200, shown(account)
	}))
	service.On("PATCH /accounts/{number}", kit.About("number", open, func(c *kit.Check, r *http.Request, account map[string]any) (int, any) {
		given := c.Words(r, "account", true, "owner", "note")
		if c.Complaint != "" {
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
	}))
	service.On("DELETE /accounts/{number}", kit.About("number", open, func(_ *kit.Check, _ *http.Request, account map[string]any) (int, any) {
		account["closed"] = true
		return 204, nil
	}))
	service.On("POST /deposits", func(c *kit.Check, r *http.Request) (int, any) {
		list := r.URL.Query()["account"]
		n := 0
		if len(list) == 1 {
			n, _ = strconv.Atoi(list[0])
		}
		c.Want("account", n >= 1 && n <= 1<<31-1)
		if c.Complaint != "" {
			return 400, nil
		}
		account := open(strconv.Itoa(n))
		if account == nil {
			return 404, nil
		}
		account["deposits"] = account["deposits"].(int) + 1
		return 204, nil
	})
	service.On("POST /freezes", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("freeze", c.Body(r), true, "target")
		n, ok := c.Integer("target", c.Member("target", v, "target"))
		ok = ok && n.IsInt() && n.Num().IsInt64() && c.Want("target size", n.Num().Int64() >= 1 && n.Num().Int64() <= 1<<31-1)
		if c.Complaint != "" || !ok {
			return 400, nil
		}
		account := open(n.Num().String())
		if account == nil {
			return 404, nil
		}
		account["frozen"] = true
		return 201, map[string]any{"target": n.Num().Int64()}
	})
	return service.Keeping(accounts.Shown(func(of map[string]any) bool { return of["closed"] != true }))
}

// maxMembers is how many members a team has at most.
const maxMembers = 12

// Club serves club.yaml: a badge belongs to a member, who belongs to a team, which may
// be full. What is named wrong, if anything, is done wrong.
func Club(wrong string) http.Handler {
	teams, members, badges := kit.Far(), kit.Far(), kit.Far()
	service := kit.New(wrong)
	// member finds the member of a team that a path names.
	member := func(r *http.Request) map[string]any {
		m := members.Find(r.PathValue("memberId"))
		if team := teams.Find(r.PathValue("teamId")); m == nil || team == nil || m["teamId"] != team["id"] {
			return nil
		}
		return m
	}
	service.On("POST /teams", func(c *kit.Check, r *http.Request) (int, any) {
		name := c.Word(c.Object("team", c.Body(r), true, "name"), "name")
		return teams.Made(c, map[string]any{"name": name})
	})
	service.On("POST /teams/{teamId}/members", teams.About("teamId", func(c *kit.Check, r *http.Request, team map[string]any) (int, any) {
		inTeam := 0
		for _, m := range members.Things {
			if m["teamId"] == team["id"] {
				inTeam++
			}
		}
		if inTeam >= maxMembers {
			return 409, nil
		}
		nick := c.Word(c.Object("member", c.Body(r), true, "nick"), "nick")
		return members.Made(c, map[string]any{"nick": nick, "teamId": team["id"]})
	}))
	service.On("POST /teams/{teamId}/members/{memberId}/badges", func(c *kit.Check, r *http.Request) (int, any) {
		m := member(r)
		if m == nil {
			return 404, nil
		}
		label := c.Word(c.Object("badge", c.Body(r), true, "label"), "label")
		return badges.Made(c, map[string]any{"label": label, "memberId": m["id"]})
	})
	service.On("GET /teams/{teamId}/members/{memberId}/badges/{badgeId}", func(_ *kit.Check, r *http.Request) (int, any) {
		m, badge := member(r), badges.Find(r.PathValue("badgeId"))
		switch {
		case m == nil || badge == nil || badge["memberId"] != m["id"]:
			return 404, nil
		case wrong == "badge of nobody":
			return 200, map[string]any{"id": badge["id"], "label": badge["label"]}
		}
		return 200, badge
	})
	return service.Keeping(teams.Shown(nil), members.Shown(nil), badges.Shown(nil))
}

// Profiles serves profiles.yaml. A profile with another handle than that of the path is
// refused with 409. What is named wrong, if anything, is done wrong, or right in an
// unusual way.
func Profiles(wrong string) http.Handler {
	profiles := map[string]map[string]any{}
	service := kit.New(wrong)
	service.On("PUT /profiles/{handle}", func(c *kit.Check, r *http.Request) (int, any) {
		handle := r.PathValue("handle")
		c.Want("path", noteKey.MatchString(handle))
		v := c.Object("profile", c.Body(r), true, "handle", "motto")
		motto := c.Word(v, "motto")
		own, ok := c.Text("handle", c.Member("handle", v, "handle"))
		n := len([]rune(own))
		c.Want("handle length", !ok || n >= 3 && n <= 30)
		switch {
		case c.Complaint != "":
			return 400, nil
		case own != handle && wrong == "path wins":
			own = handle
		case own != handle:
			return 409, nil
		}
		profiles[handle] = map[string]any{"handle": own, "motto": motto}
		return 200, profiles[handle]
	})
	service.On("GET /profiles/{handle}", kit.About("handle", func(handle string) map[string]any { return profiles[handle] }, kit.Shown))
	return service.Keeping(kit.Under(profiles))
}
