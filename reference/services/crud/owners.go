package crud

import (
	"slices"
	"strings"
)

// OtherCredentials are those of somebody else, whom services with two principals know.
func OtherCredentials() Credentials {
	return Credentials{Bearer: "Crud-Other-9876543210zYxWvU", DeskKey: "Desk-Other-9876543210zYxWvU", QueryKey: "Query-Other-9876543210zYxWvU"}
}

// knows reports whether a credential is that of a principal.
func (s *server) knows(given string, of func(Credentials) string) bool {
	return given == of(s.accepted) || s.principals && given == of(OtherCredentials())
}

// other reports whether a request is that of the other principal.
func (c *call) other() bool {
	o := OtherCredentials()
	return strings.HasSuffix(c.request.Header.Get("Authorization"), " "+o.Bearer) || c.request.Header.Get("X-Desk-Key") == o.DeskKey || c.request.URL.Query().Get("api_key") == o.QueryKey
}

// owned hides what one principal makes from the other, who is answered with the status. The
// open operations do not check whose it is.
func owned(status int, open string) around {
	return both(afterwards("createUser createProject uploadFile", func(c *call, a *answer) {
		switch c.op.name {
		case "createUser":
			c.madeUser(a).others = c.other()
		case "createProject":
			c.madeProject(a).others = c.other()
		default:
			name, _ := a.value.(map[string]any)["name"].(string)
			c.store.files[name].others = c.other()
		}
	}), func(c *call, do func(*call) *answer) *answer {
		closed := !slices.Contains(strings.Fields(open), c.op.name)
		switch c.op.name {
		case "listUsers", "listProjects", "search", "getReport":
			if !closed {
				return do(c)
			}
			return c.beside(do, func(s *store) {
				s.users = slices.DeleteFunc(s.users, func(u *user) bool { return u.others != c.other() })
				s.projects = slices.DeleteFunc(s.projects, func(p *project) bool { return p.others != c.other() })
			})
		}
		if closed && c.foreign() {
			return refusal(status, "it is not yours")
		}
		return do(c)
	})
}

// foreign reports whether the path names what the other principal made.
func (c *call) foreign() bool {
	c.store.Lock()
	defer c.store.Unlock()
	if u := c.store.user(c.path["userId"]); u != nil && u.others != c.other() {
		return true
	}
	if p := c.store.project(c.path["projectId"]); p != nil && p.others != c.other() {
		return true
	}
	f := c.store.files[c.path["name"]]
	return f != nil && f.others != c.other()
}
