package crud

import "slices"

// siblingFaults delete more than a request names.
func siblingFaults() []Fault {
	const remove, keptBy = "deleteTask", "siblings-kept"
	// gone lets a DELETE take away further tasks of the project.
	gone := func(further func(c *call, t *task) bool) around {
		return on(remove, func(c *call, do func(*call) *answer) *answer {
			a := do(c)
			if a.status >= 300 {
				return a
			}
			c.store.Lock()
			defer c.store.Unlock()
			p, _ := c.named()
			p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return further(c, t) })
			return a
		})
	}
	return []Fault{
		history("task-delete-all", taskAt+"/get", aboutTask+keptBy+" "+aboutProject+"tasks-"+keptBy, "deleteTask deletes all tasks of the project", "the condition of the statement has the project alone",
			gone(func(*call, *task) bool { return true })),
		history("task-delete-unlists", projectAt+"~1tasks/get", aboutProject+"tasks-"+keptBy, "after deleteTask listTasks lists no older task of the project", "the page is cached without its items, until a task is made",
			both(afterwards("deleteTask", func(c *call, _ *answer) { c.store.memory["emptied "+c.path["projectId"]] = true }),
				both(afterwards("createTask", func(c *call, _ *answer) { delete(c.store.memory, "emptied "+c.path["projectId"]) }),
					on("listTasks", func(c *call, do func(*call) *answer) *answer {
						c.store.Lock()
						emptied := c.store.memory["emptied "+c.path["projectId"]] != nil
						c.store.Unlock()
						if !emptied {
							return do(c)
						}
						return c.beside(do, func(s *store) {
							if p := s.project(c.path["projectId"]); p != nil {
								p.tasks = nil
							}
						})
					})))),
	}
}
