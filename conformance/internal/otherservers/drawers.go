package otherservers

import (
	"net/http"
	"regexp"
)

// drawers keeps what Drawers serves.
type drawers struct {
	keeper
	wrong string
	named map[string]map[string]any
	order []string
}

var drawerName = regexp.MustCompile(`^[a-z][a-z0-9-]{2,30}$`)

// Drawers serves drawers.yaml: the client names a drawer, which a PUT makes or replaces. One
// is there from the beginning. What is named wrong, if anything, is done wrong.
func Drawers(wrong string) http.Handler {
	d := &drawers{wrong: wrong, named: map[string]map[string]any{"top": {"name": "top", "label": "forks"}}, order: []string{"top"}}
	mux := http.NewServeMux()
	d.handle(mux, wrong, "GET /drawers", func(*check, *http.Request) (int, any) { return 200, d.list() })
	d.handle(mux, wrong, "GET /drawers/{name}", d.about(func(_ *check, _ *http.Request, name string) (int, any) {
		if d.named[name] == nil {
			return 404, nil
		}
		return 200, d.named[name]
	}))
	d.handle(mux, wrong, "PUT /drawers/{name}", d.about(d.put))
	d.handle(mux, wrong, "DELETE /drawers/{name}", d.about(func(_ *check, _ *http.Request, name string) (int, any) {
		if d.named[name] == nil {
			return 404, nil
		}
		delete(d.named, name)
		return 204, nil
	}))
	return mux
}

// about serves an operation whose path names a drawer.
func (d *drawers) about(serve func(c *check, r *http.Request, name string) (int, any)) func(*check, *http.Request) (int, any) {
	return func(c *check, r *http.Request) (int, any) {
		name := r.PathValue("name")
		if !c.want("name pattern", drawerName.MatchString(name)) {
			return 400, nil
		}
		return serve(c, r, name)
	}
}

func (d *drawers) list() []map[string]any {
	out := []map[string]any{}
	for _, name := range d.order {
		if thing := d.named[name]; thing != nil {
			out = append(out, thing)
		}
	}
	return out
}

func (d *drawers) put(c *check, r *http.Request, name string) (int, any) {
	v := c.object("drawer", c.body(r), true, "label")
	label := c.word(v, "label")
	only := r.Header.Values("If-None-Match")
	c.want("asterisk", len(only) == 0 || only[0] == "*")
	known := d.named[name] != nil
	switch {
	case c.complaint != "":
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
