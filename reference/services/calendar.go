package services

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// visits serves visits.yaml.
type visits struct {
	keeper
	wrong  string // a rule, and behind it the status of the refusal
	status int
	asked  int
}

// Visits serves visits.yaml. A rule that its document does not state, or that it contradicts, may
// be named, with the status of the refusals: "plans exist, 422".
func Visits(rule string) http.Handler {
	name, status, _ := strings.Cut(rule, ", ")
	v := &visits{wrong: name}
	v.status, _ = strconv.Atoi(status)
	mux := http.NewServeMux()
	v.handle(mux, name, "GET /visits", v.list)
	v.handle(mux, name, "POST /visits", v.enter)
	return storing(mux, v.shown(nil))
}

// refuse answers a request that has a complaint: with the status of the rule, if it is due to that.
func (v *visits) refuse(c *check) (int, any) {
	if c.complaint == v.wrong && v.status != 0 {
		return v.status, nil
	}
	return 400, nil
}

var (
	visitMail   = regexp.MustCompile(`^[!-?A-~]+@[!-?A-~]+$`) // a Mailbox has ASCII alone (RFC 5321, 4.1.2)
	visitFilter = regexp.MustCompile(`^[a-z]+ eq \w+$`)
)

func (v *visits) list(c *check, r *http.Request) (int, any) {
	q := r.URL.Query()
	for _, name := range []string{"hosted", "narrow", "most", "order"} {
		c.want(name+" once", len(q[name]) < 2)
	}
	maximum, err := strconv.Atoi(q.Get("most"))
	plain := q.Get("most") == strconv.Itoa(maximum)
	c.want("most", !q.Has("most") || err == nil && plain && maximum >= 1 && maximum <= 100)
	c.want("order", !q.Has("order") || q.Get("order") == "old" || q.Get("order") == "new")
	v.asked++
	c.strict("hosts exist", q.Has("hosted"))
	c.strict("filters have a syntax", q.Has("narrow") && !visitFilter.MatchString(q.Get("narrow")))
	c.strict("most is below 100", maximum == 100)
	c.strict("no new", q.Get("order") == "new")
	c.strict("sometimes down", v.asked%50 == 7)
	if c.complaint != "" {
		return v.refuse(c)
	}
	return 200, []any{}
}

func (v *visits) enter(c *check, r *http.Request) (int, any) {
	raw := c.body(r)
	b := c.object("visit", raw, true, "guest", "kind", "mail", "seats", "badge", "plan")
	guest, ok := c.text("guest", c.member("guest", b, "guest"))
	if n := len([]rune(guest)); ok {
		c.want("guest length", n >= 1 && n <= 40)
	}
	kind, _ := c.text("kind", b["kind"])
	c.want("kind", b["kind"] == nil || kind == "short" || kind == "long")
	mail, _ := c.text("mail", b["mail"])
	c.want("mail", b["mail"] == nil || visitMail.MatchString(mail))
	badge, _ := c.text("badge", b["badge"])
	c.want("badge", b["badge"] == nil || uuid(badge))
	seats, counted := c.integer("seats", b["seats"])
	if counted {
		c.want("seats", minimum(seats, 1) && maximum(seats, 40))
	}
	c.integer("plan", b["plan"])
	if c.complaint == "" {
		v.asked++
		c.strict("plans exist", b["plan"] != nil)
		c.strict("badges exist", b["badge"] != nil)
		c.strict("names are reserved", slices.Contains([]string{"null", "true", "undefined", "NaN", "none"}, guest))
		c.strict("seats in fives", counted && seats.Num().Int64()%5 > 1)
		c.strict("no seats for a short visit", counted && kind == "short")
		c.strict("no long visit", kind == "long")
		c.strict("no mail", b["mail"] != nil)
		c.strict("guest shorter than 40", len([]rune(guest)) == 40)
		c.strict("guest first", guest != "" && !strings.HasPrefix(strings.TrimLeft(string(raw), "{ \t\r\n"), `"guest"`))
		c.strict("every ninth", v.asked%9 == 0)
		c.strict("undocumented", b["plan"] != nil)
	}
	if c.complaint != "" {
		return v.refuse(c)
	}
	out := map[string]any{}
	for name, value := range b {
		out[name] = value
	}
	return 201, v.add(out)
}

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
	return storing(mux, ballots.shown(func(of map[string]any) bool { return !dropped[of["id"]] }))
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

// chores keeps what Chores serves.
type chores struct {
	keeper
	wrong string
}

