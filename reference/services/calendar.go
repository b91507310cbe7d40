package services

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"plantstore/reference/kit"
)

// visits serves visits.yaml.
type visits struct {
	kit.Store
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
	service := kit.New(name)
	service.On("GET /visits", v.list)
	service.On("POST /visits", v.enter)
	return service.Keeping(v.Shown(nil))
}

// refuse answers a request that has a complaint: with the status of the rule, if it is due to that.
func (v *visits) refuse(c *kit.Check) (int, any) {
	if c.Complaint == v.wrong && v.status != 0 {
		return v.status, nil
	}
	return 400, nil
}

var (
	visitMail   = regexp.MustCompile(`^[!-?A-~]+@[!-?A-~]+$`) // a Mailbox has ASCII alone (RFC 5321, 4.1.2)
	visitFilter = regexp.MustCompile(`^[a-z]+ eq \w+$`)
)

func (v *visits) list(c *kit.Check, r *http.Request) (int, any) {
	q := r.URL.Query()
	for _, name := range []string{"hosted", "narrow", "most", "order"} {
		c.Want(name+" once", len(q[name]) < 2)
	}
	maximum, err := strconv.Atoi(q.Get("most"))
	plain := q.Get("most") == strconv.Itoa(maximum)
	c.Want("most", !q.Has("most") || err == nil && plain && maximum >= 1 && maximum <= 100)
	c.Want("order", !q.Has("order") || q.Get("order") == "old" || q.Get("order") == "new")
	v.asked++
	c.Strict("hosts exist", q.Has("hosted"))
	c.Strict("filters have a syntax", q.Has("narrow") && !visitFilter.MatchString(q.Get("narrow")))
	c.Strict("most is below 100", maximum == 100)
	c.Strict("no new", q.Get("order") == "new")
	c.Strict("sometimes down", v.asked%50 == 7)
	if c.Complaint != "" {
		return v.refuse(c)
	}
	return 200, []any{}
}

func (v *visits) enter(c *kit.Check, r *http.Request) (int, any) {
	raw := c.Body(r)
	b := c.Object("visit", raw, true, "guest", "kind", "mail", "seats", "badge", "plan")
	guest, ok := c.Text("guest", c.Member("guest", b, "guest"))
	if n := len([]rune(guest)); ok {
		c.Want("guest length", n >= 1 && n <= 40)
	}
	kind, _ := c.Text("kind", b["kind"])
	c.Want("kind", b["kind"] == nil || kind == "short" || kind == "long")
	mail, _ := c.Text("mail", b["mail"])
	c.Want("mail", b["mail"] == nil || visitMail.MatchString(mail))
	badge, _ := c.Text("badge", b["badge"])
	c.Want("badge", b["badge"] == nil || kit.HasFormat("uuid", badge))
	seats, counted := c.Integer("seats", b["seats"])
	if counted {
		c.Want("seats", kit.AtLeast(seats, 1) && kit.AtMost(seats, 40))
	}
	c.Integer("plan", b["plan"])
	if c.Complaint == "" {
		v.asked++
		c.Strict("plans exist", b["plan"] != nil)
		c.Strict("badges exist", b["badge"] != nil)
		c.Strict("names are reserved", slices.Contains([]string{"null", "true", "undefined", "NaN", "none"}, guest))
		c.Strict("seats in fives", counted && seats.Num().Int64()%5 > 1)
		c.Strict("no seats for a short visit", counted && kind == "short")
		c.Strict("no long visit", kind == "long")
		c.Strict("no mail", b["mail"] != nil)
		c.Strict("guest shorter than 40", len([]rune(guest)) == 40)
		c.Strict("guest first", guest != "" && !strings.HasPrefix(strings.TrimLeft(string(raw), "{ \t\r\n"), `"guest"`))
		c.Strict("every ninth", v.asked%9 == 0)
		c.Strict("undocumented", b["plan"] != nil)
	}
	if c.Complaint != "" {
		return v.refuse(c)
	}
	out := map[string]any{}
	for name, value := range b {
		out[name] = value
	}
	return 201, v.Add(out)
}

