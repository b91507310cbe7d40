package crud

import (
	"net/http"
	"slices"
	"strings"
)

// life is what happened to a project: each operation that succeeded, what was stored after
// it, and what the request had.
type life struct {
	made   *project
	ops    []string
	stored []map[string]any
	sent   []map[string]any
}

// lifeOf returns the life of a project, or nil. The store must not be locked.
func (c *call) lifeOf(id string) *life {
	c.store.Lock()
	defer c.store.Unlock()
	l, _ := c.store.memory["life "+id].(*life)
	return l
}

// lives records the life of each project.
func lives() around {
	return afterwards("createProject getProject replaceProject changeProject", func(c *call, a *answer) {
		p, _ := c.named()
		if c.op.name == "createProject" {
			p = c.madeProject(a)
		}
		if p == nil {
			return
		}
		key := "life " + whole(p.id).String()
		l, _ := c.store.memory[key].(*life)
		if l == nil {
			l = &life{made: p}
		}
		c.store.memory[key] = &life{p, append(slices.Clip(l.ops), c.op.name), append(slices.Clip(l.stored), p.members), append(slices.Clip(l.sent), c.sent())}
	})
}

// times counts an operation.
func (l *life) times(op string) int {
	n := 0
	for _, each := range l.ops {
		if each == op {
			n++
		}
	}
	return n
}

// last returns the place of an operation that happened last, or -1.
func (l *life) last(op string) int {
	for i := len(l.ops) - 1; i >= 0; i-- {
		if l.ops[i] == op {
			return i
		}
	}
	return -1
}

// next returns the first place of an operation behind another place, or -1. Behind what did
// not happen is nothing but the whole life.
func (l *life) next(op string, behind int) int {
	for i := behind + 1; i < len(l.ops); i++ {
		if l.ops[i] == op {
			return i
		}
	}
	return -1
}

// now is what was stored last.
func (l *life) now() map[string]any { return l.stored[len(l.stored)-1] }

// project is the project as it was stored last.
func (l *life) project() *project {
	p := *l.made
	p.members = l.now()
	return &p
}

// lived changes what a change of a project stores by what happened to it before.
func lived(op string, store func(l *life, is, sent map[string]any) map[string]any) around {
	return both(lives(), on(op, func(c *call, do func(*call) *answer) *answer {
		l := c.lifeOf(c.path["projectId"])
		return instead(op, func(_, is, sent map[string]any) map[string]any {
			if l == nil {
				return is
			}
			return store(l, is, sent)
		})(c, do)
	}))
}

// shownOf answers getProject with other members; nil leaves them.
func shownOf(members func(l *life) map[string]any) around {
	return both(lives(), on("getProject", func(c *call, do func(*call) *answer) *answer {
		l := c.lifeOf(c.path["projectId"])
		if l == nil || members(l) == nil {
			return do(c)
		}
		return c.beside(do, func(s *store) {
			if p := s.project(c.path["projectId"]); p != nil {
				p.members = members(l)
			}
		})
	}))
}

// refusing changes a project when an operation refuses an invalid request about it.
func refusing(op string, change func(c *call, p *project)) around {
	return both(lives(), on(op, func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		c.store.Lock()
		p, _ := c.named()
		c.store.Unlock()
		if p != nil && (a.status == http.StatusBadRequest || a.status == http.StatusUnprocessableEntity) {
			change(c, p)
		}
		return a
	}))
}

// valid returns the members of a request that the schema allows.
func (c *call) valid(schema object) map[string]any {
	out := map[string]any{}
	for name, v := range c.sent() {
		judge, known := schema.members[name]
		if !known || v == nil || strings.Contains("id createdAt", name) {
			continue
		}
		alone := &call{server: c.server, op: c.op}
		if judge(alone, name, v); len(alone.problems) == 0 {
			out[name] = v
		}
	}
	return out
}
