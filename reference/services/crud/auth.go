package crud

import (
	"net/http"
	"slices"
	"strings"
)

// authenticated reports whether the request has all credentials of one of the
// alternatives of its operation.
func (c *call) authenticated() bool {
	if len(c.op.security) == 0 {
		return true
	}
	return slices.ContainsFunc(c.op.security, func(all []string) bool {
		if c.has("half-of-and") && len(all) > 1 {
			return c.holds(all[0])
		}
		if c.has("other-half-of-and") && len(all) > 1 {
			return c.holds(all[1])
		}
		return !slices.ContainsFunc(all, func(scheme string) bool { return !c.holds(scheme) })
	})
}

// holds reports whether the request has the valid credential of a scheme.
func (c *call) holds(scheme string) bool {
	switch scheme {
	case "bearer":
		return c.holdsBearer()
	case "deskKey":
		given := c.request.Header.Values("X-Desk-Key")
		switch {
		case c.has("desk-key-not-checked") && len(given) > 0, c.has("desk-key-optional") && len(given) == 0:
			return true
		case c.has("desk-key-any-case") && len(given) == 1 && strings.EqualFold(given[0], c.accepted.DeskKey):
			return true
		case c.has("desk-key-in-query") && c.request.URL.Query().Get("X-Desk-Key") == c.accepted.DeskKey:
			return true
		}
		return len(given) == 1 && c.knows(given[0], func(k Credentials) string { return k.DeskKey })
	}
	given := c.request.URL.Query()["api_key"]
	switch {
	case c.has("query-key-not-checked") && len(given) > 0, c.has("query-key-optional") && len(given) == 0:
		return true
	case c.has("query-key-in-header") && c.request.Header.Get("api_key") == c.accepted.QueryKey:
		return true
	}
	return len(given) == 1 && c.knows(given[0], func(k Credentials) string { return k.QueryKey })
}

// holdsBearer reads the field Authorization. The scheme has no case (RFC 9110,
// 11.1).
func (c *call) holdsBearer() bool {
	given := c.request.Header.Values("Authorization")
	switch {
	case c.has("bearer-optional") && len(given) == 0, c.has("list-public") && c.op.name == "listUsers":
		return true
	case len(given) != 1:
		return false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	token = strings.TrimLeft(token, " ")
	switch {
	case c.has("bearer-any-scheme") && token == c.accepted.Bearer:
		return true
	case !strings.EqualFold(scheme, "Bearer"):
		return false
	case c.has("bearer-not-checked"):
		return true
	case c.has("bearer-prefix") && len(token) >= 8 && strings.HasPrefix(c.accepted.Bearer, token):
		return true
	}
	return c.knows(token, func(k Credentials) string { return k.Bearer })
}

// unauthorized answers 401 with a challenge for each scheme (RFC 9110, 11.6.1).
func (c *call) unauthorized() *answer {
	a := refusal(http.StatusUnauthorized, "the credentials do not suffice")
	for _, all := range c.op.security {
		for _, scheme := range all {
			challenge := `ApiKey realm="desk"`
			if scheme == "bearer" {
				challenge = `Bearer realm="desk"`
			}
			if !slices.Contains(a.header["Www-Authenticate"], challenge) {
				a.header.Add("WWW-Authenticate", challenge)
			}
		}
	}
	return a
}
