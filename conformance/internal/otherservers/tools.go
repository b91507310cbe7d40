package otherservers

import (
	"net/http"
	"net/url"
)

// Tools serves tools.yaml: tools of two kinds that are found by their owner alone. What is named
// wrong, if anything, is done wrong, or right in an unusual way.
func Tools(wrong string) http.Handler {
	var tools keeper
	gone := map[any]bool{}
	mux := http.NewServeMux()
	tools.handle(mux, wrong, "POST /tools", func(c *check, r *http.Request) (int, any) {
		made := map[string]any{}
		v := c.object("tool", c.body(r), true, "kind", "owner", "weight", "teeth")
		kind, _ := c.text("kind", c.member("kind", v, "kind"))
		counted := map[string]string{"hammer": "weight", "saw": "teeth"}[kind]
		if c.want("kind", counted != "") {
			made["kind"], made["owner"] = kind, c.word(v, "owner")
			n, ok := c.integer(counted, c.member(counted, v, counted))
			c.want("count", len(v) == 3 && ok && least(n, 1) && most(n, 1000))
			made[counted] = v[counted]
		}
		if c.complaint != "" {
			return 400, nil
		}
		return 201, tools.add(made)
	})
	tools.handle(mux, wrong, "GET /tools/findByOwner", func(c *check, r *http.Request) (int, any) {
		asked, err := url.ParseQuery(r.URL.RawQuery)
		if owner := asked["owner"]; !c.want("owner", err == nil && len(owner) == 1 && len([]rune(owner[0])) >= 1 && len([]rune(owner[0])) <= 20) {
			return 400, nil
		}
		list := []any{}
		for _, tool := range tools.things {
			switch {
			case textOf(tool, "owner") != asked.Get("owner"):
			case !gone[tool["id"]] || wrong == "deleted is found":
				list = append(list, tool)
			case wrong == "deleted is marked":
				marked := map[string]any{"gone": true}
				for name, v := range tool {
					marked[name] = v
				}
				list = append(list, marked)
			}
		}
		return 200, list
	})
	one := func(r *http.Request) map[string]any {
		found := tools.find(r.PathValue("toolId"))
		if found == nil || gone[found["id"]] {
			return nil
		}
		return found
	}
	tools.handle(mux, wrong, "GET /tools/{toolId}", func(_ *check, r *http.Request) (int, any) {
		if found := one(r); found != nil {
			return 200, found
		}
		return 404, nil
	})
	tools.handle(mux, wrong, "DELETE /tools/{toolId}", func(_ *check, r *http.Request) (int, any) {
		found := one(r)
		if found == nil {
			return 404, nil
		}
		gone[found["id"]] = true
		return 204, nil
	})
	return mux
}
