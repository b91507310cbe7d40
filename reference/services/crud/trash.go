package crud

import (
	"slices"
	"time"
)

// trashed keeps what a DELETE takes away for the named operations, which still find it.
func trashed(deletes, ops string) around {
	return both(binned(deletes), on(ops, func(c *call, do func(*call) *answer) *answer {
		return c.beside(do, func(s *store) { s.restore(c.store.bin()) })
	}))
}

// binned keeps what a DELETE takes away.
func binned(deletes string) around {
	return on(deletes, func(c *call, do func(*call) *answer) *answer {
		c.store.Lock()
		p, t := c.named()
		c.store.Unlock()
		a := do(c)
		if a.status < 300 && p != nil {
			c.store.Lock()
			defer c.store.Unlock()
			list, _ := c.store.memory["bin"].([]binnedThing)
			c.store.memory["bin"] = append(slices.Clip(list), binnedThing{p, t, time.Now()})
		}
		return a
	})
}

// binnedThing is a deleted project, or a deleted task of one.
type binnedThing struct {
	project *project
	task    *task
	at      time.Time
}

func (s *store) bin() []binnedThing {
	s.Lock()
	defer s.Unlock()
	list, _ := s.memory["bin"].([]binnedThing)
	return list
}

// restore puts deleted things back where they were. The store is a copy.
func (s *store) restore(bin []binnedThing) {
	for _, b := range bin {
		if b.task == nil {
			p := *b.project
			s.projects = append(s.projects, &p)
			continue
		}
		if p := first(s.projects, func(p *project) bool { return p.id == b.project.id }); p != nil {
			p.tasks = append(p.tasks, b.task)
		}
	}
}
