package crud

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
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
