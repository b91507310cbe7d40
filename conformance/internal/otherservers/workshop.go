package otherservers

import (
	"maps"
	"net/http"
)

// Workshop serves workshop.yaml: a tool is repaired and lent until it is retired, and is not
// deleted while it is lent. What is named wrong, if anything, crashes. With "loans outlive
// tools", and where a loan without its tool is wrong, a tool that is lent can be deleted.
func Workshop(wrong string) http.Handler {
	s := &toolShop{wrong: wrong, mux: http.NewServeMux(), dropped: map[any]bool{}, retired: map[any]bool{}, lent: map[any]any{}, loans: far()}
	s.serveTools()
	s.serveLoans()
	return s.mux
}

// toolShop stores tools and loans. What is done with a tool is known by its id, and a loan
// that has not ended by its own.
type toolShop struct {
	wrong            string
	mux              *http.ServeMux
	tools, loans     keeper
	dropped, retired map[any]bool
	lent             map[any]any
}

// or returns a status, or that of a crash where the server is wrong about what is done.
func (s *toolShop) or(status int, done string) (int, any) {
	if s.wrong == done {
		return 500, nil
	}
	return status, nil
}

func (s *toolShop) serveTools() {
	s.tools.handle(s.mux, s.wrong, "POST /tools", func(c *check, r *http.Request) (int, any) {
		v := c.object("tool", c.body(r), true, "name", "condition")
		tool := map[string]any{"name": c.word(v, "name")}
		if v["condition"] != nil {
			text, ok := c.text("condition", v["condition"])
			c.want("condition enum", !ok || text == "new" || text == "used" || text == "broken")
			tool["condition"] = text
		}
		if c.complaint != "" {
			return 400, nil
		}
		return 201, s.tools.add(tool)
	})
	// named serves an operation about one tool, which crashes in a state if that is wrong.
	named := func(pattern, what string, serve func(c *check, r *http.Request, tool map[string]any) (int, any)) {
		s.tools.handle(s.mux, s.wrong, pattern, func(c *check, r *http.Request) (int, any) {
			tool := s.tools.find(r.PathValue("toolId"))
			switch {
			case tool == nil || s.dropped[tool["id"]]:
				return 404, nil
			case s.retired[tool["id"]] && s.wrong == what+" of a retired tool", tool["condition"] == "broken" && s.wrong == what+" of a broken tool":
				return 500, nil
			}
			return serve(c, r, tool)
		})
	}
	named("GET /tools/{toolId}", "read", func(_ *check, _ *http.Request, tool map[string]any) (int, any) { return 200, tool })
	named("PATCH /tools/{toolId}", "edit", func(c *check, r *http.Request, tool map[string]any) (int, any) {
		given := c.words(r, "tool", true, "name")
		switch {
		case c.complaint != "":
			return 400, nil
		case s.retired[tool["id"]]:
			return 409, nil
		}
		maps.Copy(tool, given)
		return 200, tool
	})
	named("POST /tools/{toolId}/retirement", "retirement", func(_ *check, _ *http.Request, tool map[string]any) (int, any) {
		if s.retired[tool["id"]] {
			return 409, nil
		}
		s.retired[tool["id"]] = true
		return 200, tool
	})
	named("POST /tools/{toolId}/repairs", "repair", func(c *check, r *http.Request, tool map[string]any) (int, any) {
		given := c.words(r, "repair", false, "what")
		switch {
		case c.complaint != "":
			return 400, nil
		case s.retired[tool["id"]]:
			return 409, nil
		}
		return 201, given
	})
	named("DELETE /tools/{toolId}", "deletion", func(_ *check, _ *http.Request, tool map[string]any) (int, any) {
		for _, id := range s.lent {
			if id == tool["id"] && !s.outlive() {
				return s.or(409, "deletion of a lent tool")
			}
		}
		s.dropped[tool["id"]] = true
		return 204, nil
	})
}
