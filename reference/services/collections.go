package services

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/big"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// stamps is one collection of Stamps.
type stamps struct {
	keeper
	wrong string
}

// Stamps serves stamps.yaml: three collections with pages by number, by the last item and
// by links. What is named wrong, if anything, is done wrong, or right in an unusual way.
func Stamps(wrong string) http.Handler {
	mux := http.NewServeMux()
	var stored []func() []map[string]any
	for _, name := range []string{"stamps", "letters", "postcards"} {
		s := &stamps{wrong: wrong}
		stored = append(stored, s.shown(nil))
		s.handle(mux, wrong, "POST /"+name, s.stick)
		s.handle(mux, wrong, "GET /"+name+"/{id}", s.read)
		list := map[string]func(http.ResponseWriter, *http.Request) any{"stamps": s.numbered, "letters": s.behind, "postcards": s.linked}[name]
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if wrong == "only pages of answers" && !s.gave(r) {
				answer(w, http.StatusBadRequest, map[string]string{"why": "no answer spoke of this page"})
				return
			}
			answer(w, http.StatusOK, list(w, r))
		})
	}
	return storing(mux, stored...)
}

// stick adds a stamp.
func (s *stamps) stick(c *check, r *http.Request) (int, any) {
	v := c.object("stamp", c.body(r), true, "country", "cents")
	cents, err := strconv.Atoi(string(c.member("cents", v, "cents")))
	if country := c.word(v, "country"); c.complaint == "" && err == nil && cents >= 1 && cents <= 2000000000 {
		return 201, s.add(map[string]any{"country": country, "cents": cents})
	}
	c.want("cents number", false)
	return 400, nil
}

// gave reports whether an answer may have given the place to go on from.
func (s *stamps) gave(r *http.Request) bool {
	for _, name := range []string{"starting_after", "cursor"} {
		if place := r.URL.Query()[name]; len(place) > 0 {
			n, err := strconv.Atoi(place[0])
			return err == nil && n >= 0 && n <= len(s.resources)
		}
	}
	return true
}

// number reads a number of the query.
func number(r *http.Request, name string, otherwise int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n >= 0 {
		return n
	}
	return otherwise
}

// cut returns some things of a list.
func cut(list []map[string]any, from, n int) []map[string]any {
	from = min(max(from, 0), len(list))
	return append([]map[string]any{}, list[from:min(from+n, len(list))]...)
}

// numbered lists pages by their numbers.
func (s *stamps) numbered(_ http.ResponseWriter, r *http.Request) any {
	all := slices.Clone(s.resources)
	if want := r.URL.Query().Get("country"); want != "" && s.wrong != "country is ignored" {
		all = slices.DeleteFunc(all, func(t map[string]any) bool {
			if s.wrong == "country is exact" {
				return textOf(t, "country") != want
			}
			return !strings.Contains(strings.ToLower(textOf(t, "country")), strings.ToLower(want))
		})
	}
	side := 1
	if r.URL.Query().Get("order") == "desc" && s.wrong != "order is ignored" {
		side = -1
	}
	switch r.URL.Query().Get("sort_by") {
	case "cents":
		slices.SortStableFunc(all, func(a, b map[string]any) int {
			if s.wrong == "numbers are sorted as texts" {
				return side * strings.Compare(fmt.Sprint(a["cents"]), fmt.Sprint(b["cents"]))
			}
			return side * (a["cents"].(int) - b["cents"].(int))
		})
	case "country":
		slices.SortStableFunc(all, func(a, b map[string]any) int {
			return side * strings.Compare(textOf(a, "country"), textOf(b, "country"))
		})
	}
	first := 1
	if s.wrong == "pages count from 0" {
		first = 0
	}
	size := number(r, "per_page", 10)
	page := number(r, "page", first) - first
	if s.wrong == "page is ignored" {
		page = 0
	}
	total := len(all)
	if s.wrong == "total of the page" {
		total = len(cut(all, page*size, size))
	}
	return map[string]any{"data": cut(all, page*size, size), "meta": map[string]any{"total": total}}
}

// behind lists what comes behind the item with an id.
func (s *stamps) behind(_ http.ResponseWriter, r *http.Request) any {
	from := number(r, "starting_after", 0)
	if s.wrong == "the last item again" && from > 0 {
		from--
	}
	return cut(s.resources, from, number(r, "limit", 10))
}

// linked lists pages of which each has a link to the next.
func (s *stamps) linked(w http.ResponseWriter, r *http.Request) any {
	from, n := number(r, "cursor", 0), number(r, "limit", 10)
	next := from + n
	if s.wrong == "the link skips one" {
		next++
	}
	if next < len(s.resources) && s.wrong != "no link" {
		w.Header().Set("Link", fmt.Sprintf(`</postcards?limit=1,2&cursor=0>; rel="first", </postcards?limit=%d&cursor=%d>; rel="next"`, n, next))
	}
	return cut(s.resources, from, n)
}

