package services

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"plantstore/reference/kit"
)

// Workshop serves workshop.yaml: a tool is repaired and lent until it is retired, and is not
// deleted while it is lent. What is named wrong, if anything, crashes. With "loans outlive
// tools", and where a loan without its tool is wrong, a tool that is lent can be deleted.
func Workshop(wrong string) http.Handler {
	s := &toolShop{wrong: wrong, Service: kit.New(wrong), dropped: map[any]bool{}, retired: map[any]bool{}, lent: map[any]any{}, loans: kit.Far()}
	s.serveTools()
	s.serveLoans()
	return s.Keeping(s.tools.Shown(func(of map[string]any) bool {
		of["retired"] = s.retired[of["id"]]
		return !s.dropped[of["id"]]
	}), s.loans.Shown(func(of map[string]any) bool { return s.lent[of["id"]] != nil }))
}

// toolShop stores tools and loans. What is done with a tool is known by its id, and a loan
// that has not ended by its own.
type toolShop struct {
	*kit.Service
	wrong            string
	tools, loans     kit.Store
	dropped, retired map[any]bool
	lent             map[any]any
}

// tool and loan find what is there.
func (s *toolShop) tool(id string) map[string]any {
	if found := s.tools.Find(id); found != nil && !s.dropped[found["id"]] {
		return found
	}
	return nil
}

func (s *toolShop) loan(id string) map[string]any {
	if found := s.loans.Find(id); found != nil && s.lent[found["id"]] != nil {
		return found
	}
	return nil
}

// or returns a status, or that of a crash where the server is wrong about what is done.
func (s *toolShop) or(status int, done string) (int, any) {
	if s.wrong == done {
		return 500, nil
	}
	return status, nil
}

func (s *toolShop) serveTools() {
	s.On("POST /tools", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("tool", c.Body(r), true, "name", "condition")
		tool := map[string]any{"name": c.Word(v, "name")}
		if v["condition"] != nil {
			text, ok := c.Text("condition", v["condition"])
			c.Want("condition enum", !ok || text == "new" || text == "used" || text == "broken")
			tool["condition"] = text
		}
		return s.tools.Made(c, tool)
	})
	// named serves an operation about one tool, which crashes in a state if that is wrong.
	named := func(pattern, what string, serve func(c *kit.Check, r *http.Request, tool map[string]any) (int, any)) {
		s.On(pattern, kit.About("toolId", s.tool, func(c *kit.Check, r *http.Request, tool map[string]any) (int, any) {
			if s.retired[tool["id"]] && s.wrong == what+" of a retired tool" || tool["condition"] == "broken" && s.wrong == what+" of a broken tool" {
				return 500, nil
			}
			return serve(c, r, tool)
		}))
	}
	named("GET /tools/{toolId}", "read", kit.Shown)
	named("PATCH /tools/{toolId}", "edit", func(c *kit.Check, r *http.Request, tool map[string]any) (int, any) {
		given := c.Words(r, "tool", true, "name")
		switch {
		case c.Complaint != "":
			return 400, nil
		case s.retired[tool["id"]]:
			return 409, nil
		}
		maps.Copy(tool, given)
		return 200, tool
	})
	named("POST /tools/{toolId}/retirement", "retirement", func(_ *kit.Check, _ *http.Request, tool map[string]any) (int, any) {
		if s.retired[tool["id"]] {
			return 409, nil
		}
		s.retired[tool["id"]] = true
		return 200, tool
	})
	named("POST /tools/{toolId}/repairs", "repair", func(c *kit.Check, r *http.Request, tool map[string]any) (int, any) {
		given := c.Words(r, "repair", false, "what")
		switch {
		case c.Complaint != "":
			return 400, nil
		case s.retired[tool["id"]]:
			return 409, nil
		}
		return 201, given
	})
	named("DELETE /tools/{toolId}", "deletion", func(_ *kit.Check, _ *http.Request, tool map[string]any) (int, any) {
		for _, id := range s.lent {
			if id == tool["id"] && !s.outlive() {
				return s.or(409, "deletion of a lent tool")
			}
		}
		s.dropped[tool["id"]] = true
		return 204, nil
	})
}

// outlive reports whether a tool that is lent can be deleted.
func (s *toolShop) outlive() bool {
	return s.wrong == "loans outlive tools" || strings.HasSuffix(s.wrong, "of a loan without its tool")
}

func (s *toolShop) serveLoans() {
	s.On("POST /loans", func(c *kit.Check, r *http.Request) (int, any) {
		v := c.Object("loan", c.Body(r), true, "toolId", "who")
		n, ok := c.Integer("toolId", c.Member("toolId", v, "toolId"))
		who := c.Word(v, "who")
		if c.Want("toolId low", !ok || kit.AtLeast(n, 1)); c.Complaint != "" || !ok {
			return 400, nil
		}
		tool := s.tools.Find(n.Num().String())
		switch {
		case tool == nil:
			return 422, nil
		case s.dropped[tool["id"]]:
			return s.or(422, "loan of a deleted tool")
		case s.retired[tool["id"]]:
			return s.or(409, "loan of a retired tool")
		}
		loan := s.loans.Add(map[string]any{"toolId": tool["id"], "who": who})
		s.lent[loan["id"]] = tool["id"]
		return 201, loan
	})
	named := func(pattern, what string, serve func(loan map[string]any) (int, any)) {
		s.On(pattern, kit.About("loanId", s.loan, func(_ *kit.Check, _ *http.Request, loan map[string]any) (int, any) {
			if s.dropped[loan["toolId"]] && s.wrong == what+" of a loan without its tool" {
				return 500, nil
			}
			return serve(loan)
		}))
	}
	named("GET /loans/{loanId}", "read", func(loan map[string]any) (int, any) { return 200, loan })
	named("DELETE /loans/{loanId}", "end", func(loan map[string]any) (int, any) {
		delete(s.lent, loan["id"])
		return 204, nil
	})
}

