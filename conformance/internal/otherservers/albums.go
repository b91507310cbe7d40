package otherservers

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// albums keeps what Albums serves.
type albums struct {
	keeper
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
	mux := http.NewServeMux()
	a.handle(mux, wrong, "GET /albums", func(*check, *http.Request) (int, any) { return 200, a.list() })
	a.handle(mux, wrong, "POST /albums", a.add)
	a.handle(mux, wrong, "GET /albums/{id}", func(_ *check, r *http.Request) (int, any) { return a.read(r.PathValue("id")) })
	a.handle(mux, wrong, "PUT /albums/{id}", a.put)
	a.handle(mux, wrong, "PATCH /albums/{id}", a.patch)
	a.handle(mux, wrong, "DELETE /albums/{id}", func(_ *check, r *http.Request) (int, any) { return a.drop(r.PathValue("id")) })
	a.handle(mux, wrong, "GET /albums/{id}/tracks", func(_ *check, r *http.Request) (int, any) {
		if a.at(r.PathValue("id")) == nil {
			return 404, nil
		}
		return 200, []string{}
	})
	return mux
}

// at returns the album with an id, or nil.
func (a *albums) at(id string) map[string]any {
	i := slices.IndexFunc(a.things, func(t map[string]any) bool { return strconv.Itoa(t["id"].(int)) == id })
	if i < 0 {
		return nil
	}
	return a.things[i]
}

// album reads the members of a body. Those of a patch may all be missing.
func album(c *check, r *http.Request, patch bool) map[string]any {
	v := c.object("album", c.body(r), true, "title", "label", "year")
	out := map[string]any{}
	for _, name := range []string{"title", "label"} {
		if _, found := v[name]; found || name == "title" && !patch {
			out[name] = c.word(v, name)
		}
	}
	if year, found := v["year"]; found {
		if n, ok := c.integer("year", year); ok {
			c.want("year range", least(n, 1900) && most(n, 2100))
		}
		out["year"] = year
	}
	return out
}

func (a *albums) add(c *check, r *http.Request) (int, any) {
	made := album(c, r, false)
	if c.complaint != "" {
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
		if kept["label"] == nil && len(a.things) > 0 && a.things[len(a.things)-1]["label"] != nil {
			kept["label"] = a.things[len(a.things)-1]["label"]
		}
	case "shows a moment later":
		a.late[strconv.Itoa(a.next)] = time.Now().Add(100 * time.Millisecond)
	}
	a.things = append(a.things, kept)
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
	case a.wrong == "an album for any id" && err == nil && len(a.things) > 0:
		return 200, a.things[0]
	}
	return 404, nil
}

// made stores an album under the number that its client chose.
func (a *albums) made(id string, album map[string]any) map[string]any {
	album["id"], _ = strconv.Atoi(id)
	a.things = append(a.things, album)
	return album
}

func (a *albums) put(c *check, r *http.Request) (int, any) {
	found, given := a.at(r.PathValue("id")), album(c, r, false)
	switch {
	case found == nil && a.wrong == "put makes it" && c.complaint == "":
		return 200, a.made(r.PathValue("id"), given)
	case found == nil:
		return 404, nil
	case c.complaint != "":
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

func (a *albums) patch(c *check, r *http.Request) (int, any) {
	found, given := a.at(r.PathValue("id")), album(c, r, true)
	switch {
	case found == nil:
		return 404, nil
	case c.complaint != "":
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
	a.things = slices.DeleteFunc(a.things, func(t map[string]any) bool { return t["id"] == found["id"] })
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
	return slices.Concat([]map[string]any{}, a.things, a.listed)
}
