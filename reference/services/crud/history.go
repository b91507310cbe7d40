package crud

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// around stands around an operation: it may change what the store has before and
// after it, and the answer.
type around func(c *call, do func(*call) *answer) *answer

// do lets the operation answer, inside of what stands around it.
func (c *call) do() *answer {
	do := c.op.do
	for _, a := range c.arounds {
		if inner := do; a != nil {
			do = func(c *call) *answer { return a(c, inner) }
		}
	}
	return do(c)
}

// on stands around the named operations alone.
func on(ops string, a around) around {
	names := strings.Fields(ops)
	return func(c *call, do func(*call) *answer) *answer {
		if !slices.Contains(names, c.op.name) {
			return do(c)
		}
		return a(c, do)
	}
}

// both stands around operations in two ways.
func both(a, b around) around {
	return func(c *call, do func(*call) *answer) *answer {
		return a(c, func(c *call) *answer { return b(c, do) })
	}
}

// afterwards changes the store, or the answer, when an operation has succeeded. The
// store is locked.
func afterwards(ops string, change func(c *call, a *answer)) around {
	return on(ops, func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		if a.status < 300 {
			c.store.Lock()
			defer c.store.Unlock()
			change(c, a)
		}
		return a
	})
}

// madeUser, madeProject and madeTask find what an answer says was made.
func (c *call) madeUser(a *answer) *user {
	id, _ := a.value.(map[string]any)["id"].(string)
	return c.store.user(id)
}

func (c *call) madeProject(a *answer) *project {
	id, _ := a.value.(map[string]any)["id"].(json.Number)
	return c.store.project(id.String())
}

func (c *call) madeTask(a *answer) (*project, *task) {
	place := a.header.Get("Location")
	p := c.store.project(c.path["projectId"])
	if p == nil {
		return nil, nil
	}
	return p, p.task(place[strings.LastIndex(place, "/")+1:])
}

// named finds the project and the task that the path names. They may be nil.
func (c *call) named() (*project, *task) {
	p := c.store.project(c.path["projectId"])
	if p == nil {
		return nil, nil
	}
	return p, p.task(c.path["taskId"])
}

// sent is the body of a request that was accepted.
func (c *call) sent() map[string]any {
	v, _ := readJSON(c.body)
	m, _ := v.(map[string]any)
	return m
}

// beside lets an operation answer from a copy of the store, changed. What the store
// has stays shared; the lists of projects, tasks, users and files are copies.
func (c *call) beside(do func(*call) *answer, change func(*store)) *answer {
	usual := c.server
	s := *usual
	s.store = usual.store.copied()
	change(s.store)
	c.server = &s
	defer func() { c.server = usual }()
	return do(c)
}

func (s *store) copied() *store {
	s.Lock()
	defer s.Unlock()
	out := newStore()
	out.quirks, out.count, out.users = s.quirks, s.count, slices.Clone(s.users)
	for _, p := range s.projects {
		q := *p
		q.tasks = slices.Clone(p.tasks)
		out.projects = append(out.projects, &q)
	}
	for name, f := range s.files {
		out.files[name] = f
	}
	return out
}

// copied is an answer that nobody changes any more.
func (a *answer) copied() *answer {
	out := *a
	out.header = a.header.Clone()
	if a.value != nil {
		out.value = clone(a.value)
	}
	return &out
}

// cached answers a reading operation with its first answer for each path, until one of
// the other operations succeeds there.
func cached(read, clears string) around {
	place := func(c *call) string { return "cached " + c.path["projectId"] + "/" + c.path["taskId"] }
	return both(afterwards(clears, func(c *call, _ *answer) { delete(c.store.memory, place(c)) }),
		on(read, func(c *call, do func(*call) *answer) *answer {
			a := do(c)
			if a.status != http.StatusOK && a.status != http.StatusNotFound {
				return a
			}
			c.store.Lock()
			defer c.store.Unlock()
			if old, _ := c.store.memory[place(c)].(*answer); old != nil {
				return old.copied()
			}
			if a.status == http.StatusOK {
				c.store.memory[place(c)] = a.copied()
			}
			return a
		}))
}

// history is a fault that several exchanges show together.
func history(name, clause, requirement, breaks, doc string, a around) Fault {
	return Fault{Name: name, Clause: clause, Breaks: breaks, Doc: doc, Requirements: strings.Fields(requirement), around: a}
}

// Where the operations that read one thing stand in the document, and how the names of
// their requirements begin.
const (
	userAt    = "/paths/~1users~1{userId}/get"
	projectAt = "/paths/~1projects~1{projectId}"
	taskAt    = projectAt + "~1tasks~1{taskId}"
	fileAt    = "/paths/~1files~1{name}.{ext}/get"

	aboutUser    = "get-users-userid-"
	aboutProject = "get-projects-projectid-"
	aboutTask    = "get-projects-projectid-tasks-taskid-"
	aboutTasks   = "get-projects-projectid-tasks-"
)
