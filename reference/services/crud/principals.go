package crud

import (
	"net/http"
	"slices"
)

// principals are about what belongs to one of two.
func principals() []Variant {
	return []Variant{
		{Name: "others-forbidden", Doc: "answers 403 to a request about what the other principal made; 403 is documented", Wider: true, Principals: true,
			around: owned(http.StatusForbidden, "")},
		{Name: "others-not-found", Doc: "answers 404 to a request about what the other principal made", Principals: true,
			around: owned(http.StatusNotFound, "")},
		{Name: "others-in-directory", Doc: "lists everybody's projects and users, those of the other principal without their optional members", Principals: true,
			around: both(owned(http.StatusNotFound, "listUsers listProjects"), on("listUsers listProjects", func(c *call, do func(*call) *answer) *answer {
				return c.beside(do, func(s *store) {
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
				})
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
	return both(owned(http.StatusNotFound, ops), on(ops, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		i := slices.IndexFunc(c.store.projects, func(p *project) bool { return whole(p.id).String() == c.path["projectId"] })
		foreign := i >= 0 && c.store.projects[i].others != c.other()
		c.store.Unlock()
		if a := do(c); !foreign || a.status >= 300 {
			return a
		}
		return refusal(http.StatusNotFound, "it is not yours")
	}))
}
