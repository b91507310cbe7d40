package crud

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/reference/kit"
)

// authenticated reports whether the request has all credentials of one of the
// alternatives of its operation.
func (c *call) authenticated() bool {
	if len(c.op.security) == 0 {
		return true
	}
	return slices.ContainsFunc(c.op.security, func(all []string) bool {
		if c.Has("half-of-and") && len(all) > 1 {
			return c.holds(all[0])
		}
		if c.Has("other-half-of-and") && len(all) > 1 {
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
		case c.Has("desk-key-not-checked") && len(given) > 0, c.Has("desk-key-optional") && len(given) == 0:
			return true
		case c.Has("desk-key-any-case") && len(given) == 1 && strings.EqualFold(given[0], c.accepted.DeskKey):
			return true
		case c.Has("desk-key-in-query") && c.request.URL.Query().Get("X-Desk-Key") == c.accepted.DeskKey:
			return true
		}
		return len(given) == 1 && c.knows(given[0], func(k Credentials) string { return k.DeskKey })
	}
	given := c.request.URL.Query()["api_key"]
	switch {
	case c.Has("query-key-not-checked") && len(given) > 0, c.Has("query-key-optional") && len(given) == 0:
		return true
	case c.Has("query-key-in-header") && c.request.Header.Get("api_key") == c.accepted.QueryKey:
		return true
	}
	return len(given) == 1 && c.knows(given[0], func(k Credentials) string { return k.QueryKey })
}

// holdsBearer reads the field Authorization. The scheme has no case (RFC 9110,
// 11.1).
func (c *call) holdsBearer() bool {
	given := c.request.Header.Values("Authorization")
	switch {
	case c.Has("bearer-optional") && len(given) == 0, c.Has("list-public") && c.op.name == "listUsers":
		return true
	case len(given) != 1:
		return false
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	token = strings.TrimLeft(token, " ")
	switch {
	case c.Has("bearer-any-scheme") && token == c.accepted.Bearer:
		return true
	case !strings.EqualFold(scheme, "Bearer"):
		return false
	case c.Has("bearer-not-checked"):
		return true
	case c.Has("bearer-prefix") && len(token) >= 8 && strings.HasPrefix(c.accepted.Bearer, token):
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

// principals are about what belongs to one of two.
func principals() []Variant {
	return []Variant{
		{Name: "others-forbidden", Doc: "answers 403 to a request about what the other principal made; 403 is documented", Wider: true, Principals: true,
			around: owned(http.StatusForbidden, "")},
		{Name: "others-not-found", Doc: "answers 404 to a request about what the other principal made", Principals: true,
			around: owned(http.StatusNotFound, "")},
		{Name: "others-in-directory", Doc: "lists everybody's projects and users, those of the other principal without their optional members", Principals: true,
			around: both(owned(http.StatusNotFound, "listUsers listProjects"), showing("listUsers listProjects", func(c *call, s *store) {
				for i, u := range s.users {
					if u.others != c.other() {
						public := *u
						public.members = with(u.members, nil, "homepage", "birthday", "avatar", "address")
						s.users[i] = &public
					}
				}
				for _, p := range s.projects {
					if p.others != c.other() {
						p.members = with(p.members, nil, "team", "progress", "starts", "ends", "description", "tags", "milestones", "contact")
					}
				}
			}))},
	}
}

// principalFaults let one principal get at what the other one made.
func principalFaults() []Fault {
	two := func(name, clause, requirement, breaks, doc string, a around) Fault {
		f := history(name, clause, requirement, breaks, doc, a)
		f.Principals = true
		return f
	}
	open := func(name, clause, requirement, ops, breaks, doc string) Fault {
		return two(name, clause, requirement, breaks, doc, owned(http.StatusNotFound, ops))
	}
	const (
		others    = "others-kept"
		unchanged = aboutProject + "others-unchanged"
		late      = "the check of the owner stands behind the change"
	)
	return []Fault{
		open("others-read-project", projectAt+"/get", aboutProject+others, "getProject", "getProject answers everybody", "only the list asks whose a project is"),
		open("others-change-project", projectAt+"/patch", "patch-projects-projectid-"+others, "changeProject", "changeProject changes what somebody else made", "the handler is newer than the check"),
		open("others-replace-project", projectAt+"/put", "put-projects-projectid-"+others, "replaceProject", "replaceProject replaces what somebody else made", "the ETag is taken for a proof of ownership"),
		open("others-delete-project", projectAt+"/delete", "delete-projects-projectid-"+others, "deleteProject", "deleteProject deletes what somebody else made", "the key is taken for that of an administrator"),
		open("others-read-task", taskAt+"/get", aboutTask+others, "getTask", "getTask answers everybody", "the task is found by its id alone"),
		open("others-delete-task", taskAt+"/delete", "delete-projects-projectid-tasks-taskid-"+others, "deleteTask", "deleteTask deletes what somebody else made", "the task is found by its id alone"),
		open("others-read-user", userAt, aboutUser+others, "getUser", "getUser answers everybody", "a UUID is taken for a secret"),
		open("others-listed-projects", "/paths/~1projects/get", "get-projects-others-unlisted", "listProjects", "listProjects lists what somebody else made", "only reading asks whose a project is"),
		open("others-listed-users", "/paths/~1users/get", "get-users-others-unlisted", "listUsers", "listUsers lists what somebody else made", "only reading asks whose a user is"),
		two("others-refused-changed", projectAt+"/get", unchanged, "changeProject answers 404 to somebody else, and changes the project", late, refusedLate("changeProject")),
		two("others-refused-replaced", projectAt+"/get", unchanged, "replaceProject answers 404 to somebody else, and replaces the project", late, refusedLate("replaceProject")),
		two("others-refused-deleted", projectAt+"/get", unchanged, "deleteProject answers 404 to somebody else, and deletes the project", late, refusedLate("deleteProject")),
	}
}

// refusedLate refuses what the other principal asks of some operations after it was done.
func refusedLate(ops string) around {
	return both(owned(http.StatusNotFound, ops), changed(ops, func(c *call) func(*answer) {
		i := slices.IndexFunc(c.store.projects, func(p *project) bool { return kit.Whole(p.id).String() == c.path["projectId"] })
		if i < 0 || c.store.projects[i].others == c.other() {
			return nil
		}
		return func(a *answer) { *a = *refusal(http.StatusNotFound, "it is not yours") }
	}))
}
