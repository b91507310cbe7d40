package otherservers

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"unicode/utf8"
)

// Garage serves garage.yaml. A car that would become a trailer is refused with 409. What
// is named wrong, if anything, is done wrong, or right in an unusual way.
func Garage(wrong string) http.Handler {
	var vehicles keeper
	mux := http.NewServeMux()
	vehicles.handle(mux, wrong, "POST /vehicles", func(c *check, r *http.Request) (int, any) {
		v := c.vehicle(c.body(r))
		if c.complaint != "" {
			return 400, nil
		}
		return 201, vehicles.add(v)
	})
	vehicles.handle(mux, wrong, "GET /vehicles/{vehicleId}", func(_ *check, r *http.Request) (int, any) {
		found := vehicles.find(r.PathValue("vehicleId"))
		if found == nil {
			return 404, nil
		}
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
	})
	vehicles.handle(mux, wrong, "PUT /vehicles/{vehicleId}", func(c *check, r *http.Request) (int, any) {
		found, v := vehicles.find(r.PathValue("vehicleId")), c.vehicle(c.body(r))
		switch {
		case c.complaint != "":
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
	vehicles.handle(mux, wrong, "POST /vehicles/{vehicleId}/inspections", func(c *check, r *http.Request) (int, any) {
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		form, bad := url.ParseQuery(string(b))
		n := utf8.RuneCountInString(form.Get("inspector"))
		switch {
		case vehicles.find(r.PathValue("vehicleId")) == nil:
			return 404, nil
		case err != nil || bad != nil || len(form["inspector"]) != 1 || !utf8.ValidString(form.Get("inspector")) || n < 1 || n > 20:
			return 400, nil
		}
		return 201, map[string]any{"done": true}
	})
	return mux
}

// vehicle reads a car or a trailer.
func (c *check) vehicle(body value) map[string]any {
	v := c.object("vehicle", body, false)
	kind, _ := c.text("kind", c.member("kind", v, "kind"))
	out := map[string]any{"kind": kind}
	switch kind {
	case "car":
		out["plate"] = c.word(v, "plate")
	case "trailer":
		out["frame"] = c.word(v, "frame")
	default:
		c.want("kind known", false)
	}
	if _, found := v["label"]; found {
		out["label"] = c.word(v, "label")
	}
	return out
}
