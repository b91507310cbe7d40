package otherservers

import (
	"net/http"
	"strconv"
)

// Rooms serves rooms.yaml: a room is known only to the tenant that made it. What is named
// wrong, if anything, is done wrong, or right in an unusual way.
func Rooms(wrong string) http.Handler {
	var k, guests keeper
	owners, seen := map[string]string{}, map[string]bool{}
	mux := http.NewServeMux()
	handle := func(pattern string, serve func(c *check, r *http.Request, tenant string) (int, any)) {
		k.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
			tenant := r.Header.Get("X-Tenant-Id")
			n := len([]rune(tenant))
			c.want("tenant", n >= 4 && n <= 40)
			if wrong == "known tenants" && tenant != "acme" {
				return 404, nil
			}
			if wrong == "tenants once" && r.PathValue("id") == "" && seen[tenant] {
				return 409, nil
			}
			status, body := serve(c, r, tenant)
			seen[tenant] = seen[tenant] || status/100 == 2
			return status, body
		})
	}
	own := func(c *check, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		c.want("request", uuid(id))
		c.want("request once", wrong != "requests once" || !seen[id])
		if c.complaint == "" {
			seen[id] = true
		}
	}
	handle("POST /rooms", func(c *check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		label := c.word(c.object("room", c.body(r), true, "label"), "label")
		text, _ := c.text("label", label)
		c.strict("short labels", len([]rune(text)) > 14)
		if c.complaint != "" {
			return 400, nil
		}
		room := k.add(map[string]any{"label": label})
		owners[strconv.Itoa(len(k.things))] = tenant
		return 201, room
	})
	handle("GET /rooms", func(c *check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		if list, given := r.URL.Query()["order"]; given {
			c.want("order", len(list) == 1 && (list[0] == "label" || list[0] == "-label"))
			c.strict("no way down", list[0] == "-label")
		}
		list := []any{}
		for i, room := range k.things {
			if room != nil && owners[strconv.Itoa(i+1)] == tenant && c.complaint == "" {
				list = append(list, room)
			}
		}
		return 200, list
	})
	handle("GET /rooms/{id}", func(_ *check, r *http.Request, tenant string) (int, any) {
		room := k.find(r.PathValue("id"))
		if room == nil || owners[r.PathValue("id")] != tenant {
			return 404, nil
		}
		return 200, room
	})
	handle("DELETE /rooms/{id}", func(c *check, r *http.Request, tenant string) (int, any) {
		id := r.PathValue("id")
		if k.find(id) == nil || owners[id] != tenant {
			return 404, nil
		}
		if n, err := strconv.Atoi(id); err == nil && c.complaint == "" {
			k.things[n-1] = nil
		}
		return 204, nil
	})
	guests.handle(mux, wrong, "POST /guests", func(c *check, r *http.Request) (int, any) {
		nick := c.word(c.object("guest", c.body(r), true, "nick"), "nick")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, guests.add(map[string]any{"nick": nick})
	})
	guests.handle(mux, wrong, "GET /stays", func(c *check, r *http.Request) (int, any) {
		guest := r.URL.Query()["guestId"]
		if !c.want("guest", len(guest) == 1) {
			return 400, nil
		}
		if _, err := strconv.Atoi(guest[0]); !c.want("guest", err == nil) {
			return 400, nil
		}
		if most, given := r.URL.Query()["most"]; given {
			n, err := strconv.Atoi(most[0])
			c.want("most", err == nil && n >= 1 && n <= 9 && len(most) == 1)
			c.strict("most below nine", n == 9)
		}
		if c.complaint == "" && guests.find(guest[0]) == nil {
			return 404, nil
		}
		return 200, []any{}
	})
	return mux
}
