package crud

import (
	"net/http"
	"slices"
	"time"

	"plantstore/reference/kit"
)

// delays are about services of several machines or with caches, where a change shows a
// moment later. Each request that changes something works at once.
func delays() []Variant {
	const moment, longer = 100 * time.Millisecond, 300 * time.Millisecond
	return []Variant{
		{Name: "late-reads", Doc: "finds a new thing 100 ms after it was made",
			around: both(madeAt, lateReads(moment))},
		{Name: "later-reads", Doc: "finds a new thing 300 ms after it was made",
			around: both(madeAt, lateReads(longer))},
		{Name: "late-lists", Doc: "lists show what was made or deleted 300 ms later",
			around: both(both(madeAt, binned("deleteProject deleteTask")), showing("listUsers listProjects listTasks", func(c *call, s *store) {
				c.store.Lock()
				recent := func(id string) bool {
					at, _ := c.store.memory["made "+id].(time.Time)
					return time.Since(at) < longer
				}
				s.users = slices.DeleteFunc(s.users, func(u *user) bool { return recent(u.id) })
				if c.op.name == "listProjects" {
					s.projects = slices.DeleteFunc(s.projects, func(p *project) bool { return recent(kit.Whole(p.id).String()) })
				}
				for _, p := range s.projects {
					p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return recent(t.id) })
				}
				c.store.Unlock()
				s.restore(lately(c.store.bin(), longer))
			}))},
		{Name: "late-deletes", Doc: "still finds a deleted thing for 100 ms",
			around: both(binned("deleteProject deleteTask"), showing("getProject headProject getTask", func(c *call, s *store) { s.restore(lately(c.store.bin(), moment)) }))},
		{Name: "late-changes", Doc: "gives a project as it was before for 100 ms after a change",
			around: lateChanges(moment, "getProject headProject")},
		{Name: "late-gets", Doc: "gives a project as it was before to GET, and not to HEAD, for 100 ms after a change",
			around: lateChanges(moment, "getProject")},
		{Name: "cached-with-age", Doc: "answers from a cache that says how old it is, and is never older than it says it may be (RFC 9111, 4.2 and 5.1)",
			around: both(lateChanges(longer, "getProject"), on("getProject", func(c *call, do func(*call) *answer) *answer {
				a := do(c)
				if a.status == http.StatusOK {
					a.header.Set("Cache-Control", "max-age=1")
					a.header.Set("Age", "0")
				}
				return a
			}))},
	}
}

// madeAt remembers when things were made.
func madeAt(c *call, do func(*call) *answer) *answer {
	return afterwards("createUser createProject createTask", func(c *call, a *answer) {
		id := ""
		switch c.op.name {
		case "createUser":
			id = c.madeUser(a).id
		case "createProject":
			id = kit.Whole(c.madeProject(a).id).String()
		default:
			if _, t := c.madeTask(a); t != nil {
				id = t.id
			}
		}
		c.store.memory["made "+id] = time.Now()
	})(c, do)
}

// lateReads finds nothing until a time after it was made.
func lateReads(wait time.Duration) around {
	return on("getUser getProject headProject getTask", func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		id := c.path["projectId"]
		switch c.op.name {
		case "getUser":
			id = c.path["userId"]
		case "getTask":
			id = c.path["taskId"]
		}
		at, _ := c.recall("made " + id).(time.Time)
		if a.status == http.StatusOK && time.Since(at) < wait {
			return refusal(http.StatusNotFound, "there is no such thing yet")
		}
		return a
	})
}

// lately keeps what was deleted a moment ago.
func lately(bin []binnedThing, wait time.Duration) []binnedThing {
	return slices.DeleteFunc(slices.Clone(bin), func(b binnedThing) bool { return time.Since(b.at) >= wait })
}

// oldVersion is what a project was before it was changed.
type oldVersion struct {
	members map[string]any
	version int64
	until   time.Time
}

// lateChanges reads a project as it was before its last change, for a while.
func lateChanges(wait time.Duration, reads string) around {
	return both(changed("replaceProject changeProject", func(c *call) func(*answer) {
		p, _ := c.named()
		if p == nil {
			return nil
		}
		old := oldVersion{p.members, p.version, time.Now().Add(wait)}
		return func(*answer) { c.store.memory["old "+c.path["projectId"]] = old }
	}), showing(reads, func(c *call, s *store) {
		c.store.Lock()
		defer c.store.Unlock()
		old, there := c.store.memory["old "+c.path["projectId"]].(oldVersion)
		if p := s.project(c.path["projectId"]); p != nil && there && time.Now().Before(old.until) {
			p.members, p.version = old.members, old.version
		}
	}))
}

// accepting is about services that accept first and work afterwards: a creation is
// answered with 202.
func accepting() []Variant {
	const moment = 100 * time.Millisecond
	accepted := on("createUser createProject createTask", func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		if a.status == http.StatusCreated {
			a.status = http.StatusAccepted
		}
		return a
	})
	return []Variant{
		{Name: "created-later", Doc: "answers a creation with 202, as documented, and reads what it made 100 ms later", Wider: true,
			around: both(accepted, both(madeAt, lateReads(moment)))},
	}
}

// limits are about services that limit how many requests they serve.
func limits() []Variant {
	limited := func(wait string) *answer {
		a := refusal(http.StatusTooManyRequests, "too many requests")
		a.header.Set("Retry-After", wait)
		return a
	}
	return []Variant{
		{Name: "limited-at-times", Doc: "answers 429 with Retry-After to one request in ten, and serves the next (RFC 6585, 4)",
			around: func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				n, _ := c.store.memory["requests"].(int)
				c.store.memory["requests"] = n + 1
				c.store.Unlock()
				if n%10 == 9 {
					return limited("0")
				}
				return do(c)
			}},
		{Name: "limited-by-second", Doc: "answers 429 with Retry-After to what comes above 1,000 requests in a second",
			around: func(c *call, do func(*call) *answer) *answer {
				now := time.Now().Unix()
				c.store.Lock()
				if second, _ := c.store.memory["second"].(int64); second != now {
					c.store.memory["second"], c.store.memory["served"] = now, 0
				}
				n, _ := c.store.memory["served"].(int)
				c.store.memory["served"] = n + 1
				c.store.Unlock()
				if n >= 1000 {
					return limited("1")
				}
				return do(c)
			}},
	}
}
