package crud

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plantstore/reference/kit"
)

// store keeps everything in memory.
type store struct {
	sync.Mutex
	quirks   map[string]bool
	count    int64
	users    []*user
	projects []*project
	files    map[string]*file
	// memory is what faults and variants keep from one request to the next.
	memory map[string]any
}

type user struct {
	id      string
	others  bool // made by the other principal
	members map[string]any
}

type project struct {
	id, version int64
	created     time.Time
	members     map[string]any
	tasks       []*task
	others      bool
}

type task struct {
	id, state string
	created   time.Time
	members   map[string]any
	note      []byte
}

type file struct {
	ext    string
	bytes  []byte
	others bool
}

func newStore() *store { return &store{files: map[string]*file{}, memory: map[string]any{}} }

// next counts what the store has made.
func (s *store) next() int64 {
	s.count++
	return s.count
}

// uuid makes a new id.
func (s *store) uuid() string {
	if s.quirks["sequential-uuids"] {
		return fmt.Sprintf("00000000-0000-4000-8000-%012x", s.next())
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// projectID makes a new id. A random one still fits a double.
func (s *store) projectID() int64 {
	if s.quirks["random-ids"] {
		n, _ := rand.Int(rand.Reader, big.NewInt(1<<53-1))
		return n.Int64() + 1
	}
	if s.quirks["ids-reused"] {
		id := int64(1)
		for _, p := range s.projects {
			id = max(id, p.id+1)
		}
		return id
	}
	return s.next()
}

// project finds a project, nil if there is none.
func (s *store) project(id string) *project {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil
	}
	return first(s.projects, func(p *project) bool { return p.id == n })
}

// user finds a user, nil if there is none. The letters of a UUID have no case.
func (s *store) user(id string) *user {
	return first(s.users, func(u *user) bool { return strings.EqualFold(u.id, id) })
}

// task finds a task of a project, nil if there is none.
func (p *project) task(id string) *task {
	return first(p.tasks, func(t *task) bool { return strings.EqualFold(t.id, id) })
}

// stamp writes a time.
func (s *store) stamp(t time.Time) string {
	if s.quirks["odd-times"] {
		return t.In(time.FixedZone("", 5*3600+1800)).Format("2006-01-02T15:04:05.000000-07:00")
	}
	return t.UTC().Format(time.RFC3339)
}

// first returns the first that is wanted, nil if there is none.
func first[T any](all []*T, wanted func(*T) bool) *T {
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i]
	}
	return nil
}

// filtered returns those that match every filter.
func filtered[T any](all []T, filters []func(T) bool) []T {
	var out []T
	for _, v := range all {
		if !slices.ContainsFunc(filters, func(match func(T) bool) bool { return !match(v) }) {
			out = append(out, v)
		}
	}
	return out
}

// page cuts out a page.
func page[T any](all []T, offset, limit int) []T {
	offset = min(offset, len(all))
	return all[offset:min(offset+limit, len(all))]
}

// with copies members and adds more.
func with(members map[string]any, more map[string]any, without ...string) map[string]any {
	out := map[string]any{}
	for name, v := range members {
		if !slices.Contains(without, name) {
			out[name] = v
		}
	}
	for name, v := range more {
		out[name] = v
	}
	return out
}

// trashed keeps what a DELETE takes away for the named operations, which still find it.
func trashed(deletes, ops string) around {
	return both(binned(deletes), showing(ops, func(c *call, s *store) { s.restore(c.store.bin()) }))
}

// binned keeps what a DELETE takes away.
func binned(deletes string) around {
	return changed(deletes, func(c *call) func(*answer) {
		p, t := c.named()
		if p == nil {
			return nil
		}
		return func(*answer) {
			list, _ := c.store.memory["bin"].([]binnedThing)
			c.store.memory["bin"] = append(slices.Clip(list), binnedThing{p, t, time.Now()})
		}
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
	l, _ := c.recall("life " + id).(*life)
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
		key := "life " + kit.Whole(p.id).String()
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
func (c *call) valid(schema kit.Object) map[string]any {
	out := map[string]any{}
	for name, v := range c.sent() {
		judge, known := schema.Members[name]
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
