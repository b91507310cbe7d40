package crud

import (
	"net/http"
	"slices"
	"time"
)

// orders are about what members have to do with each other.
func orders() []Variant {
	return []Variant{
		{Name: "dates-in-order", Doc: "lets a project start today, unless it ends sooner or the request has its start, and refuses with 422 what would let it end before it starts: also a patch with an earlier end alone",
			around: on("createProject replaceProject changeProject", func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				var was project
				p, _ := c.named()
				if p != nil {
					was = *p
				}
				c.store.Unlock()
				a := do(c)
				if a.status >= 300 {
					return a
				}
				c.store.Lock()
				defer c.store.Unlock()
				is := c.madeProject(a)
				starts, _ := is.members["starts"].(string)
				ends, _ := is.members["ends"].(string)
				today := time.Now().UTC().Format(time.DateOnly)
				if starts == "" && (ends == "" || today < ends) {
					is.members = with(is.members, map[string]any{"starts": today})
					a.value = is.shown(c.store)
				}
				if starts == "" || ends == "" || starts < ends {
					return a
				}
				if p == nil {
					c.store.projects = slices.DeleteFunc(c.store.projects, func(q *project) bool { return q == is })
				} else {
					*is = was
				}
				return refusal(http.StatusUnprocessableEntity, "it would end before it starts")
			})},
	}
}
