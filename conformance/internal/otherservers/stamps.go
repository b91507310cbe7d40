package otherservers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
	for _, name := range []string{"stamps", "letters", "postcards"} {
		s := &stamps{wrong: wrong}
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
	return mux
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
			return err == nil && n >= 0 && n <= len(s.things)
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
	all := slices.Clone(s.things)
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
	return cut(s.things, from, number(r, "limit", 10))
}

// linked lists pages of which each has a link to the next.
func (s *stamps) linked(w http.ResponseWriter, r *http.Request) any {
	from, n := number(r, "cursor", 0), number(r, "limit", 10)
	next := from + n
	if s.wrong == "the link skips one" {
		next++
	}
	if next < len(s.things) && s.wrong != "no link" {
		w.Header().Set("Link", fmt.Sprintf(`</postcards?limit=1,2&cursor=0>; rel="first", </postcards?limit=%d&cursor=%d>; rel="next"`, n, next))
	}
	return cut(s.things, from, n)
}
