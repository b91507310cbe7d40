package crud

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// pagingFaults break what pages, filters and orders promise together.
func pagingFaults() []Fault {
	const (
		users, projects, tasks                = "/paths/~1users/get", "/paths/~1projects/get", projectAt + "~1tasks/get"
		aboutUsers, aboutProjects, aboutTasks = "get-users-", "get-projects-", "get-projects-projectid-tasks-"
	)
	without := func(name string) func(map[string]string) {
		return func(q map[string]string) { delete(q, name) }
	}
	// shifted adds to a number that is not the first.
	shifted := func(name, before string, by, least int) func(map[string]string) {
		return func(q map[string]string) {
			if n := within(strings.TrimPrefix(q[name], before), 0, 0, 999999); n > 0 {
				q[name] = before + strconv.Itoa(max(n+by, least))
			}
		}
	}
	return []Fault{
		history("limit-ignored", users, aboutUsers+"page-limit", "listUsers ignores limit", "the page has a fixed size", asked("listUsers", without("limit"))),
		history("limit-default-larger", users, aboutUsers+"page-limit", "without limit listUsers gives up to 24 users", "the default of the code is not that of the document",
			asked("listUsers", func(q map[string]string) {
				if q["limit"] == "" {
					q["limit"] = "24"
				}
			})),
		history("offset-ignored", users, aboutUsers+"pages-disjoint", "listUsers ignores offset", "the client pages by a name that the service does not know", asked("listUsers", without("offset"))),
		history("limit-one-more", users, aboutUsers+"page-limit", "listUsers gives one item more than limit", "one more is read to know whether there is another page", asked("listUsers", func(q map[string]string) {
			if q["limit"] != "100" {
				shifted("limit", "", 1, 1)(q)
			}
		})),
		history("pages-overlap", projects, aboutProjects+"pages-disjoint", "each page of listProjects begins with the last item of the page before", "the offset is compared with <= instead of <", asked("listProjects", shifted("offset", "", -1, 0))),
		history("pages-skip", projects, aboutProjects+"pages-complete", "listProjects leaves out an item between two pages", "offset counts from 1", asked("listProjects", shifted("offset", "", 1, 0))),
		history("cursor-repeats", tasks, aboutTasks+"pages-disjoint", "a cursor of listTasks leads to the last item of the page again", "the cursor names the last item, and the query takes it in", asked("listTasks", shifted("cursor", "c", -1, 0))),
		history("cursor-ignored", tasks, aboutTasks+"pages-disjoint", "listTasks ignores the cursor", "the parameter is read under another name", asked("listTasks", without("cursor"))),
		history("next-missing", tasks, aboutTasks+"pages-complete", "listTasks names no next page where there is one", "next is set only if the page is longer than limit",
			afterwards("listTasks", func(_ *call, a *answer) { a.value.(map[string]any)["next"] = nil })),
		history("status-filter-ignored", projects, aboutProjects+"filtered-status", "listProjects ignores status", "the filter has another name in the query of the database", asked("listProjects", without("status"))),
		history("status-filter-empty", projects, aboutProjects+"filtered-status", "listProjects finds no active project", "the filter compares with the label that people see",
			afterwards("listProjects", func(c *call, a *answer) {
				if p, _, given := c.query("status"); given && p.value == "active" {
					a.value = []any{}
					a.header.Set("X-Total-Count", "0")
				}
			})),
		history("archived-filter-ignored", projects, aboutProjects+"filtered-archived", "listProjects ignores archived=false", "false and missing are the same to the handler",
			asked("listProjects", func(q map[string]string) {
				if q["archived"] == "false" {
					delete(q, "archived")
				}
			})),
		history("tags-filter-any", projects, aboutProjects+"filtered-tags", "listProjects looks for the first of several tags alone", "only the first item of the list is read",
			asked("listProjects", func(q map[string]string) {
				if first, _, several := strings.Cut(q["tags"], ","); several {
					q["tags"] = first
				}
			})),
		history("labels-filter-first", tasks, aboutTasks+"filtered-labels", "listTasks looks for the first of several labels alone", "only the first item of the list is read",
			asked("listTasks", func(q map[string]string) {
				if i := strings.IndexAny(q["labels"], "|%"); i > 0 {
					q["labels"] = q["labels"][:i]
				}
			})),
		history("state-filter-ignored", tasks, aboutTasks+"filtered-state", "listTasks ignores state", "the filter is applied after the page is cut, and then dropped", asked("listTasks", without("state"))),
		history("sort-ignored", projects, aboutProjects+"sorted", "listProjects ignores sort", "the order is that of the index", asked("listProjects", without("sort"))),
		history("sort-one-way", projects, aboutProjects+"sorted", "listProjects sorts -name like name", "the sign is cut off and forgotten",
			asked("listProjects", func(q map[string]string) {
				if q["sort"] == "-name" {
					q["sort"] = "name"
				}
			})),
		history("total-of-page", projects, aboutProjects+"total", "X-Total-Count of listProjects counts the page alone", "the count is that of the list that was read",
			afterwards("listProjects", func(_ *call, a *answer) { a.header.Set("X-Total-Count", strconv.Itoa(len(a.value.([]any)))) })),
		history("total-unfiltered", projects, aboutProjects+"total", "X-Total-Count of listProjects counts what the filters leave out", "the count has a query of its own, without the filters",
			afterwards("listProjects", func(c *call, a *answer) { a.header.Set("X-Total-Count", strconv.Itoa(len(c.store.projects))) })),
	}
}

// asked changes the query of a valid request. The texts are percent-encoded.
func asked(ops string, change func(q map[string]string)) around {
	return on(ops, func(c *call, do func(*call) *answer) *answer {
		if a := do(c); a.status != http.StatusOK {
			return a
		}
		q := map[string]string{}
		for _, p := range c.pairs {
			q[p.name] = p.raw
		}
		change(q)
		c.pairs = nil
		for name, raw := range q {
			value, _ := url.QueryUnescape(raw) // readQuery has asked
			c.pairs = append(c.pairs, pair{name, raw, value})
		}
		return do(c)
	})
}

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
