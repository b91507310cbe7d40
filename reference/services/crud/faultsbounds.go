package crud

import "net/http"

// boundFaults break what filters by a time or a number promise.
func boundFaults() []Fault {
	const (
		projects, tasks           = "/paths/~1projects/get", projectAt + "~1tasks/get"
		aboutProjects, aboutTasks = "get-projects-filtered-", "get-projects-projectid-tasks-filtered-"
	)
	without := func(name string) func(map[string]string) {
		return func(q map[string]string) { delete(q, name) }
	}
	return []Fault{
		history("created-after-ignored", projects, aboutProjects+"createdafter", "listProjects ignores createdAfter", "the parameter is read under another name", asked("listProjects", without("createdAfter"))),
		history("created-after-empty", projects, aboutProjects+"createdafter", "listProjects finds nothing with createdAfter", "the day is compared with a number of seconds",
			on("listProjects", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if _, _, given := c.query("createdAfter"); given && a.status == http.StatusOK {
					a.value = []any{}
					a.header.Set("X-Total-Count", "0")
				}
				return a
			})),
		history("budget-min-ignored", projects, aboutProjects+"budget-min", "listProjects ignores budget[min]", "zero and missing are the same to the handler", asked("listProjects", without("budget[min]"))),
		history("budget-max-as-min", projects, aboutProjects+"budget-max", "listProjects takes budget[max] for the lowest budget", "one line of the query was copied",
			asked("listProjects", func(q map[string]string) {
				if most, given := q["budget[max]"]; given {
					q["budget[min]"] = most
					delete(q, "budget[max]")
				}
			})),
		history("due-before-ignored", tasks, aboutTasks+"duebefore", "listTasks ignores dueBefore", "the filter is applied where tasks are exported alone", asked("listTasks", without("dueBefore"))),
	}
}
