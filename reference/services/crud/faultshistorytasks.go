package crud

import (
	"slices"
	"strings"
)

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
				m["severity"] = whole(3)
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
