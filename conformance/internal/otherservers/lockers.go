package otherservers

import (
	"net/http"
	"strconv"
)

// Tenants are the keys of two principals of Lockers.
func Tenants() (one, other string) { return "locker-key-3c6ef372", "locker-key-a54ff53a" }

// Lockers serves lockers.yaml: a locker belongs to whoever made it. What is named wrong,
// if anything, is done wrong, or right in an unusual way.
func Lockers(wrong string) http.Handler {
	var k keeper
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
	mux := http.NewServeMux()
	handle := func(pattern, what string, serve func(c *check, r *http.Request, owner, id string) (int, any)) {
		k.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
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
	label := func(c *check, r *http.Request) any {
		return c.word(c.object("locker", c.body(r), true, "label"), "label")
	}
	handle("GET /lockers", "list", func(_ *check, _ *http.Request, owner, _ string) (int, any) {
		list := []any{}
		for _, locker := range owners[owner] {
			list = append(list, locker)
		}
		return 200, list
	})
	handle("POST /lockers", "add", func(c *check, r *http.Request, owner, _ string) (int, any) {
		text := label(c, r)
		if c.complaint != "" {
			return 400, nil
		}
		return 201, add(owner, text)
	})
	handle("GET /lockers/{id}", "read", func(_ *check, _ *http.Request, owner, id string) (int, any) { return 200, owners[owner][id] })
	handle("PUT /lockers/{id}", "change", func(c *check, r *http.Request, owner, id string) (int, any) {
		text := label(c, r)
		if c.complaint != "" {
			return 400, nil
		}
		owners[owner][id]["label"] = text
		return 200, owners[owner][id]
	})
	handle("GET /lockers/{id}/opener", "look", func(_ *check, _ *http.Request, owner, id string) (int, any) {
		return 200, map[string]any{"code": owners[owner][id]["label"]}
	})
	handle("POST /lockers/{id}/opening", "open", func(_ *check, _ *http.Request, _, _ string) (int, any) { return 204, nil })
	handle("DELETE /lockers/{id}", "delete", func(_ *check, _ *http.Request, owner, id string) (int, any) {
		delete(owners[owner], id)
		return 204, nil
	})
	return mux
}