// Tools serves tools.yaml: tools of two kinds that are found by their owner alone. What is named
// wrong, if anything, is done wrong, or right in an unusual way.
func Tools(wrong string) http.Handler {
	var tools kit.Store
	gone := map[any]bool{}
	service := kit.New(wrong)
	service.On("POST /tools", func(c *kit.Check, r *http.Request) (int, any) {
		made := map[string]any{}
		v := c.Object("tool", c.Body(r), true, "kind", "owner", "weight", "teeth")
		kind, _ := c.Text("kind", c.Member("kind", v, "kind"))
		counted := map[string]string{"hammer": "weight", "saw": "teeth"}[kind]
		if c.Want("kind", counted != "") {
			made["kind"], made["owner"] = kind, c.Word(v, "owner")
			n, ok := c.Integer(counted, c.Member(counted, v, counted))
			c.Want("count", len(v) == 3 && ok && kit.AtLeast(n, 1) && kit.AtMost(n, 1000))
			made[counted] = v[counted]
		}
		return tools.Made(c, made)
	})
	service.On("GET /tools/findByOwner", func(c *kit.Check, r *http.Request) (int, any) {
		asked, err := url.ParseQuery(r.URL.RawQuery)
		if owner := asked["owner"]; !c.Want("owner", err == nil && len(owner) == 1 && len([]rune(owner[0])) >= 1 && len([]rune(owner[0])) <= 20) {
			return 400, nil
		}
		list := []any{}
		for _, tool := range tools.Things {
			switch {
			case kit.TextOf(tool, "owner") != asked.Get("owner"):
			case !gone[tool["id"]] || wrong == "deleted is found":
				list = append(list, tool)
			case wrong == "deleted is marked":
				marked := maps.Clone(tool)
				marked["gone"] = true
				list = append(list, marked)
			}
		}
		return 200, list
	})
	there := func(id string) map[string]any {
		if found := tools.Find(id); found != nil && !gone[found["id"]] {
			return found
		}
		return nil
	}
	service.On("GET /tools/{toolId}", kit.About("toolId", there, kit.Shown))
	service.On("DELETE /tools/{toolId}", kit.About("toolId", there, func(_ *kit.Check, _ *http.Request, found map[string]any) (int, any) {
		gone[found["id"]] = true
		return 204, nil
	}))
	return service.Keeping(tools.Shown(func(of map[string]any) bool { return !gone[of["id"]] }))
}

// Garage serves garage.yaml. A car that would become a trailer is refused with 409. What
// is named wrong, if anything, is done wrong, or right in an unusual way.
func Garage(wrong string) http.Handler {
	var vehicles kit.Store
	service := kit.New(wrong)
	service.On("POST /vehicles", func(c *kit.Check, r *http.Request) (int, any) {
		v := readVehicle(c, c.Body(r))
		return vehicles.Made(c, v)
	})
	service.On("GET /vehicles/{vehicleId}", vehicles.About("vehicleId", func(_ *kit.Check, _ *http.Request, found map[string]any) (int, any) {
		shown := maps.Clone(found)
		if shown["kind"] == "trailer" && wrong == "another frame is shown" {
			shown["frame"] = "none"
		}
		if shown["kind"] == "car" && wrong == "another plate is shown" {
			shown["plate"] = "none"
		}
		if shown["kind"] == "trailer" && wrong == "trailers are not found" {
			return 404, nil
		}
		return 200, shown
	}))
	service.On("PUT /vehicles/{vehicleId}", func(c *kit.Check, r *http.Request) (int, any) {
		found, v := vehicles.Find(r.PathValue("vehicleId")), readVehicle(c, c.Body(r))
		switch {
		case c.Complaint != "":
			return 400, nil
		case found == nil:
			return 404, nil
		case found["kind"] != v["kind"] && wrong != "the kind changes":
			return 409, nil
		}
		v["id"] = found["id"]
		clear(found)
		maps.Copy(found, v)
		return 200, maps.Clone(found)
	})
	service.On("POST /vehicles/{vehicleId}/inspections", func(c *kit.Check, r *http.Request) (int, any) {
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		form, bad := url.ParseQuery(string(b))
		n := utf8.RuneCountInString(form.Get("inspector"))
		switch {
		case vehicles.Find(r.PathValue("vehicleId")) == nil:
			return 404, nil
		case err != nil || bad != nil || len(form["inspector"]) != 1 || !utf8.ValidString(form.Get("inspector")) || n < 1 || n > 20:
			return 400, nil
		}
		return 201, map[string]any{"done": true}
	})
	return service.Keeping(vehicles.Shown(nil))
}

// readVehicle reads a car or a trailer.
func readVehicle(c *kit.Check, body value) map[string]any {
	v := c.Object("vehicle", body, false)
	kind, _ := c.Text("kind", c.Member("kind", v, "kind"))
	out := map[string]any{"kind": kind}
	switch kind {
	case "car":
		out["plate"] = c.Word(v, "plate")
	case "trailer":
		out["frame"] = c.Word(v, "frame")
	default:
		c.Want("kind known", false)
	}
	if _, found := v["label"]; found {
		out["label"] = c.Word(v, "label")
	}
	return out
}
