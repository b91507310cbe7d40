package crud

import (
	"net/http"
	"slices"
)

// instead changes what a change of a project stores. The function gets the members
// before the change, those after it, and those of the request, and returns what is
// stored. The answer shows what should have been stored.
func instead(op string, store func(was, is, sent map[string]any) map[string]any) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		var was map[string]any
		if p, _ := c.named(); p != nil {
			was = p.members
		}
		c.store.Unlock()
		a := do(c)
		if a.status >= 300 || was == nil {
			return a
		}
		c.store.Lock()
		defer c.store.Unlock()
		if p, _ := c.named(); p != nil {
			p.members = store(was, p.members, c.sent())
		}
		return a
	})
}

// misdirected stores the change of a project in the one that was made before it, with
// an answer that shows what should have been stored.
func misdirected(op string) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		p, _ := c.named()
		at := slices.Index(c.store.projects, p)
		var was map[string]any
		if p != nil {
			was = p.members
		}
		c.store.Unlock()
		a := do(c)
		if a.status < 300 && at > 0 {
			c.store.Lock()
			defer c.store.Unlock()
			if at < len(c.store.projects) && c.store.projects[at] == p {
				c.store.projects[at-1].members, p.members = p.members, was
			}
		}
		return a
	})
}

// crashesWhen answers 500 where an operation finds a mark in the memory of its path.
func crashesWhen(op string, again func(memory map[string]any, path string) bool) around {
	return on(op, func(c *call, do func(*call) *answer) *answer {
		path := c.request.URL.Path
		c.store.Lock()
		crash := again(c.store.memory, path)
		c.store.Unlock()
		if crash {
			return refusal(http.StatusInternalServerError, "oh no")
		}
		return do(c)
	})
}

// remembers marks the paths at which operations succeeded.
func remembers(ops, mark string) around {
	return afterwards(ops, func(c *call, _ *answer) { c.store.memory[mark+c.request.URL.Path] = true })
}

func marked(mark string) func(map[string]any, string) bool {
	return func(memory map[string]any, path string) bool { return memory[mark+path] != nil }
}
