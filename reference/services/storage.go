package services

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plantstore/reference/kit"
)

// boxes is one collection of Boxes.
type boxes struct {
	kit.Store
	wrong, name string
	next        int
}

// Boxes serves boxes.yaml: things of four kinds, each with keys of another form. What is
// named wrong, if anything, is done wrong, or right in an unusual way.
func Boxes(wrong string) http.Handler {
	service := kit.New(wrong)
	var stored []func() []map[string]any
	for _, name := range []string{"boxes", "labels", "seals", "notes"} {
		b := &boxes{wrong: wrong, name: name}
		stored = append(stored, b.Shown(nil))
		service.On("POST /"+name, func(c *kit.Check, r *http.Request) (int, any) {
			res := c.Words(r, "box", false, "title")
			if c.Complaint != "" {
				return 400, nil
			}
			res["id"] = b.key()
			b.Things = append(b.Things, res)
			return 201, res
		})
		service.On("GET /"+name+"/{id}", func(_ *kit.Check, r *http.Request) (int, any) {
			if i := b.at(b.read(r.PathValue("id"), "read")); i >= 0 {
				return 200, b.Things[i]
			}
			return b.missing(r.PathValue("id")), nil
		})
		service.On("DELETE /"+name+"/{id}", func(_ *kit.Check, r *http.Request) (int, any) {
			i := b.at(b.read(r.PathValue("id"), "dropped"))
			if i < 0 {
				return b.missing(r.PathValue("id")), nil
			}
			b.Things = slices.Delete(b.Things, i, i+1)
			return 204, nil
		})
	}
	return service.Keeping(stored...)
}

// key makes the key of a new thing.
func (b *boxes) key() any {
	b.next++
	drawn := make([]byte, 16)
	_, _ = rand.Read(drawn)
	switch text := hex.EncodeToString(drawn); b.name {
	case "labels":
		return "lab_" + text[:16]
	case "seals": // the last letter is one that a case changes
		return text[:8] + "-" + text[8:12] + "-4" + text[13:16] + "-a" + text[17:20] + "-" + text[20:31] + "f"
	case "notes":
		return "n" + text[:12]
	}
	return 100 + b.next
}

// at returns the place of the thing with a key, or -1.
func (b *boxes) at(key string) int {
	return slices.IndexFunc(b.Things, func(t map[string]any) bool { return fmt.Sprint(t["id"]) == key })
}

