package otherservers

import (
	"maps"
	"net/http"
)

// Ballots serves ballots.yaml: a ballot is a draft, then open, then closed. What is named
// wrong, if anything, is done in every state, or, if that is the note, not replaced.
func Ballots(wrong string) http.Handler {
	var ballots keeper
	dropped := map[any]bool{}
	mux := http.NewServeMux()
	ballots.handle(mux, wrong, "POST /ballots", func(c *check, r *http.Request) (int, any) {
		ballot := newBallot(c, r)
		if c.complaint != "" {
			return 400, nil
		}
		ballot["status"] = "draft"
		return 201, ballots.add(ballot)
	})
	// named serves an operation about one ballot, which is refused unless it is in a state.
	named := func(pattern string, allowed func(status any) bool, done string, serve func(ballot map[string]any) (int, any)) {
		ballots.handle(mux, wrong, pattern, func(_ *check, r *http.Request) (int, any) {
			ballot := ballots.find(r.PathValue("ballotId"))
			switch {
			case ballot == nil || dropped[ballot["id"]]:
				return 404, nil
			case !allowed(ballot["status"]) && wrong != done:
				return 409, nil
			}
			return serve(ballot)
		})
	}
	ballots.handle(mux, wrong, "PUT /ballots/{ballotId}", func(c *check, r *http.Request) (int, any) {
		ballot, given := ballots.find(r.PathValue("ballotId")), newBallot(c, r)
		switch {
		case ballot == nil || dropped[ballot["id"]]:
			return 404, nil
		case c.complaint != "":
			return 400, nil
		}
		note := ballot["note"]
		delete(ballot, "note")
		maps.Copy(ballot, given)
		if wrong == "note" && note != nil && given["note"] != nil {
			ballot["note"] = note
		}
		return 200, ballot
	})
	is := func(status string) func(any) bool { return func(s any) bool { return s == status } }
	becomes := func(status string) func(map[string]any) (int, any) {
		return func(ballot map[string]any) (int, any) {
			ballot["status"] = status
			return 200, ballot
		}
	}
	named("GET /ballots/{ballotId}", func(any) bool { return true }, "", func(ballot map[string]any) (int, any) { return 200, ballot })
	named("POST /ballots/{ballotId}/open", is("draft"), "opening", becomes("open"))
	named("POST /ballots/{ballotId}/close", is("open"), "closing", becomes("closed"))
	named("DELETE /ballots/{ballotId}", func(s any) bool { return s != "open" }, "deletion", func(ballot map[string]any) (int, any) {
		dropped[ballot["id"]] = true
		return 204, nil
	})
	return mux
}

// newBallot reads the members that a client sends.
func newBallot(c *check, r *http.Request) map[string]any {
	v := c.object("ballot", c.body(r), true, "name", "note")
	out := map[string]any{"name": c.word(v, "name")}
	if v["note"] != nil {
		out["note"] = c.word(v, "note")
	}
	return out
}
