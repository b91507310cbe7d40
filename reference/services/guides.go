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

	"plantstore/reference/kit"
)

// Guides serves guides.yaml. What is named wrong, if anything, is done wrong, or right in an
// unusual way: an answer to POST or PUT says what is stored.
func Guides(wrong string) http.Handler {
	var guides kit.Store
	comments := map[any][]any{}
	service := kit.New(wrong)
	service.On("POST /guides", func(c *kit.Check, r *http.Request) (int, any) {
		given := readGuide(c, r)
		return guides.Made(c, kept(wrong, given))
	})
	service.On("GET /guides/{id}", guides.Read("id"))
	service.On("PUT /guides/{id}", guides.About("id", func(c *kit.Check, r *http.Request, found map[string]any) (int, any) {
		given := readGuide(c, r)
		if c.Complaint != "" {
			return 400, nil
		}
		if wrong == "put keeps the tags" && found["tags"] != nil {
			given["tags"] = found["tags"]
		}
		given["id"] = found["id"]
		clear(found)
		maps.Copy(found, given)
		return 200, found
	}))
	service.On("POST /guides/{id}/comments", guides.About("id", func(c *kit.Check, r *http.Request, found map[string]any) (int, any) {
		comment := c.Words(r, "comment", false, "text")
		if c.Complaint != "" {
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
	}))
	service.On("GET /guides/{id}/comments", guides.About("id", func(_ *kit.Check, _ *http.Request, found map[string]any) (int, any) {
		return 200, append([]any{}, comments[found["id"]]...)
	}))
	return service.Keeping(guides.Shown(func(of map[string]any) bool {
		of["comments"] = comments[of["id"]]
		return true
	}))
}

// readGuide reads a NewGuide. Without a value, shown is false.
func readGuide(c *kit.Check, r *http.Request) map[string]any {
	v := c.Object("guide", c.Body(r), true, "title", "views", "shown", "tags", "labels")
	out := map[string]any{"shown": false}
	sized := func(name string, v value, maximum int) {
		s, ok := c.Text(name, v)
		if n := len([]rune(s)); ok {
			c.Want(name+" length", n >= 1 && n <= maximum)
		}
	}
	maximum := 60
	if c.Wrong == "titles may have 65 letters" {
		maximum = 65
	}
	sized("title", c.Member("title", v, "title"), maximum)
	if n, ok := c.Integer("views", v["views"]); ok {
		c.Want("views range", n.Sign() >= 0 && n.IsInt() && n.Num().IsInt64())
		v["views"] = value(n.Num().String())
	}
	c.Boolean("shown", v["shown"])
	if v["tags"] != nil {
		tags := c.Array("tags", v["tags"])
		c.Want("tags size", len(tags) <= 4)
		for _, tag := range tags {
			sized("tag", tag, 20)
		}
	}
	if v["labels"] != nil {
		labels := c.Object("labels", v["labels"], false)
		c.Want("labels size", len(labels) <= 4)
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
	authors, books := kit.Far(), kit.Far()
	service := kit.New(wrong)
	service.On("POST /authors", func(c *kit.Check, r *http.Request) (int, any) {
		o := c.Object("author", c.Body(r), true, "name")
		name := c.Word(o, "name")
		return authors.Made(c, map[string]any{"name": name})
	})
	service.On("POST /books", func(c *kit.Check, r *http.Request) (int, any) {
		o := c.Object("book", c.Body(r), true, "title", "authorId", "editor", "translatorIds")
		c.Integer("authorId", c.Member("authorId", o, "authorId"))
		if o == nil || authors.Find(string(o["authorId"])) == nil {
			return 422, nil // nothing else is looked at before
		}
		title := c.Word(o, "title")
		var others []value
		if o["editor"] != nil {
			editor := c.Object("editor", o["editor"], true, "id")
			others = append(others, c.Member("editor id", editor, "id"))
		}
		if o["translatorIds"] != nil {
			translators := c.Array("translatorIds", o["translatorIds"])
			c.Want("translators many", len(translators) <= 5)
			others = append(others, translators...)
		}
		for _, id := range others {
			n, ok := c.Integer("another id", id)
			c.Want("another id low", !ok || kit.AtLeast(n, 1))
		}
		if c.Complaint != "" {
			return 400, nil
		}
		for _, id := range others {
			if authors.Find(string(id)) == nil {
				return 422, nil
			}
		}
		return 201, books.Add(map[string]any{"title": title, "authorId": o["authorId"]})
	})
	service.On("GET /books/{bookId}", books.About("bookId", func(c *kit.Check, _ *http.Request, book map[string]any) (int, any) {
		if wrong == "book without title" {
			return 200, map[string]any{"id": book["id"]}
		}
		return 200, book
	}))
	return service.Keeping(authors.Shown(nil), books.Shown(nil))
}

// Minutes serves minutes.yaml: minutes are made, read and replaced, by their entity tag or the
// readTime of their last change if the request says so. What is named wrong, if anything, is done wrong, or
// right in an unusual way.
func Minutes(wrong string) http.Handler {
	var minutes kit.Store
	changed, tags := map[any]time.Time{}, newTags(wrong)
	service := kit.New(wrong)
	text := func(c *kit.Check, r *http.Request) value {
		return c.Word(c.Object("minutes", c.Body(r), true, "text"), "text")
	}
	service.On("POST /minutes", func(c *kit.Check, r *http.Request) (int, any) {
		given := text(c, r)
		if c.Complaint != "" {
			return 400, nil
		}
		made := minutes.Add(map[string]any{"text": given})
		changed[made["id"]] = time.Now()
		return 201, made
	})
	service.HandleFunc("GET /minutes/{minutesId}", func(w http.ResponseWriter, r *http.Request) {
		service.Lock()
		defer service.Unlock()
		found := minutes.Find(r.PathValue("minutesId"))
		if found == nil {
			kit.Answer(w, http.StatusNotFound, map[string]string{"why": "unknown"})
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
			kit.Answer(w, http.StatusOK, found)
		}
	})
	service.On("PUT /minutes/{minutesId}", func(c *kit.Check, r *http.Request) (int, any) {
		found, given := minutes.Find(r.PathValue("minutesId")), text(c, r)
		if found == nil {
			return 404, nil
		}
		since, err := http.ParseTime(r.Header.Get("If-Unmodified-Since"))
		switch match := r.Header.Get("If-Match"); {
		case c.Complaint != "":
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
	return service.Keeping(minutes.Shown(nil))
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
