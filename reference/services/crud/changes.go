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

// changed runs before an operation, and what it returns, if anything, when that has succeeded. The
// store is locked both times.
func changed(ops string, before func(c *call) (after func(a *answer))) around {
	return on(ops, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		after := before(c)
		c.store.Unlock()
		a := do(c)
		if after != nil && a.status < 300 {
			c.store.Lock()
			defer c.store.Unlock()
			after(a)
		}
		return a
	})
}

// afterwards changes the store, or the answer, when an operation has succeeded. The
// store is locked.
func afterwards(ops string, change func(c *call, a *answer)) around {
	return changed(ops, func(c *call) func(*answer) { return func(a *answer) { change(c, a) } })
}

// showing lets operations answer from a copy of the store, changed.
func showing(ops string, change func(c *call, s *store)) around {
	return on(ops, func(c *call, do func(*call) *answer) *answer {
		return c.beside(do, func(s *store) { change(c, s) })
	})
}

// recall gives what was kept in the memory. The store must not be locked.
func (c *call) recall(key string) any {
	c.store.Lock()
	defer c.store.Unlock()
	return c.store.memory[key]
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
	return changed(op, func(c *call) func(*answer) {
		p, _ := c.named()
		if p == nil {
			return nil
		}
		was := p.members
		return func(*answer) {
			if p, _ := c.named(); p != nil {
				p.members = store(was, p.members, c.sent())
			}
		}
	})
}

// asBefore stores some members as they were.
func asBefore(names ...string) func(was, is, _ map[string]any) map[string]any {
	return func(was, is, _ map[string]any) map[string]any {
		out := with(is, nil, names...)
		for _, name := range names {
			if was[name] != nil {
				out[name] = was[name]
			}
		}
		return out
	}
}

// withOther stores some members with other values.
func withOther(values map[string]any) func(was, is, _ map[string]any) map[string]any {
	return func(_, is, _ map[string]any) map[string]any { return with(is, values) }
}

// withoutSome does not store some members.
func withoutSome(names ...string) func(was, is, _ map[string]any) map[string]any {
	return func(_, is, _ map[string]any) map[string]any { return with(is, nil, names...) }
}

// misdirected stores the change of a project in the one that was made before it, with
// an answer that shows what should have been stored.
func misdirected(op string) around {
	return changed(op, func(c *call) func(*answer) {
		p, _ := c.named()
		at := slices.Index(c.store.projects, p)
		if at < 1 {
			return nil
		}
		was := p.members
		return func(*answer) {
			if at < len(c.store.projects) && c.store.projects[at] == p {
				c.store.projects[at-1].members, p.members = p.members, was
			}
		}
	})
}

// crashesAfter answers 500 to an operation about a path where another one has succeeded.
func crashesAfter(first, op string) around {
	return both(remembers(first), on(op, func(c *call, do func(*call) *answer) *answer {
		if c.recall(first+" "+c.request.URL.Path) != nil {
			return refusal(http.StatusInternalServerError, "oh no")
		}
		return do(c)
	}))
}

// remembers marks the paths at which an operation succeeded.
func remembers(op string) around {
	return afterwards(op, func(c *call, _ *answer) { c.store.memory[op+" "+c.request.URL.Path] = true })
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