// Ballots serves ballots.yaml: a ballot is a draft, then open, then closed. What is named
// wrong, if anything, is done in every state, or, if that is the note, not replaced.
func Ballots(wrong string) http.Handler {
	var ballots kit.Store
	service := kit.New(wrong)
	service.On("POST /ballots", func(c *kit.Check, r *http.Request) (int, any) {
		ballot := newBallot(c, r)
		ballot["status"] = "draft"
		return ballots.Made(c, ballot)
	})
	// named serves an operation about one ballot, which is refused unless it is in a state.
	named := func(pattern string, allowed func(status any) bool, done string, serve func(ballot map[string]any) (int, any)) {
		service.On(pattern, ballots.About("ballotId", func(_ *kit.Check, _ *http.Request, ballot map[string]any) (int, any) {
			if !allowed(ballot["status"]) && wrong != done {
				return 409, nil
			}
			return serve(ballot)
		}))
	}
	service.On("PUT /ballots/{ballotId}", func(c *kit.Check, r *http.Request) (int, any) {
		ballot, given := ballots.Find(r.PathValue("ballotId")), newBallot(c, r)
		switch {
		case ballot == nil:
			return 404, nil
		case c.Complaint != "":
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
		ballots.Drop(ballot)
		return 204, nil
	})
	return service.Keeping(ballots.Shown(nil))
}

// newBallot reads the members that a client sends.
func newBallot(c *kit.Check, r *http.Request) map[string]any {
	v := c.Object("ballot", c.Body(r), true, "name", "note")
	out := map[string]any{"name": c.Word(v, "name")}
	if v["note"] != nil {
		out["note"] = c.Word(v, "note")
	}
	return out
}

// chores keeps what Chores serves.
type chores struct {
	kit.Store
	wrong string
}

// Chores serves chores.yaml: a list has pages, an order and two filters. What is named wrong, if anything, is
// done wrong.
func Chores(wrong string) http.Handler {
	k := &chores{Store: kit.Far(), wrong: wrong}
	service := kit.New(wrong)
	service.On("POST /chores", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("chore", c.Body(r), true, "title", "room", "who")
		made := map[string]any{"title": c.Word(v, "title"), "room": oneOf(c, v, "room", rooms), "who": oneOf(c, v, "who", people)}
		if c.Complaint != "" {
			return 400, nil
		}
		if wrong == "nothing is kept" {
			made["id"] = 1
			return 201, made
		}
		return 201, k.Add(made)
	})
	service.On("GET /chores", k.list)
	return service.Keeping(k.Shown(nil))
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
func oneOf(c *kit.Check, v map[string]value, name string, known []string) string {
	s, ok := c.Text(name, c.Member(name, v, name))
	c.Want(name+" enum", !ok || slices.Contains(known, s))
	return s
}

func (k *chores) list(c *kit.Check, r *http.Request) (int, any) {
	q := r.URL.Query()
	limit, offset := number(r, "limit", 10), number(r, "offset", 0)
	for _, name := range []string{"limit", "offset"} {
		var n uint8
		if q.Has(name) {
			c.Want(name, json.Unmarshal([]byte(q.Get(name)), &n) == nil && n <= 100 && (name == "offset" || n >= 1))
		}
	}
	keep := func(name string, valid bool) {
		if !q.Has(name) || !c.Want(name, valid) {
			q.Del(name)
		}
	}
	who := strings.Split(q.Get("who"), ",")
	unknown := func(name string) bool { return !slices.Contains(people, name) }
	keep("sort", slices.Contains([]string{"id", "-id"}, q.Get("sort")))
	keep("room", slices.Contains(rooms, q.Get("room")))
	keep("who", !slices.ContainsFunc(who, unknown) && unique(who))
	if c.Complaint != "" {
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
	for _, one := range k.Things {
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
	sites := kit.Far()
	service := kit.New(wrong)
	service.On("POST /sites", func(c *kit.Check, r *http.Request) (int, any) {
		given := readSite(c, r)
		return sites.Made(c, given)
	})
	service.On("GET /sites/{id}", sites.Read("id"))
	service.On("PUT /sites/{id}", func(c *kit.Check, r *http.Request) (int, any) {
		given, found := readSite(c, r), sites.Find(r.PathValue("id"))
		switch {
		case c.Complaint != "":
			return 400, nil
		case found == nil:
			return 404, nil
		case kit.TextOf(given, "code") != kit.TextOf(found, "code"):
			return 422, nil
		}
		given["id"] = found["id"]
		if wrong != "put keeps nothing" {
			maps.Copy(found, given)
		}
		return 200, given
	})
	return service.Keeping(sites.Shown(nil))
}

// readSite reads the body of a request.
func readSite(c *kit.Check, r *http.Request) map[string]any {
	v := c.Object("site", c.Body(r), true, "code", "name")
	return map[string]any{"code": c.Word(v, "code"), "name": c.Word(v, "name")}
}
