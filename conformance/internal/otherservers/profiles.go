package otherservers

import (
	"net/http"
)

// Profiles serves profiles.yaml. A profile with another handle than that of the path is
// refused with 409. What is named wrong, if anything, is done wrong, or right in an
// unusual way.
func Profiles(wrong string) http.Handler {
	var k keeper
	profiles := map[string]map[string]any{}
	mux := http.NewServeMux()
	k.handle(mux, wrong, "PUT /profiles/{handle}", func(c *check, r *http.Request) (int, any) {
		handle := r.PathValue("handle")
		c.want("path", noteKey.MatchString(handle))
		v := c.object("profile", c.body(r), true, "handle", "motto")
		motto := c.word(v, "motto")
		own, ok := c.text("handle", c.member("handle", v, "handle"))
		n := len([]rune(own))
		c.want("handle length", !ok || n >= 3 && n <= 30)
		switch {
		case c.complaint != "":
			return 400, nil
		case own != handle && wrong == "path wins":
			own = handle
		case own != handle:
			return 409, nil
		}
		profiles[handle] = map[string]any{"handle": own, "motto": motto}
		return 200, profiles[handle]
	})
	k.handle(mux, wrong, "GET /profiles/{handle}", func(_ *check, r *http.Request) (int, any) {
		if p := profiles[r.PathValue("handle")]; p != nil {
			return 200, p
		}
		return 404, nil
	})
	return mux
}
