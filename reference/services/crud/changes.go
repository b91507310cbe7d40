package crud

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/reference/kit"
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
	v, _ := kit.ReadJSON(c.body)
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
		out.value = kit.Clone(a.value)
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

// The ways in which a store loses or corrupts a member.

func lose(name string) func(map[string]any) { return func(m map[string]any) { delete(m, name) } }

func empty(name string) func(map[string]any) {
	return func(m map[string]any) {
		if m[name] != nil {
			m[name] = []any{}
		}
	}
}

func firstOf(name string, most int) func(map[string]any) {
	return func(m map[string]any) {
		if list, ok := m[name].([]any); ok && len(list) > most {
			m[name] = list[:most]
		}
	}
}

func cut(name string, most int) func(map[string]any) {
	return func(m map[string]any) {
		if text, ok := m[name].(string); ok {
			m[name] = atMost(text, most)
		}
	}
}

// atMost returns the first characters of a text, or all of it if there are no more.
func atMost(text string, most int) string {
	all := []rune(text)
	return string(all[:min(most, len(all))])
}

// shift moves a date by days.
func shift(name string, days int) func(map[string]any) {
	return func(m map[string]any) {
		text, _ := m[name].(string)
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			m[name] = day.AddDate(0, 0, days).Format(time.DateOnly)
		}
	}
}

// drift writes the local time of a place five hours to the east as if it were UTC.
func drift(name string) func(map[string]any) {
	return func(m map[string]any) {
		text, _ := m[name].(string)
		if t, ok := kit.Moment(text); ok {
			m[name] = t.In(time.FixedZone("", 5*3600)).Format("2006-01-02T15:04:05") + "Z"
		}
	}
}

// budget changes the number.
func budget(change func(float64) float64) func(map[string]any) {
	return func(m map[string]any) {
		n, ok := m["budget"].(json.Number)
		if !ok {
			return
		}
		if f, err := n.Float64(); err == nil {
			m["budget"] = json.Number(strconv.FormatFloat(change(f), 'f', -1, 64))
		}
	}
}
