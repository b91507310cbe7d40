package services

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"plantstore/reference/kit"
)

// albums keeps what Albums serves.
type albums struct {
	kit.Store
	wrong   string
	next    int
	deleted map[string]map[string]any // what a soft deletion keeps
	late    map[string]time.Time      // when a thing shows
	free    []int                     // ids to give again
	listed  []map[string]any          // what is only in the list
	patches map[string]int            // how often an album was patched
}

// Albums serves albums.yaml: an album is made, listed, read, replaced, patched and
// deleted. What is named wrong, if anything, is done wrong, or right in an unusual way.
func Albums(wrong string) http.Handler {
	a := &albums{wrong: wrong, deleted: map[string]map[string]any{}, late: map[string]time.Time{}, patches: map[string]int{}}
	service := kit.New(wrong)
	service.On("GET /albums", func(*kit.Check, *http.Request) (int, any) { return 200, a.list() })
	service.On("POST /albums", a.add)
	service.On("GET /albums/{id}", func(_ *kit.Check, r *http.Request) (int, any) { return a.read(r.PathValue("id")) })
	service.On("PUT /albums/{id}", a.put)
	service.On("PATCH /albums/{id}", a.patch)
	service.On("DELETE /albums/{id}", func(_ *kit.Check, r *http.Request) (int, any) { return a.drop(r.PathValue("id")) })
	service.On("GET /albums/{id}/tracks", func(_ *kit.Check, r *http.Request) (int, any) {
		if a.at(r.PathValue("id")) == nil {
			return 404, nil
		}
		return 200, []string{}
	})
	return service.Keeping(a.Shown(nil), func() []map[string]any { return a.listed })
}

// at returns the album with an id, or nil.
func (a *albums) at(id string) map[string]any {
	i := slices.IndexFunc(a.Things, func(t map[string]any) bool { return strconv.Itoa(t["id"].(int)) == id })
	if i < 0 {
		return nil
	}
	return a.Things[i]
}

// album reads the members of a body. Those of a patch may all be missing.
func album(c *kit.Check, r *http.Request, patch bool) map[string]any {
	v := c.Object("album", c.Body(r), true, "title", "label", "year")
	out := map[string]any{}
	for _, name := range []string{"title", "label"} {
		if _, found := v[name]; found || name == "title" && !patch {
			out[name] = c.Word(v, name)
		}
	}
	if year, found := v["year"]; found {
		if n, ok := c.Integer("year", year); ok {
			c.Want("year range", kit.AtLeast(n, 1900) && kit.AtMost(n, 2100))
		}
		out["year"] = year
	}
	return out
}

func (a *albums) add(c *kit.Check, r *http.Request) (int, any) {
	made := album(c, r, false)
	if c.Complaint != "" {
		return 400, nil
	}
	a.next++
	made["id"] = a.next
	if len(a.free) > 0 {
		made["id"], a.free = a.free[0], a.free[1:]
	}
	kept := maps.Clone(made)
	switch a.wrong {
	case "keeps nothing":
		return 201, made
	case "keeps another title":
		kept["title"] = "untitled"
	case "label stays for the next":
		if kept["label"] == nil && len(a.Things) > 0 && a.Things[len(a.Things)-1]["label"] != nil {
			kept["label"] = a.Things[len(a.Things)-1]["label"]
		}
	case "shows a moment later":
		a.late[strconv.Itoa(a.next)] = time.Now().Add(100 * time.Millisecond)
	}
	a.Things = append(a.Things, kept)
	return 201, made
}

func (a *albums) read(id string) (int, any) {
	_, err := strconv.Atoi(id)
	switch found := a.at(id); {
	case found != nil && time.Now().Before(a.late[id]):
		return 404, nil
	case found != nil:
		return 200, found
	case a.deleted[id] != nil:
		return 200, a.deleted[id]
	case a.wrong == "an album for any id" && err == nil && len(a.Things) > 0:
		return 200, a.Things[0]
	}
	return 404, nil
}

// made stores an album under the number that its client chose.
func (a *albums) made(id string, album map[string]any) map[string]any {
	album["id"], _ = strconv.Atoi(id)
	a.Things = append(a.Things, album)
	return album
}

func (a *albums) put(c *kit.Check, r *http.Request) (int, any) {
	found, given := a.at(r.PathValue("id")), album(c, r, false)
	switch {
	case found == nil && a.wrong == "put makes it" && c.Complaint == "":
		return 200, a.made(r.PathValue("id"), given)
	case found == nil:
		return 404, nil
	case c.Complaint != "":
		return 400, nil
	}
	given["id"] = found["id"]
	switch a.wrong {
	case "put keeps nothing":
		return 200, given
	case "put answers with the old":
		return 200, found
	case "put keeps the label":
		if found["label"] != nil {
			given["label"] = found["label"]
		}
	}
	clear(found)
	maps.Copy(found, given)
	return 200, found
}

