package services

import (
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Guides serves guides.yaml. What is named wrong, if anything, is done wrong, or right in an
// unusual way: an answer to POST or PUT says what is stored.
func Guides(wrong string) http.Handler {
	var guides keeper
	comments := map[any][]any{}
	mux := http.NewServeMux()
	guides.handle(mux, wrong, "POST /guides", func(c *check, r *http.Request) (int, any) {
		given := c.guide(r)
		if c.complaint != "" {
			return 400, nil
		}
		return 201, guides.add(kept(wrong, given))
	})
	guides.handle(mux, wrong, "GET /guides/{id}", guides.read)
	guides.handle(mux, wrong, "PUT /guides/{id}", func(c *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		given := c.guide(r)
		if c.complaint != "" {
			return 400, nil
		}
		if wrong == "put keeps the tags" && found["tags"] != nil {
			given["tags"] = found["tags"]
		}
		given["id"] = found["id"]
		clear(found)
		maps.Copy(found, given)
		return 200, found
	})
	guides.handle(mux, wrong, "POST /guides/{id}/comments", func(c *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		comment := c.words(r, "comment", false, "text")
		if c.complaint != "" {
			return 400, nil
		}
		comment["id"] = len(comments[found["id"]]) + 1
		switch wrong {
		case "comments wait":
			comment["state"] = "pending"
		case "comments are not kept":
		default:
			comments[found["id"]] = append(comments[found["id"]], comment)
		}
		return 201, comment
	})
	guides.handle(mux, wrong, "GET /guides/{id}/comments", func(_ *check, r *http.Request) (int, any) {
		found := guides.find(r.PathValue("id"))
		if found == nil {
			return 404, nil
		}
		return 200, append([]any{}, comments[found["id"]]...)
	})
	return storing(mux, guides.shown(func(of map[string]any) bool {
		of["comments"] = comments[of["id"]]
		return true
	}))
}

// guide reads a NewGuide. Without a value, shown is false.
func (c *check) guide(r *http.Request) map[string]any {
	v := c.object("guide", c.body(r), true, "title", "views", "shown", "tags", "labels")
	out := map[string]any{"shown": false}
	sized := func(name string, v value, maximum int) {
		s, ok := c.text(name, v)
		if n := len([]rune(s)); ok {
			c.want(name+" length", n >= 1 && n <= maximum)
		}
	}
	maximum := 60
	if c.wrong == "titles may have 65 letters" {
		maximum = 65
	}
	sized("title", c.member("title", v, "title"), maximum)
	if n, ok := c.integer("views", v["views"]); ok {
		c.want("views range", n.Sign() >= 0 && n.IsInt() && n.Num().IsInt64())
		v["views"] = value(n.Num().String())
	}
	c.boolean("shown", v["shown"])
	if v["tags"] != nil {
		tags := c.array("tags", v["tags"])
		c.want("tags size", len(tags) <= 4)
		for _, tag := range tags {
			sized("tag", tag, 20)
		}
	}
	if v["labels"] != nil {
		labels := c.object("labels", v["labels"], false)
		c.want("labels size", len(labels) <= 4)
		for _, label := range labels {
			sized("label", label, 20)
		}
	}
	for name, is := range v {
		out[name] = is
	}
	return out
}

// kept is what becomes of a new guide in the store.
func kept(wrong string, given map[string]any) map[string]any {
	change := func(name string, to func(value) any) {
		if v, ok := given[name].(value); ok {
			given[name] = to(v)
		}
	}
	text := func(v value, to func(string) string) any {
		var s string
		if json.Unmarshal(v, &s) != nil {
			return v
		}
		return to(s)
	}
	switch wrong {
	case "views are doubles":
		change("views", func(v value) any {
			n, _ := new(big.Float).SetPrec(53).SetString(string(v))
			whole, _ := n.Int(nil)
			return value(whole.String())
		})
	case "shown is true":
		given["shown"] = true
	case "labels are emptied":
		change("labels", func(value) any { return map[string]any{} })
	case "titles are in small letters":
		change("title", func(v value) any { return text(v, strings.ToLower) })
	case "titles are in Latin":
		change("title", func(v value) any {
			return text(v, func(s string) string {
				return strings.Map(func(r rune) rune {
					if r > 255 {
						return '?'
					}
					return r
				}, s)
			})
		})
	case "titles are trimmed":
		change("title", func(v value) any { return text(v, strings.TrimSpace) })
	case "tags are sorted":
		change("tags", func(v value) any {
			var list []value
			if json.Unmarshal(v, &list) != nil {
				return v
			}
			slices.SortFunc(list, func(a, b value) int { return strings.Compare(string(a), string(b)) })
			return list
		})
	}
	return given
}

// Library serves library.yaml: a book has an author, and perhaps an editor and
// translators, who must all exist. What is named wrong, if anything, is done wrong.
func Library(wrong string) http.Handler {
	authors, books := far(), far()
	mux := http.NewServeMux()
	authors.handle(mux, wrong, "POST /authors", func(c *check, r *http.Request) (int, any) {
		o := c.object("author", c.body(r), true, "name")
		name := c.word(o, "name")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, authors.add(map[string]any{"name": name})
	})
	books.handle(mux, wrong, "POST /books", func(c *check, r *http.Request) (int, any) {
		o := c.object("book", c.body(r), true, "title", "authorId", "editor", "translatorIds")
		c.integer("authorId", c.member("authorId", o, "authorId"))
		if o == nil || authors.find(string(o["authorId"])) == nil {
			return 422, nil // nothing else is looked at before
		}
		title := c.word(o, "title")
		var others []value
		if o["editor"] != nil {
			editor := c.object("editor", o["editor"], true, "id")
			others = append(others, c.member("editor id", editor, "id"))
		}
		if o["translatorIds"] != nil {
			translators := c.array("translatorIds", o["translatorIds"])
			c.want("translators many", len(translators) <= 5)
			others = append(others, translators...)
		}
		for _, id := range others {
			n, ok := c.integer("another id", id)
			c.want("another id low", !ok || minimum(n, 1))
		}
		if c.complaint != "" {
			return 400, nil
		}
		for _, id := range others {
			if authors.find(string(id)) == nil {
				return 422, nil
			}
		}
		return 201, books.add(map[string]any{"title": title, "authorId": o["authorId"]})
	})
	books.handle(mux, wrong, "GET /books/{bookId}", func(c *check, r *http.Request) (int, any) {
		book := books.find(r.PathValue("bookId"))
		if book == nil {
			return 404, nil
		}
		if wrong == "book without title" {
			return 200, map[string]any{"id": book["id"]}
		}
		return 200, book
	})
	return storing(mux, authors.shown(nil), books.shown(nil))
}

// Minutes serves minutes.yaml: minutes are made, read and replaced, by their entity tag or the
// time of their last change if the request says so. What is named wrong, if anything, is done wrong, or
// right in an unusual way.
func Minutes(wrong string) http.Handler {
	var minutes keeper
	changed, tags := map[any]time.Time{}, newTags(wrong)
	mux := http.NewServeMux()
	text := func(c *check, r *http.Request) value {
		return c.word(c.object("minutes", c.body(r), true, "text"), "text")
	}
	minutes.handle(mux, wrong, "POST /minutes", func(c *check, r *http.Request) (int, any) {
		given := text(c, r)
		if c.complaint != "" {
			return 400, nil
		}
		made := minutes.add(map[string]any{"text": given})
		changed[made["id"]] = time.Now()
		return 201, made
	})
	mux.HandleFunc("GET /minutes/{minutesId}", func(w http.ResponseWriter, r *http.Request) {
		minutes.mu.Lock()
		defer minutes.mu.Unlock()
		found := minutes.find(r.PathValue("minutesId"))
		if found == nil {
			answer(w, http.StatusNotFound, map[string]string{"why": "unknown"})
			return
		}
		last, tag := changed[found["id"]], tags.of(found)
		if tag != "" {
			w.Header().Set("ETag", tag)
		}
		since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
		w.Header().Set("Last-Modified", last.UTC().Format(http.TimeFormat))
		switch given := r.Header.Get("If-None-Match"); {
		case given != "" && tag != "":
			if tags.same(given, tag) {
				if wrong == "304 has no tag" {
					w.Header().Del("ETag")
				}
				w.WriteHeader(http.StatusNotModified)
				return
			}
		case err != nil, wrong == "since is ignored":
		case wrong == "within a second it may change" && time.Since(last) < time.Second:
		case wrong == "since is enough" || !last.Truncate(time.Second).After(since):
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if !answerPart(w, r.Header.Get("Range"), found, wrong) {
			answer(w, http.StatusOK, found)
		}
	})
	minutes.handle(mux, wrong, "PUT /minutes/{minutesId}", func(c *check, r *http.Request) (int, any) {
		found, given := minutes.find(r.PathValue("minutesId")), text(c, r)
		if found == nil {
			return 404, nil
		}
		since, err := http.ParseTime(r.Header.Get("If-Unmodified-Since"))
		switch match := r.Header.Get("If-Match"); {
		case c.complaint != "":
			return 400, nil
		case match != "" && !tags.matches(match, tags.of(found)):
			if wrong == "refused is stored" {
				found["text"] = given
			}
			return 412, nil
		case err == nil && changed[found["id"]].Truncate(time.Second).After(since) && wrong != "unmodified is ignored":
			return 412, nil
		}
		found["text"], changed[found["id"]] = given, time.Now()
		tags.versions[found["id"]]++
		return 200, found
	})
	return storing(mux, minutes.shown(nil))
}

// minutesTags are the entity tags of minutes, and how requests are compared with them.
type minutesTags struct {
	wrong    string
	versions map[any]int
}

func newTags(wrong string) *minutesTags { return &minutesTags{wrong, map[any]int{}} }

// of is the tag of minutes as they are.
func (t *minutesTags) of(found map[string]any) string {
	tag := fmt.Sprintf(`"%v-%d"`, found["id"], t.versions[found["id"]])
	switch t.wrong {
	case "there are no tags":
		return ""
	case "tags are weak":
		return "W/" + tag
	}
	return tag
}

// same compares If-None-Match: a client has the minutes already.
func (t *minutesTags) same(given, tag string) bool {
	if t.wrong == "a read compares no tags" {
		return false
	}
	if given == "*" {
		return t.wrong != "an asterisk is no tag"
	}
	return t.one(given, func(each string) bool {
		if t.wrong == "a weak tag is another one" {
			return each == tag
		}
		return strings.TrimPrefix(each, "W/") == strings.TrimPrefix(tag, "W/")
	})
}

// matches compares If-Match: a client wants to change the minutes that it has read.
func (t *minutesTags) matches(given, tag string) bool {
	if given == "*" || t.wrong == "match is ignored" {
		return t.wrong != "an asterisk matches nothing"
	}
	return t.one(given, func(each string) bool {
		if t.wrong == "a weak tag matches" {
			return strings.TrimPrefix(each, "W/") == tag
		}
		return each == tag && !strings.HasPrefix(tag, "W/")
	})
}

// one reports whether one tag of a field is the one that is asked for.
func (t *minutesTags) one(given string, is func(each string) bool) bool {
	if t.wrong == "a list is one tag" {
		return is(given)
	}
	for _, each := range strings.Split(given, ",") {
		if is(strings.TrimSpace(each)) {
			return true
		}
	}
	return false
}

// answerPart writes the bytes of a body that a request asks for. It returns false where it asks for none.
func answerPart(w http.ResponseWriter, asked string, body any, wrong string) bool {
	whole, err := json.Marshal(body)
	var first, last int
	if n, _ := fmt.Sscanf(asked, "bytes=%d-%d", &first, &last); err != nil || n < 2 || first < 0 || last < first || first >= len(whole) {
		return false
	}
	last = min(last, len(whole)-1)
	part, total := whole[first:last+1], len(whole)
	switch wrong {
	case "a part is the whole":
		part = whole
	case "a part lacks its last byte":
		part = whole[first:last]
	case "the total is that of the part":
		total = len(part)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, total))
	w.WriteHeader(http.StatusPartialContent)
	_, _ = w.Write(part) // who does not listen any more needs no answer
	return true
}
