package crud

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"

	"plantstore/reference/kit"
)

// createdFaults store something else than was accepted for users, projects and files.
func createdFaults() []Fault {
	ofUser := func(name, breaks, doc string, change func(map[string]any)) Fault {
		return history(name, userAt, aboutUser+"stored-created", breaks, doc,
			afterwards("createUser", func(c *call, a *answer) { change(c.madeUser(a).members) }))
	}
	ofProject := func(name, breaks, doc string, change func(map[string]any)) Fault {
		return history(name, projectAt+"/get", aboutProject+"stored-created", breaks, doc,
			afterwards("createProject", func(c *call, a *answer) { change(c.madeProject(a).members) }))
	}
	return []Fault{
		history("user-not-stored", userAt, aboutUser+"created-readable", "createUser answers 201 and stores nothing", "the transaction is not committed",
			afterwards("createUser", func(c *call, a *answer) {
				u := c.madeUser(a)
				c.store.users = slices.DeleteFunc(c.store.users, func(other *user) bool { return other == u })
			})),
		ofUser("user-name-cut", "a name longer than 20 characters is cut when it is stored", "the column is shorter than the document says", cut("name", 20)),
		ofUser("user-homepage-cut", "a homepage longer than 25 characters is cut when it is stored", "the column is shorter than the document says", cut("homepage", 25)),
		ofUser("user-birthday-shifted", "a birthday is stored as the day before", "the date is midnight in one time zone and written in another", shift("birthday", -1)),
		ofUser("user-address-lost", "the address of a user is not stored", "the nested object has a table of its own, and nobody writes it", lose("address")),
		ofUser("user-address-swapped", "street and city of a user are stored in each other's place", "arguments of one type in the wrong order", func(m map[string]any) {
			if address, ok := m["address"].(map[string]any); ok && address["street"] != nil && address["street"] != "" {
				is := with(address, map[string]any{"street": address["city"], "city": address["street"]})
				cut("city", 40)(is)
				m["address"] = is
			}
		}),
		ofUser("user-role-default", "the role of a user is stored as member", "the default is set after the value", func(m map[string]any) { m["role"] = "member" }),
		ofUser("user-avatar-encoded-twice", "an avatar is stored in base64 of base64", "the client's library encodes, and the service does again", func(m map[string]any) {
			if avatar, ok := m["avatar"].(string); ok && len(avatar) <= 300 {
				m["avatar"] = base64.StdEncoding.EncodeToString([]byte(avatar))
			}
		}),

		history("user-homepage-carried-over", userAt, aboutUser+"carried-over", "a user without homepage is stored with that of the user before", "one object is filled from all requests",
			afterwards("createUser", func(c *call, a *answer) {
				is, all := c.madeUser(a).members, c.store.users
				if len(all) > 1 && is["homepage"] == nil && all[len(all)-2].members["homepage"] != nil {
					is["homepage"] = all[len(all)-2].members["homepage"]
				}
			})),

		history("project-not-stored", projectAt+"/get", aboutProject+"created-readable", "createProject answers 201 and stores nothing", "the transaction is not committed",
			afterwards("createProject", func(c *call, a *answer) {
				p := c.madeProject(a)
				c.store.projects = slices.DeleteFunc(c.store.projects, func(other *project) bool { return other == p })
			})),
		history("project-location-next", projectAt+"/get", aboutProject+"created-readable", "Location of createProject leads to the project that is made next", "the counter is read after it was raised",
			afterwards("createProject", func(c *call, a *answer) {
				a.header.Set("Location", fmt.Sprintf("/projects/%d", c.madeProject(a).id+1))
			})),
		history("project-read-neighbour", projectAt+"/get", aboutProject+"stored-created", "getProject answers with the project before", "the id is taken for an index",
			on("getProject", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				c.store.Lock()
				defer c.store.Unlock()
				if p, _ := c.named(); p != nil && a.status == 200 {
					if i := slices.Index(c.store.projects, p); i > 0 {
						return c.projectAnswer(200, c.store.projects[i-1])
					}
				}
				return a
			})),
		ofProject("project-budget-whole", "a budget is stored without its cents", "the column holds integers", budget(math.Trunc)),
		ofProject("project-budget-tenths", "a budget is rounded to tenths when it is stored", "the number is formatted for people before it is stored", budget(func(f float64) float64 { return math.Round(f*10) / 10 })),
		ofProject("project-team-one", "a team is stored as 1, whatever was sent", "a hook counts the members of the team, who come later", func(m map[string]any) {
			if m["team"] != nil {
				m["team"] = kit.Whole(1)
			}
		}),
		ofProject("project-progress-zero", "the progress of a new project is stored as 0", "a column is missing in the INSERT, and has a default", func(m map[string]any) {
			if m["progress"] != nil {
				m["progress"] = kit.Whole(0)
			}
		}),
		ofProject("project-tags-lost", "the tags of a new project are not stored", "the other table is written after a return", empty("tags")),
		ofProject("project-milestones-cut", "only the first milestone of a new project is stored", "a loop ends with return", firstOf("milestones", 1)),
		ofProject("project-tags-five", "only five tags of a new project are stored", "the tags have a column each, of an older version of the document", firstOf("tags", 5)),
		ofProject("project-description-short", "a description longer than 150 characters is cut when it is stored", "the column is shorter than the document says", cut("description", 150)),
		ofProject("project-milestones-due", "the due times of milestones lose their offset when they are stored, and become other instants", "the column has no time zone", func(m map[string]any) {
			var out []any
			milestones, _ := m["milestones"].([]any)
			for _, v := range milestones {
				item := with(v.(map[string]any), nil)
				drift("due")(item)
				out = append(out, item)
			}
			if out != nil {
				m["milestones"] = out
			}
		}),
		ofProject("project-contact-lost", "the contact of a new project is not stored", "the mapper has no rule for the nested object", lose("contact")),
		ofProject("project-starts-shifted", "a start is stored as the day after", "the date is midnight in one time zone and written in another", shift("starts", 1)),
		ofProject("project-status-draft", "a new project is stored as draft, whatever was sent", "the default is set after the value", func(m map[string]any) { m["status"] = "draft" }),
		ofProject("project-archived-lost", "archived is stored as false, whatever was sent", "a missing member and false are the same to the handler", func(m map[string]any) { m["archived"] = false }),
		ofProject("project-description-cut", "a description longer than 20 characters is cut when it is stored", "the column is shorter than the document says", cut("description", 20)),
		ofProject("project-description-squeezed", "characters beyond U+FFFF in a description are stored as question marks", "the column has three bytes for a character", func(m map[string]any) {
			if text, ok := m["description"].(string); ok {
				m["description"] = strings.Map(func(r rune) rune {
					if r > 0xFFFF {
						return '?'
					}
					return r
				}, text)
			}
		}),
		history("file-not-stored", fileAt, "get-files-name-ext-created-readable", "uploadFile answers 201 and keeps nothing", "the file is in a folder that is emptied with the request",
			afterwards("uploadFile", func(c *call, a *answer) { delete(c.store.files, a.value.(map[string]any)["name"].(string)) })),
	}
}