func (a *albums) patch(c *kit.Check, r *http.Request) (int, any) {
	found, given := a.at(r.PathValue("id")), album(c, r, true)
	switch {
	case found == nil:
		return 404, nil
	case c.Complaint != "":
		return 400, nil
	case a.wrong == "patch keeps nothing", a.wrong == "second patch keeps nothing" && a.patches[r.PathValue("id")] > 0:
		out := maps.Clone(found)
		maps.Copy(out, given)
		return 200, out
	case a.wrong == "patch drops the rest" && len(given) > 0:
		delete(found, "label")
		delete(found, "year")
	}
	a.patches[r.PathValue("id")]++
	maps.Copy(found, given)
	return 200, found
}

func (a *albums) drop(id string) (int, any) {
	found := a.at(id)
	if found == nil {
		if a.wrong == "second delete fails" {
			return 500, nil
		}
		return 404, nil
	}
	if a.wrong == "delete keeps it" {
		return 204, nil
	}
	a.Things = slices.DeleteFunc(a.Things, func(t map[string]any) bool { return t["id"] == found["id"] })
	switch a.wrong {
	case "an id is given again":
		a.free = append(a.free, found["id"].(int))
	case "deleted is read":
		a.deleted[id] = found
	case "deleted is marked":
		found["status"] = "deleted"
		a.deleted[id] = found
	case "deleted is listed":
		a.listed = append(a.listed, found)
	}
	return 204, nil
}

func (a *albums) list() []map[string]any {
	return slices.Concat([]map[string]any{}, a.Things, a.listed)
}

// Articles serves articles.yaml: an article is submitted, approved and published, each
// once and in this order. What is named wrong, if anything, is done wrong.
func Articles(wrong string) http.Handler {
	articles := kit.Far()
	service := kit.New(wrong)
	service.On("POST /articles", func(c *kit.Check, r *http.Request) (int, any) {
		given := c.Words(r, "article", false, "title", "lead")
		given["state"] = "draft"
		return articles.Made(c, given)
	})
	// named serves an operation about one article.
	named := func(pattern string, serve func(c *kit.Check, r *http.Request, article map[string]any) (int, any)) {
		service.On(pattern, articles.About("articleId", serve))
	}
	named("GET /articles/{articleId}", kit.Shown)
	named("PATCH /articles/{articleId}", func(c *kit.Check, r *http.Request, article map[string]any) (int, any) {
		given := c.Words(r, "article", true, "title", "lead")
		if c.Complaint != "" {
			return 400, nil
		}
		answer := maps.Clone(article)
		maps.Copy(article, given)
		maps.Copy(answer, given)
		switch wrong {
		case "edit brings back the draft":
			article["state"] = "draft"
		case "edit makes a draft and says so":
			article["state"], answer["state"] = "draft", "draft"
		}
		return 200, answer
	})
	// step moves an article from one state to the next.
	step := func(name, from, to string, member ...string) {
		named("POST /articles/{articleId}/"+name, func(c *kit.Check, r *http.Request, article map[string]any) (int, any) {
			if article["state"] != from {
				return 409, nil
			}
			for _, m := range member {
				c.Word(c.Object(name, c.Body(r), true, member...), m)
			}
			if c.Complaint != "" {
				return 400, nil
			}
			article["state"] = to
			return 200, article
		})
	}
	step("submission", "draft", "submitted")
	step("approval", "submitted", "approved")
	step("publication", "approved", "published", "place")
	return service.Keeping(articles.Shown(nil))
}

var noteKey = regexp.MustCompile(`^[a-z0-9-]{3,30}$`)

// Notes serves notes.yaml: a client chooses the key of a note when it puts it, and can
// delete all notes. What is named wrong, if anything, is done wrong.
func Notes(wrong string) http.Handler {
	notes := map[string]map[string]any{}
	service := kit.New(wrong)
	service.On("PUT /notes/{key}", func(c *kit.Check, r *http.Request) (int, any) {
		key := r.PathValue("key")
		c.Want("key", noteKey.MatchString(key))
		text := c.Word(c.Object("note", c.Body(r), true, "text"), "text")
		if c.Complaint != "" {
			return 400, nil
		}
		status := 200
		if notes[key] == nil {
			status = 201
		}
		notes[key] = map[string]any{"key": key, "text": text}
		return status, notes[key]
	})
	there := func(key string) map[string]any {
		if !noteKey.MatchString(key) {
			return nil
		}
		return notes[key]
	}
	service.On("GET /notes/{key}", kit.About("key", there, func(_ *kit.Check, _ *http.Request, note map[string]any) (int, any) {
		if wrong == "note without text" {
			return 200, map[string]any{"key": note["key"]}
		}
		return 200, note
	}))
	service.On("DELETE /notes/{key}", kit.About("key", there, func(_ *kit.Check, r *http.Request, _ map[string]any) (int, any) {
		key := r.PathValue("key")
		delete(notes, key)
		if wrong == "delete answers" {
			return 202, map[string]any{"gone": key}
		}
		return 204, nil
	}))
	service.On("DELETE /notes", func(*kit.Check, *http.Request) (int, any) {
		clear(notes)
		if wrong == "clear answers" {
			return 202, nil
		}
		return 204, nil
	})
	return service.Keeping(kit.Under(notes))
}
