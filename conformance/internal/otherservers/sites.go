package otherservers

import (
	"maps"
	"net/http"
)

// Sites serves sites.yaml: the code of a site never changes, so a PUT that has another one is
// refused with 422. What is named wrong, if anything, is done wrong.
func Sites(wrong string) http.Handler {
	sites := far()
	mux := http.NewServeMux()
	sites.handle(mux, wrong, "POST /sites", func(c *check, r *http.Request) (int, any) {
		given := c.site(r)
		if c.complaint != "" {
			return 400, nil
		}
		return 201, sites.add(given)
	})
	sites.handle(mux, wrong, "GET /sites/{id}", sites.read)
	sites.handle(mux, wrong, "PUT /sites/{id}", func(c *check, r *http.Request) (int, any) {
		given, found := c.site(r), sites.find(r.PathValue("id"))
		switch {
		case c.complaint != "":
			return 400, nil
		case found == nil:
			return 404, nil
		case textOf(given, "code") != textOf(found, "code"):
			return 422, nil
		}
		given["id"] = found["id"]
		if wrong != "put keeps nothing" {
			maps.Copy(found, given)
		}
		return 200, given
	})
	return mux
}

// site reads the body of a request.
func (c *check) site(r *http.Request) map[string]any {
	v := c.object("site", c.body(r), true, "code", "name")
	return map[string]any{"code": c.word(v, "code"), "name": c.word(v, "name")}
}