// Badges serves badges.yaml; what is named wrong, if anything, is done wrong. A media
// type that is named wrong is not checked.
func Badges(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /badges", func(w http.ResponseWriter, r *http.Request) {
		media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		c := &check{wrong: wrong}
		c.want("read", err == nil)
		switch media {
		case "application/json", "text/json":
			v := value(b)
			if c.want("body json", v.IsValid()) {
				c.badge(c.object("badge", v, false))
			}
		case "application/x-www-form-urlencoded":
			c.badgeForm(b)
		case "multipart/form-data":
			c.badgeParts(b, params["boundary"])
		case "text/plain":
			n := utf8.RuneCount(b)
			c.want("line", utf8.Valid(b) && n >= 1 && n <= 30)
		default:
			if wrong == "415 answer" {
				answer(w, http.StatusUnsupportedMediaType, map[string]any{"reason": media})
				return
			}
			answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
			return
		}
		switch {
		case wrong == media+" refused":
			answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
		case c.complaint != "" && wrong != media:
			answer(w, http.StatusBadRequest, map[string]any{"why": c.complaint})
		default:
			answer(w, http.StatusCreated, map[string]any{"made": true})
		}
	})
	return mux
}

// badge checks the members of a Badge.
func (c *check) badge(o map[string]value) {
	if s, ok := c.text("holder", c.member("holder", o, "holder")); ok {
		c.holder(s)
	}
	if n, ok := c.integer("floor", o["floor"]); ok {
		c.want("floor range", minimum(n, 0) && maximum(n, 9))
	}
}

func (c *check) holder(s string) {
	n := utf8.RuneCountInString(s)
	c.want("holder length", n >= 1 && n <= 40)
}

// badgeForm checks a Badge in a form.
func (c *check) badgeForm(b []byte) {
	fields, bad := url.ParseQuery(string(b))
	if !c.want("form", bad == nil && utf8.Valid(b)) {
		return
	}
	o := map[string]value{}
	for _, name := range []string{"holder", "floor"} {
		list := fields[name]
		c.want("once", len(list) < 2)
		if len(list) == 0 {
			continue
		}
		c.want("form text", utf8.ValidString(list[0]))
		if name == "floor" {
			c.want("floor digits", len(list[0]) == 1 && list[0] >= "0" && list[0] <= "9")
			continue
		}
		text, err := json.Marshal(list[0])
		c.want("form text", err == nil)
		o[name] = text
	}
	c.badge(o)
}

// badgeParts checks a badge in parts.
func (c *check) badgeParts(b []byte, boundary string) {
	parts, err := multipart.NewReader(bytes.NewReader(b), boundary).ReadForm(1 << 20)
	if !c.want("parts", err == nil) {
		return
	}
	holders := parts.Value["holder"]
	if c.want("holder required", len(holders) == 1) && len(holders) == 1 {
		c.holder(holders[0])
	}
	c.want("picture required", len(parts.File["picture"])+len(parts.Value["picture"]) == 1)
}

// Readings serves readings.yaml; what is named wrong, if anything, is done wrong.
func Readings(wrong string) http.Handler {
	var mu sync.Mutex
	var count int32
	var last *float64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		receipt, n := c.reading(c.body(r))
		if c.complaint != "" {
			refusal := map[string]any{"reason": c.complaint}
			if wrong == "refusal without reason" {
				delete(refusal, "reason")
			}
			answer(w, http.StatusBadRequest, refusal)
			return
		}
		mu.Lock()
		count++
		last = &n
		mu.Unlock()
		if wrong == "answer accepted null" {
			receipt["accepted"] = nil
		}
		answer(w, http.StatusAccepted, receipt)
	})
	mux.HandleFunc("DELETE /readings", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		count, last = 0, nil
		status := http.StatusNoContent
		if wrong == "deleted with 200" {
			status = http.StatusOK
		}
		w.WriteHeader(status)
	})
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		state := map[string]any{"count": count, "healthy": true, "last": last}
		if wrong == "state without healthy" {
			delete(state, "healthy")
		}
		answer(w, http.StatusOK, state)
	})
	return mux
}

// reading checks a Reading and makes its receipt.
func (c *check) reading(v value) (receipt map[string]any, n float64) {
	o := c.object("reading", v, false)
	receipt = map[string]any{"accepted": true, "sensor": "none"}
	if s, ok := c.text("sensor", c.member("sensor", o, "sensor")); ok {
		count := utf8.RuneCountInString(s)
		c.want("sensor short", count >= 1)
		c.want("sensor long", count <= 64)
		receipt["sensor"] = s
	}
	if x, ok := c.number("value", c.member("value", o, "value")); ok {
		c.want("value low", x.Cmp(big.NewRat(-27315, 100)) >= 0)
		c.want("value high", !minimum(x, 5000))
		c.strict("only whole values", !x.IsInt())
		n, _ = x.Float64()
		n = math.Max(-math.MaxFloat64, math.Min(n, math.MaxFloat64))
	}
	if x, ok := c.integer("level", c.member("level", o, "level")); ok {
		c.want("level int32", minimum(x, math.MinInt32) && maximum(x, math.MaxInt32))
	}
	c.boolean("calibrated", c.member("calibrated", o, "calibrated"))
	if v := o["note"]; v.Kind() == 'n' {
		c.strict("null refused", true)
	} else if s, ok := c.text("note", v); ok {
		receipt["note"] = s
	}
	return receipt, n
}
