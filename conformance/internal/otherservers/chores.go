package otherservers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

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
	return mux
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
	for _, one := range k.things {
		if (!q.Has("room") || one["room"] == q.Get("room")) && (!q.Has("who") || among(one["who"])) {
			out = append(out, one)
		}
	}
	if q.Get("sort") == "-id" || !q.Has("sort") && k.wrong != "oldest first" {
		slices.Reverse(out)
	}
	return 200, cut(out, offset, limit)
}
