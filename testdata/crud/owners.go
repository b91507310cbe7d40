package crud

import (
	"net/http"
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
		switch c.op.name {
		case "listUsers", "listProjects", "search", "getReport":
			return c.beside(do, func(s *store) {
				s.users = slices.DeleteFunc(s.users, func(u *user) bool { return u.others != c.other() })
				s.projects = slices.DeleteFunc(s.projects, func(p *project) bool { return p.others != c.other() })
			})
		}
		if !slices.Contains(strings.Fields(open), c.op.name) && c.foreign() {
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
	}
}

// principalFaults let one principal get at what the other one made.
func principalFaults() []Fault {
	open := func(name, clause, requirement, ops, breaks, doc string) Fault {
		f := history(name, clause, requirement, breaks, doc, owned(http.StatusNotFound, ops))
		f.Principals = true
		return f
	}
	const others = "others-kept"
	return []Fault{
		open("others-read-project", projectAt+"/get", aboutProject+others, "getProject", "getProject answers everybody", "only the list asks whose a project is"),
		open("others-change-project", projectAt+"/patch", "patch-projects-projectid-"+others, "changeProject", "changeProject changes what somebody else made", "the handler is newer than the check"),
		open("others-delete-project", projectAt+"/delete", "delete-projects-projectid-"+others, "deleteProject", "deleteProject deletes what somebody else made", "the key is taken for that of an administrator"),
		open("others-read-task", taskAt+"/get", aboutTask+others, "getTask", "getTask answers everybody", "the task is found by its id alone"),
		open("others-read-user", userAt, aboutUser+others, "getUser", "getUser answers everybody", "a UUID is taken for a secret"),
	}
}