// read reads a key as this server does.
func (b *boxes) read(key, why string) string {
	first := map[string]string{"boxes": `^[0-9]+`, "labels": `^lab_[0-9a-f]{16}`, "notes": `^n[0-9a-f]{12}`, "seals": `^[0-9a-f-]{36}`}[b.name]
	switch b.wrong {
	case "only the beginning of a key is " + why:
		return regexp.MustCompile(first).FindString(key)
	case "other letters", "letters of any case in seals":
		if b.wrong == "other letters" || b.name == "seals" {
			return strings.ToLower(key)
		}
	case "blanks are trimmed":
		return strings.TrimSpace(key)
	case "any base":
		if n, err := strconv.ParseInt(key, 0, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case "32 bits":
		if n, err := strconv.ParseInt(key, 10, 64); err == nil {
			return strconv.Itoa(int(int32(n)))
		}
	case "half a key":
		if i := slices.IndexFunc(b.Things, func(t map[string]any) bool {
			k := fmt.Sprint(t["id"])
			return len(k) == 36 && len(key) == 36 && k[:18] == key[:18]
		}); i >= 0 {
			return fmt.Sprint(b.Things[i]["id"])
		}
	}
	return key
}

// missing returns the status where nothing has a key.
func (b *boxes) missing(key string) int {
	form := map[string]string{"boxes": `^[1-9][0-9]*$`, "labels": `^lab_[0-9a-f]{16}$`, "notes": "", "seals": `^[0-9a-fA-F-]{36}$`}[b.name]
	if b.wrong == "wrong keys are bad requests" && !regexp.MustCompile(form).MatchString(key) {
		return 400
	}
	return 404
}

// drawers keeps what Drawers serves.
type drawers struct {
	wrong string
	named map[string]map[string]any
	order []string
}

var drawerName = regexp.MustCompile(`^[a-z][a-z0-9-]{2,30}$`)

// Drawers serves drawers.yaml: the client names a drawer, which a PUT makes or replaces. One
// is there from the beginning. What is named wrong, if anything, is done wrong.
func Drawers(wrong string) http.Handler {
	d := &drawers{wrong: wrong, named: map[string]map[string]any{"top": {"name": "top", "label": "forks"}}, order: []string{"top"}}
	service := kit.New(wrong)
	service.On("GET /drawers", func(*kit.Check, *http.Request) (int, any) { return 200, d.list() })
	service.On("GET /drawers/{name}", d.about(func(_ *kit.Check, _ *http.Request, name string) (int, any) {
		if d.named[name] == nil {
			return 404, nil
		}
		return 200, d.named[name]
	}))
	service.On("PUT /drawers/{name}", d.about(d.put))
	service.On("DELETE /drawers/{name}", d.about(func(_ *kit.Check, _ *http.Request, name string) (int, any) {
		if d.named[name] == nil {
			return 404, nil
		}
		delete(d.named, name)
		return 204, nil
	}))
	return service.Keeping(kit.Under(d.named))
}

// about serves an operation whose path names a drawer.
func (d *drawers) about(serve func(c *kit.Check, r *http.Request, name string) (int, any)) func(*kit.Check, *http.Request) (int, any) {
	return func(c *kit.Check, r *http.Request) (int, any) {
		name := r.PathValue("name")
		if !c.Want("name pattern", drawerName.MatchString(name)) {
			return 400, nil
		}
		return serve(c, r, name)
	}
}

func (d *drawers) list() []map[string]any {
	out := []map[string]any{}
	for _, name := range d.order {
		if res := d.named[name]; res != nil {
			out = append(out, res)
		}
	}
	return out
}

func (d *drawers) put(c *kit.Check, r *http.Request, name string) (int, any) {
	v := c.Object("drawer", c.Body(r), true, "label")
	label := c.Word(v, "label")
	only := r.Header.Values("If-None-Match")
	c.Want("asterisk", len(only) == 0 || only[0] == "*")
	known := d.named[name] != nil
	switch {
	case c.Complaint != "":
		return 400, nil
	case known && len(only) > 0 && d.wrong != "replaces what was only to be made":
		return 412, nil
	}
	d.named[name] = map[string]any{"name": name, "label": label}
	if known || d.wrong == "makes without saying so" {
		return 200, d.named[name]
	}
	d.order = append(d.order, name)
	return 201, d.named[name]
}

// Tenants are the keys of two principals of Lockers.
func Tenants() (one, other string) { return "locker-key-3c6ef372", "locker-key-a54ff53a" }

// Lockers serves lockers.yaml: a locker belongs to whoever made it. What is named wrong,
// if anything, is done wrong, or right in an unusual way.
func Lockers(wrong string) http.Handler {
	owners := map[string]map[string]map[string]any{} // lockers by key of the owner and id
	one, other := Tenants()
	next := map[string]int{}
	add := func(owner string, label any) map[string]any {
		if owners[owner] == nil {
			owners[owner] = map[string]map[string]any{}
		}
		of := "all"
		if wrong == "numbers for each" {
			of = owner
		}
		next[of]++
		made := map[string]any{"id": next[of], "label": label}
		owners[owner][strconv.Itoa(next[of])] = made
		return made
	}
	if wrong == "numbers for each" {
		for range 200 {
			add(other, "another label")
		}
	}
	service := kit.New(wrong)
	handle := func(pattern, what string, serve func(c *kit.Check, r *http.Request, owner, id string) (int, any)) {
		service.On(pattern, func(c *kit.Check, r *http.Request) (int, any) {
			owner, id := r.Header.Get("X-Locker-Key"), r.PathValue("id")
			if owner != one && owner != other {
				return 401, nil
			}
			if wrong == "all "+what || wrong == "shared" {
				for holder, list := range owners {
					if list[id] != nil {
						owner = holder
					}
				}
			}
			if id != "" && owners[owner][id] == nil {
				if owners[one][id] != nil && wrong == "forbidden" && what != "delete" {
					return 403, nil
				}
				return 404, nil
			}
			return serve(c, r, owner, id)
		})
	}
	label := func(c *kit.Check, r *http.Request) any {
		return c.Word(c.Object("locker", c.Body(r), true, "label"), "label")
	}
	handle("GET /lockers", "list", func(_ *kit.Check, _ *http.Request, owner, _ string) (int, any) {
		list := []any{}
		for _, locker := range owners[owner] {
			list = append(list, locker)
		}
		return 200, list
	})
	handle("POST /lockers", "add", func(c *kit.Check, r *http.Request, owner, _ string) (int, any) {
		text := label(c, r)
		if c.Complaint != "" {
			return 400, nil
		}
		return 201, add(owner, text)
	})
	handle("GET /lockers/{id}", "read", func(_ *kit.Check, _ *http.Request, owner, id string) (int, any) { return 200, owners[owner][id] })
	handle("PUT /lockers/{id}", "change", func(c *kit.Check, r *http.Request, owner, id string) (int, any) {
		text := label(c, r)
		if c.Complaint != "" {
			return 400, nil
		}
		owners[owner][id]["label"] = text
		return 200, owners[owner][id]
	})
	handle("GET /lockers/{id}/opener", "look", func(_ *kit.Check, _ *http.Request, owner, id string) (int, any) {
		return 200, map[string]any{"code": owners[owner][id]["label"]}
	})
	handle("POST /lockers/{id}/opening", "open", func(_ *kit.Check, _ *http.Request, _, _ string) (int, any) { return 204, nil })
	handle("DELETE /lockers/{id}", "delete", func(_ *kit.Check, _ *http.Request, owner, id string) (int, any) {
		delete(owners[owner], id)
		return 204, nil
	})
	return service.Keeping(func() []map[string]any {
		var out []map[string]any
		for owner, lockers := range owners {
			for _, locker := range lockers {
				out = append(out, map[string]any{"owner": owner, "locker": locker})
			}
		}
		return out
	})
}

// shelves keeps what Shelves serves, by room and name.
type shelves struct {
	wrong bool
	up    map[[2]string]map[string]any
}

// Shelves serves shelves.yaml: every room has shelves of its own. If it is wrong, it replaces
// nothing in the hall, deletes nothing in the cellar, and has a handler of its own for HEAD.
func Shelves(wrong bool) http.Handler {
	s := &shelves{wrong: wrong, up: map[[2]string]map[string]any{}}
	service := kit.New("")
	service.On("GET /rooms/{room}/shelves/{name}", s.about(func(_ *kit.Check, _ *http.Request, at [2]string) (int, any) {
		if s.up[at] == nil {
			return 404, nil
		}
		return 200, s.up[at]
	}))
	service.On("GET /rooms/{room}/shelves/{name}/label", s.about(func(_ *kit.Check, r *http.Request, at [2]string) (int, any) {
		switch {
		case s.up[at] == nil:
			return 404, nil
		case r.Method == http.MethodHead && s.wrong:
			return 204, nil
		}
		return 200, map[string]any{"label": s.up[at]["label"]}
	}))
	service.On("PUT /rooms/{room}/shelves/{name}", s.about(s.put))
	service.On("DELETE /rooms/{room}/shelves/{name}", s.about(func(_ *kit.Check, _ *http.Request, at [2]string) (int, any) {
		if s.up[at] == nil {
			return 404, nil
		}
		if at[0] != "cellar" || !s.wrong {
			delete(s.up, at)
		}
		return 204, nil
	}))
	return service.Keeping(kit.Under(s.up))
}

// about serves an operation whose path names a shelf.
func (s *shelves) about(serve func(c *kit.Check, r *http.Request, at [2]string) (int, any)) func(*kit.Check, *http.Request) (int, any) {
	return func(c *kit.Check, r *http.Request) (int, any) {
		at := [2]string{r.PathValue("room"), r.PathValue("name")}
		if !c.Want("room", slices.Contains([]string{"kitchen", "hall", "cellar"}, at[0])) || !c.Want("name", drawerName.MatchString(at[1])) {
			return 400, nil
		}
		return serve(c, r, at)
	}
}

func (s *shelves) put(c *kit.Check, r *http.Request, at [2]string) (int, any) {
	v := c.Object("shelf", c.Body(r), true, "label")
	label := c.Word(v, "label")
	if c.Complaint != "" {
		return 400, nil
	}
	known := s.up[at] != nil
	if !known || at[0] != "hall" || !s.wrong {
		s.up[at] = map[string]any{"room": at[0], "name": at[1], "label": label}
	}
	if known {
		return 200, s.up[at]
	}
	return 201, s.up[at]
}