// tasksCreatedFaults store something else than was accepted for tasks.
func tasksCreatedFaults() []Fault {
	ofTask := func(name, breaks, doc string, change func(map[string]any)) Fault {
		return history(name, taskAt+"/get", aboutTask+"stored-created", breaks, doc,
			afterwards("createTask", func(c *call, a *answer) {
				_, t := c.madeTask(a)
				change(t.members)
			}))
	}
	return []Fault{
		history("task-not-stored", taskAt+"/get", aboutTask+"created-readable", "createTask answers 201 and stores nothing", "the transaction is not committed",
			afterwards("createTask", func(c *call, a *answer) {
				p, t := c.madeTask(a)
				p.tasks = slices.DeleteFunc(p.tasks, func(other *task) bool { return other == t })
			})),
		history("task-other-project", taskAt+"/get", aboutTask+"created-readable", "createTask stores the task in the project that was made last", "the session remembers a project",
			afterwards("createTask", func(c *call, a *answer) {
				p, t := c.madeTask(a)
				last := c.store.projects[len(c.store.projects)-1]
				p.tasks = slices.DeleteFunc(p.tasks, func(other *task) bool { return other == t })
				last.tasks = append(last.tasks, t)
			})),
		history("task-location-nowhere", taskAt+"/get", aboutTask+"created-readable", "Location of createTask leads nowhere", "the place is made with an id that the database replaces",
			afterwards("createTask", func(c *call, a *answer) {
				a.header.Set("Location", "/projects/"+c.path["projectId"]+"/tasks/"+c.store.uuid())
			})),
		history("task-location-short", taskAt+"/get", aboutTask+"created-readable", "Location of createTask leaves out the project", "the route was nested later",
			afterwards("createTask", func(c *call, a *answer) {
				_, t := c.madeTask(a)
				a.header.Set("Location", "/tasks/"+t.id)
			})),
		history("task-location-other", taskAt+"/get", aboutTask+"stored-created", "Location of createTask leads to the task that was made before in the project", "the last id is asked of a connection that others use",
			afterwards("createTask", func(c *call, a *answer) {
				p, t := c.madeTask(a)
				if i := slices.Index(p.tasks, t); i > 0 {
					a.header.Set("Location", "/projects/"+c.path["projectId"]+"/tasks/"+p.tasks[i-1].id)
				}
			})),
		ofTask("task-title-cut", "a title longer than 20 characters is cut when it is stored", "the column is shorter than the document says", cut("title", 20)),
		ofTask("task-severity-default", "the severity of a task is stored as 3", "the default of the form counts", func(m map[string]any) {
			if m["severity"] != nil {
				m["severity"] = kit.Whole(3)
			}
		}),
		ofTask("task-labels-lost", "the labels of a task are not stored", "the other table is written after a return", empty("labels")),
		ofTask("task-steps-cut", "only the first step of a bug is stored", "a loop ends with return", firstOf("steps", 1)),
		ofTask("task-steps-joined", "the steps of a bug are stored as one, cut to 120 characters", "the list is joined for a text column", func(m map[string]any) {
			var out []string
			steps, _ := m["steps"].([]any)
			for _, v := range steps {
				out = append(out, v.(string))
			}
			if out != nil {
				m["steps"] = []any{atMost(strings.Join(out, ","), 120)}
			}
		}),
		ofTask("task-due-drifts", "the due time of a task loses its offset when it is stored, and becomes another instant", "the column has no time zone", drift("due")),
		ofTask("task-due-lost", "the due time of a task is not stored", "the member has another name in the class", lose("due")),
	}
}