// Chores serves chores.yaml: a list has pages, an order and two filters. What is named wrong, if anything, is
// done wrong.
func Chores(wrong string) http.Handler {
	k := &chores{keeper: far(), wrong: wrong}
	mux := http.NewServeMux()
	k.handle(mux, wrong, "POST /chores", func(c *check, r *http.Request) (int, any) {
		v := c.object("chore", c.body(r), true, "title", "room", "who")
		made := map[string]any{"title": c.word(v, "title"), "room": c.oneOf(v, "room", rooms), "who": c.oneOf(v, "who", people)}
		if c.complaint != "" {
			return 400, nil
		}
		if wrong == "nothing is kept" {
			made["id"] = 1
			return 201, made
		}
		return 201, k.add(made)
	})
	k.handle(mux, wrong, "GET /chores", k.list)
	return storing(mux, k.shown(nil))
}

var (
	rooms  = []string{"attic", "bath", "cellar"}
	people = []string{"ann", "ben", "cem"}
)

// unique reports whether no text is there twice.
func unique(list []string) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

// oneOf reads a required text that is one of some.
func (c *check) oneOf(v map[string]value, name string, known []string) string {
	s, ok := c.text(name, c.member(name, v, name))
	c.want(name+" enum", !ok || slices.Contains(known, s))
	return s
}

func (k *chores) list(c *check, r *http.Request) (int, any) {
	q := r.URL.Query()
	limit, offset := number(r, "limit", 10), number(r, "offset", 0)
	for _, name := range []string{"limit", "offset"} {
		var n uint8
		if q.Has(name) {
			c.want(name, json.Unmarshal([]byte(q.Get(name)), &n) == nil && n <= 100 && (name == "offset" || n >= 1))
		}
	}
	keep := func(name string, valid bool) {
		if !q.Has(name) || !c.want(name, valid) {
			q.Del(name)
		}
	}
	who := strings.Split(q.Get("who"), ",")
	unknown := func(name string) bool { return !slices.Contains(people, name) }
	keep("sort", slices.Contains([]string{"id", "-id"}, q.Get("sort")))
	keep("room", slices.Contains(rooms, q.Get("room")))
	keep("who", !slices.ContainsFunc(who, unknown) && unique(who))
	if c.complaint != "" {
		return 400, nil
	}
	if k.wrong == "who is ignored beside room" && q.Has("room") {
		q.Del("who")
	}
	if k.wrong == "later pages forget the room" && offset > 0 {
		q.Del("room")
	}
	if k.wrong == "the first of several people counts" {
		who = who[:1]
	}
	among := func(name any) bool { return slices.ContainsFunc(who, func(one string) bool { return name == one }) }
	if k.wrong == "nobody is several people" && len(who) > 1 {
		among = func(any) bool { return false }
	}
	var out []map[string]any
	for _, one := range k.resources {
		if (!q.Has("room") || one["room"] == q.Get("room")) && (!q.Has("who") || among(one["who"])) {
			out = append(out, one)
		}
	}
	if q.Get("sort") == "-id" || !q.Has("sort") && k.wrong != "oldest first" {
		slices.Reverse(out)
	}
	return 200, cut(out, offset, limit)
}

// Sites serves sites.yaml: the code of a site never changes, so a PUT that has another one is
// refused with 422. What is named wrong, if anything, is done wrong.
func Sites(wrong string) http.Handler {
	sites := far()
	mux := http.NewServeMux()
	sites.handle(mux, wrong, "POST /sites", func(c *check, r *http.Request) (int, any) {
		given := c.site(r)
		if c.complaint != "" {
			return 400, nil
		}
		return 201, sites.add(given)
	})
	sites.handle(mux, wrong, "GET /sites/{id}", sites.read)
	sites.handle(mux, wrong, "PUT /sites/{id}", func(c *check, r *http.Request) (int, any) {
		given, found := c.site(r), sites.find(r.PathValue("id"))
		switch {
		case c.complaint != "":
			return 400, nil
		case found == nil:
			return 404, nil
		case textOf(given, "code") != textOf(found, "code"):
			return 422, nil
		}
		given["id"] = found["id"]
		if wrong != "put keeps nothing" {
			maps.Copy(found, given)
		}
		return 200, given
	})
	return storing(mux, sites.shown(nil))
}

// site reads the body of a request.
func (c *check) site(r *http.Request) map[string]any {
	v := c.object("site", c.body(r), true, "code", "name")
	return map[string]any{"code": c.word(v, "code"), "name": c.word(v, "name")}
}
