package crud

// listedFaults keep deleted things in a part of a list, or lose some behind a filter.
func listedFaults() []Fault {
	const projects, tasks = "/paths/~1projects/get", projectAt + "~1tasks/get"
	// stale lists what was deleted last where the query has a parameter.
	stale := func(deletes, list, parameter string) around {
		return both(binned(deletes), on(list, func(c *call, do func(*call) *answer) *answer {
			if p, _, given := c.query(parameter); !given || p.value == "0" {
				return do(c)
			}
			return c.beside(do, func(s *store) {
				bin := c.store.bin()
				s.restore(bin[max(len(bin)-1, 0):])
			})
		}))
	}
	// cutFirst filters the first page of what is there without the filter.
	cutFirst := func(list, parameter string, restrict func(s *store, n int)) around {
		return on(list, func(c *call, do func(*call) *answer) *answer {
			n := 20
			if p, _, given := c.query("limit"); given {
				n = within(p.value, 20, 1, 100)
			}
			if _, _, given := c.query(parameter); !given || n > 10 {
				return do(c)
			}
			return c.beside(do, func(s *store) { restrict(s, n) })
		})
	}
	return []Fault{
		history("deleted-listed-last", projects, "get-projects-unlisted", "a deleted project is still listed behind the first page", "only the first page is not cached", stale("deleteProject", "listProjects", "offset")),
		history("deleted-listed-by-status", projects, "get-projects-unlisted", "a deleted project is still listed where status is asked for", "the index of the filter is not told", stale("deleteProject", "listProjects", "status")),
		history("task-deleted-listed-by-state", tasks, "get-projects-projectid-tasks-unlisted", "a deleted task is still listed where state is asked for", "the index of the filter is not told", stale("deleteTask", "listTasks", "state")),
		history("labels-filter-late", tasks, "get-projects-projectid-tasks-filtered-labels", "listTasks looks for labels on a short page alone", "the page is cut before the filter is applied",
			cutFirst("listTasks", "labels", func(s *store, n int) {
				for _, p := range s.projects {
					p.tasks = p.tasks[:min(n, len(p.tasks))]
				}
			})),
	}
}
