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

	"plantstore/reference/kit"
)

// stamps is one collection of Stamps.
type stamps struct {
	kit.Store
	wrong string
}

// Stamps serves stamps.yaml: three collections with pages by number, by the last item and
// by links. What is named wrong, if anything, is done wrong, or right in an unusual way.
func Stamps(wrong string) http.Handler {
	service := kit.New(wrong)
	var stored []func() []map[string]any
	for _, name := range []string{"stamps", "letters", "postcards"} {
		s := &stamps{wrong: wrong}
		stored = append(stored, s.Shown(nil))
		service.On("POST /"+name, s.stick)
		service.On("GET /"+name+"/{id}", s.Read("id"))
		list := map[string]func(http.ResponseWriter, *http.Request) any{"stamps": s.numbered, "letters": s.behind, "postcards": s.linked}[name]
		service.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) {
			service.Lock()
			defer service.Unlock()
			if wrong == "only pages of answers" && !s.gave(r) {
				kit.Answer(w, http.StatusBadRequest, map[string]string{"why": "no answer spoke of this page"})
				return
			}
			kit.Answer(w, http.StatusOK, list(w, r))
		})
	}
	return service.Keeping(stored...)
}

// stick adds a stamp.
func (s *stamps) stick(c *kit.Check, r *http.Request) (int, any) {
	v := c.Object("stamp", c.Body(r), true, "country", "cents")
	cents, err := strconv.Atoi(string(c.Member("cents", v, "cents")))
	if country := c.Word(v, "country"); c.Complaint == "" && err == nil && cents >= 1 && cents <= 2000000000 {
		return 201, s.Add(map[string]any{"country": country, "cents": cents})
	}
	c.Want("cents number", false)
	return 400, nil
}

