package crud

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// pagingFaults break what pages, filters and orders promise together.
func pagingFaults() []Fault {
	const users, projects, tasks = "/paths/~1users/get", "/paths/~1projects/get", projectAt + "~1tasks/get"
	paging := func(name, at, breaks, doc string, a around) Fault { return history(name, at, "", breaks, doc, a) }
	// asked changes the query of a valid request. The texts are percent-encoded.
	asked := func(op string, change func(q map[string]string)) around {
		return on(op, func(c *call, do func(*call) *answer) *answer {
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
		paging("limit-ignored", users, "listUsers ignores limit", "the page has a fixed size", asked("listUsers", without("limit"))),
		paging("offset-ignored", users, "listUsers ignores offset", "the client pages by a name that the service does not know", asked("listUsers", without("offset"))),
		paging("limit-one-more", users, "listUsers gives one item more than limit", "one more is read to know whether there is another page", asked("listUsers", func(q map[string]string) {
			if q["limit"] != "100" {
				shifted("limit", "", 1, 1)(q)
			}
		})),
		paging("pages-overlap", projects, "each page of listProjects begins with the last item of the page before", "the offset is compared with <= instead of <", asked("listProjects", shifted("offset", "", -1, 0))),
		paging("pages-skip", projects, "listProjects leaves out an item between two pages", "offset counts from 1", asked("listProjects", shifted("offset", "", 1, 0))),
		paging("cursor-repeats", tasks, "a cursor of listTasks leads to the last item of the page again", "the cursor names the last item, and the query takes it in", asked("listTasks", shifted("cursor", "c", -1, 0))),
		paging("cursor-ignored", tasks, "listTasks ignores the cursor", "the parameter is read under another name", asked("listTasks", without("cursor"))),
		paging("next-missing", tasks, "listTasks names no next page where there is one", "next is set only if the page is longer than limit",
			afterwards("listTasks", func(_ *call, a *answer) { a.value.(map[string]any)["next"] = nil })),
		paging("status-filter-ignored", projects, "listProjects ignores status", "the filter has another name in the query of the database", asked("listProjects", without("status"))),
		paging("archived-filter-ignored", projects, "listProjects ignores archived=false", "false and missing are the same to the handler",
			asked("listProjects", func(q map[string]string) {
				if q["archived"] == "false" {
					delete(q, "archived")
				}
			})),
		paging("tags-filter-any", projects, "listProjects looks for the first of several tags alone", "only the first item of the list is read",
			asked("listProjects", func(q map[string]string) {
				if first, _, several := strings.Cut(q["tags"], ","); several {
					q["tags"] = first
				}
			})),
		paging("state-filter-ignored", tasks, "listTasks ignores state", "the filter is applied after the page is cut, and then dropped", asked("listTasks", without("state"))),
		paging("sort-ignored", projects, "listProjects ignores sort", "the order is that of the index", asked("listProjects", without("sort"))),
		paging("total-of-page", projects, "X-Total-Count of listProjects counts the page alone", "the count is that of the list that was read",
			afterwards("listProjects", func(_ *call, a *answer) { a.header.Set("X-Total-Count", strconv.Itoa(len(a.value.([]any)))) })),
		paging("total-unfiltered", projects, "X-Total-Count of listProjects counts what the filters leave out", "the count has a query of its own, without the filters",
			afterwards("listProjects", func(c *call, a *answer) { a.header.Set("X-Total-Count", strconv.Itoa(len(c.store.projects))) })),
	}
}
