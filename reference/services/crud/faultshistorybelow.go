package crud

// belowFaults find what belongs to another project.
func belowFaults() []Fault {
	const list = projectAt + "~1tasks/get"
	const alone = "the row is found by its own id, and the project of the path is only checked to be there"
	return []Fault{
		history("task-below-any", taskAt+"/get", aboutTask+"below-other", "getTask finds a task below every project", alone, belowAny("getTask")),
		history("task-deleted-below-any", taskAt+"/get", aboutTask+"changed-below", "deleteTask deletes a task below every project", alone, belowAny("deleteTask")),
		history("task-completed-below-any", taskAt+"/get", aboutTask+"changed-below", "completeTask completes a task below every project", alone, belowAny("completeTask")),
		history("task-deleted-below-any-404", taskAt+"/get", aboutTask+"changed-below", "deleteTask answers 404 below another project, and deletes the task", "the check of the project comes after the statement",
			on("deleteTask", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if a.status == 404 {
					_ = belowAny("deleteTask")(c, do)
				}
				return a
			})),
		history("tasks-of-all", list, aboutTasks+"listed-below", "listTasks lists the tasks of all projects", "the condition is lost when the query is changed",
			listsAll(func(*call) bool { return true })),
		history("tasks-of-all-labelled", list, aboutTasks+"listed-below", "listTasks with labels lists those of all projects", "an OR without brackets",
			listsAll(func(c *call) bool { _, _, given := c.query("labels"); return given })),
	}
}

// belowAny lets an operation find the task of the path below every project.
func belowAny(op string) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		p, t := c.named()
		owner := first(c.store.projects, func(q *project) bool { return q.task(c.path["taskId"]) != nil })
		c.store.Unlock()
		if p == nil || t != nil || owner == nil {
			return do(c)
		}
		given := c.path["projectId"]
		c.path["projectId"] = whole(owner.id).String()
		defer func() { c.path["projectId"] = given }()
		return do(c)
	})
}

// listsAll lists the tasks of all projects, where a request is one of those.
func listsAll(wrong func(c *call) bool) around {
	return on("listTasks", func(c *call, do func(*call) *answer) *answer {
		if !wrong(c) {
			return do(c)
		}
		return c.beside(do, func(s *store) {
			var all []*task
			for _, p := range s.projects {
				all = append(all, p.tasks...)
			}
			for _, p := range s.projects {
				p.tasks = all
			}
		})
	})
}
