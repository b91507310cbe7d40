package otherservers

import (
	"net/http"
	"slices"
)

// shelves keeps what Shelves serves, by room and name.
type shelves struct {
	keeper
	wrong bool
	up    map[[2]string]map[string]any
}

// Shelves serves shelves.yaml: every room has shelves of its own. If it is wrong, it replaces
// nothing in the hall, deletes nothing in the cellar, and has a handler of its own for HEAD.
func Shelves(wrong bool) http.Handler {
	s := &shelves{wrong: wrong, up: map[[2]string]map[string]any{}}
	mux := http.NewServeMux()
	s.handle(mux, "", "GET /rooms/{room}/shelves/{name}", s.about(func(_ *check, _ *http.Request, at [2]string) (int, any) {
		if s.up[at] == nil {
			return 404, nil
		}
		return 200, s.up[at]
	}))
	s.handle(mux, "", "GET /rooms/{room}/shelves/{name}/label", s.about(func(_ *check, r *http.Request, at [2]string) (int, any) {
		switch {
		case s.up[at] == nil:
			return 404, nil
		case r.Method == http.MethodHead && s.wrong:
			return 204, nil
		}
		return 200, map[string]any{"label": s.up[at]["label"]}
	}))
	s.handle(mux, "", "PUT /rooms/{room}/shelves/{name}", s.about(s.put))
	s.handle(mux, "", "DELETE /rooms/{room}/shelves/{name}", s.about(func(_ *check, _ *http.Request, at [2]string) (int, any) {
		if s.up[at] == nil {
			return 404, nil
		}
		if at[0] != "cellar" || !s.wrong {
			delete(s.up, at)
		}
		return 204, nil
	}))
	return mux
}

// about serves an operation whose path names a shelf.
func (s *shelves) about(serve func(c *check, r *http.Request, at [2]string) (int, any)) func(*check, *http.Request) (int, any) {
	return func(c *check, r *http.Request) (int, any) {
		at := [2]string{r.PathValue("room"), r.PathValue("name")}
		if !c.want("room", slices.Contains([]string{"kitchen", "hall", "cellar"}, at[0])) || !c.want("name", drawerName.MatchString(at[1])) {
			return 400, nil
		}
		return serve(c, r, at)
	}
}

func (s *shelves) put(c *check, r *http.Request, at [2]string) (int, any) {
	v := c.object("shelf", c.body(r), true, "label")
	label := c.word(v, "label")
	if c.complaint != "" {
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
