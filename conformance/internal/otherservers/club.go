package otherservers

import "net/http"

// mostMembers is how many members a team has at most.
const mostMembers = 12

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
		for _, m := range members.things {
			if m["teamId"] == team["id"] {
				inTeam++
			}
		}
		if inTeam >= mostMembers {
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
	return mux
}