// gave reports whether an answer may have given the place to go on from.
func (s *stamps) gave(r *http.Request) bool {
	for _, name := range []string{"starting_after", "cursor"} {
		if place := r.URL.Query()[name]; len(place) > 0 {
			n, err := strconv.Atoi(place[0])
			return err == nil && n >= 0 && n <= len(s.Things)
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
	all := slices.Clone(s.Things)
	if want := r.URL.Query().Get("country"); want != "" && s.wrong != "country is ignored" {
		all = slices.DeleteFunc(all, func(t map[string]any) bool {
			if s.wrong == "country is exact" {
				return kit.TextOf(t, "country") != want
			}
			return !strings.Contains(strings.ToLower(kit.TextOf(t, "country")), strings.ToLower(want))
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
			return side * strings.Compare(kit.TextOf(a, "country"), kit.TextOf(b, "country"))
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
	return cut(s.Things, from, number(r, "limit", 10))
}

// linked lists pages of which each has a link to the next.
func (s *stamps) linked(w http.ResponseWriter, r *http.Request) any {
	from, n := number(r, "cursor", 0), number(r, "limit", 10)
	next := from + n
	if s.wrong == "the link skips one" {
		next++
	}
	if next < len(s.Things) && s.wrong != "no link" {
		w.Header().Set("Link", fmt.Sprintf(`</postcards?limit=1,2&cursor=0>; rel="first", </postcards?limit=%d&cursor=%d>; rel="next"`, n, next))
	}
	return cut(s.Things, from, n)
}

// Badges serves badges.yaml; what is named wrong, if anything, is done wrong. A media
// type that is named wrong is not checked.
func Badges(wrong string) http.Handler {
	service := kit.New(wrong)
	service.HandleFunc("POST /badges", func(w http.ResponseWriter, r *http.Request) {
		media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		c := &kit.Check{Wrong: wrong}
		c.Want("read", err == nil)
		switch media {
		case "application/json", "text/json":
			v := value(b)
			if c.Want("body json", v.IsValid()) {
				readBadge(c, c.Object("badge", v, false))
			}
		case "application/x-www-form-urlencoded":
			readBadgeForm(c, b)
		case "multipart/form-data":
			readBadgeParts(c, b, params["boundary"])
		case "text/plain":
			n := utf8.RuneCount(b)
			c.Want("line", utf8.Valid(b) && n >= 1 && n <= 30)
		default:
			if wrong == "415 answer" {
				kit.Answer(w, http.StatusUnsupportedMediaType, map[string]any{"reason": media})
				return
			}
			kit.Answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
			return
		}
		switch {
		case wrong == media+" refused":
			kit.Answer(w, http.StatusUnsupportedMediaType, map[string]any{"why": media})
		case c.Complaint != "" && wrong != media:
			kit.Answer(w, http.StatusBadRequest, map[string]any{"why": c.Complaint})
		default:
			kit.Answer(w, http.StatusCreated, map[string]any{"made": true})
		}
	})
	return service
}

// readBadge checks the members of a Badge.
func readBadge(c *kit.Check, o map[string]value) {
	if s, ok := c.Text("holder", c.Member("holder", o, "holder")); ok {
		readHolder(c, s)
	}
	if n, ok := c.Integer("floor", o["floor"]); ok {
		c.Want("floor range", kit.AtLeast(n, 0) && kit.AtMost(n, 9))
	}
}

func readHolder(c *kit.Check, s string) {
	n := utf8.RuneCountInString(s)
	c.Want("holder length", n >= 1 && n <= 40)
}

// readBadgeForm checks a Badge in a form.
func readBadgeForm(c *kit.Check, b []byte) {
	fields, bad := url.ParseQuery(string(b))
	if !c.Want("form", bad == nil && utf8.Valid(b)) {
		return
	}
	o := map[string]value{}
	for _, name := range []string{"holder", "floor"} {
		list := fields[name]
		c.Want("once", len(list) < 2)
		if len(list) == 0 {
			continue
		}
		c.Want("form text", utf8.ValidString(list[0]))
		if name == "floor" {
			c.Want("floor digits", len(list[0]) == 1 && list[0] >= "0" && list[0] <= "9")
			continue
		}
		text, err := json.Marshal(list[0])
		c.Want("form text", err == nil)
		o[name] = text
	}
	readBadge(c, o)
}

// readBadgeParts checks a badge in parts.
func readBadgeParts(c *kit.Check, b []byte, boundary string) {
	parts, err := multipart.NewReader(bytes.NewReader(b), boundary).ReadForm(1 << 20)
	if !c.Want("parts", err == nil) {
		return
	}
	holders := parts.Value["holder"]
	if c.Want("holder required", len(holders) == 1) && len(holders) == 1 {
		readHolder(c, holders[0])
	}
	c.Want("picture required", len(parts.File["picture"])+len(parts.Value["picture"]) == 1)
}

// Readings serves readings.yaml; what is named wrong, if anything, is done wrong.
func Readings(wrong string) http.Handler {
	var mu sync.Mutex
	var count int32
	var last *float64
	service := kit.New(wrong)
	service.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		c := &kit.Check{Wrong: wrong}
		receipt, n := readReading(c, c.Body(r))
		if c.Complaint != "" {
			refusal := map[string]any{"reason": c.Complaint}
			if wrong == "refusal without reason" {
				delete(refusal, "reason")
			}
			kit.Answer(w, http.StatusBadRequest, refusal)
			return
		}
		mu.Lock()
		count++
		last = &n
		mu.Unlock()
		if wrong == "answer accepted null" {
			receipt["accepted"] = nil
		}
		kit.Answer(w, http.StatusAccepted, receipt)
	})
	service.HandleFunc("DELETE /readings", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		count, last = 0, nil
		status := http.StatusNoContent
		if wrong == "deleted with 200" {
			status = http.StatusOK
		}
		w.WriteHeader(status)
	})
	service.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		state := map[string]any{"count": count, "healthy": true, "last": last}
		if wrong == "state without healthy" {
			delete(state, "healthy")
		}
		kit.Answer(w, http.StatusOK, state)
	})
	return service
}

// readReading checks a Reading and makes its receipt.
func readReading(c *kit.Check, v value) (receipt map[string]any, n float64) {
	o := c.Object("reading", v, false)
	receipt = map[string]any{"accepted": true, "sensor": "none"}
	if s, ok := c.Text("sensor", c.Member("sensor", o, "sensor")); ok {
		count := utf8.RuneCountInString(s)
		c.Want("sensor short", count >= 1)
		c.Want("sensor long", count <= 64)
		receipt["sensor"] = s
	}
	if x, ok := c.Number("value", c.Member("value", o, "value")); ok {
		c.Want("value low", x.Cmp(big.NewRat(-27315, 100)) >= 0)
		c.Want("value high", !kit.AtLeast(x, 5000))
		c.Strict("only whole values", !x.IsInt())
		n, _ = x.Float64()
		n = math.Max(-math.MaxFloat64, math.Min(n, math.MaxFloat64))
	}
	if x, ok := c.Integer("level", c.Member("level", o, "level")); ok {
		c.Want("level int32", kit.AtLeast(x, math.MinInt32) && kit.AtMost(x, math.MaxInt32))
	}
	c.Boolean("calibrated", c.Member("calibrated", o, "calibrated"))
	if v := o["note"]; v.Kind() == 'n' {
		c.Strict("null refused", true)
	} else if s, ok := c.Text("note", v); ok {
		receipt["note"] = s
	}
	return receipt, n
}
