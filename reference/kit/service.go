package kit

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// Stateful is a service that shows what it stores, so that a test can compare it.
type Stateful interface {
	http.Handler
	// State lists the things that a user would miss, each as a line. No request may be under way.
	State() []string
}

// Operation answers a request with a status and a body. Without a body, the complaint of the check
// is the reason for a refusal.
type Operation func(c *Check, r *http.Request) (status int, body any)

// Service serves operations, one at a time.
type Service struct {
	http.ServeMux
	sync.Mutex
	wrong string
	lists []func() []map[string]any
}

// New makes a service without operations. What is named wrong, if anything, is done wrong.
func New(wrong string) *Service { return &Service{wrong: wrong} }

// On adds an operation.
func (s *Service) On(pattern string, serve Operation) {
	s.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		defer s.Unlock()
		c := &Check{Wrong: s.wrong}
		status, body := serve(c, r)
		switch {
		case c.Complaint != "":
			Answer(w, max(status, http.StatusBadRequest), map[string]string{"why": c.Complaint})
		case status/100 != 2:
			Answer(w, status, map[string]string{"why": http.StatusText(status)})
		case body == nil:
			w.WriteHeader(status)
		default:
			Answer(w, status, body)
		}
	})
}

// Keeping is the service, with the lists that it stores.
func (s *Service) Keeping(lists ...func() []map[string]any) *Service {
	s.lists = append(s.lists, lists...)
	return s
}

// State implements [Stateful].
func (s *Service) State() []string {
	var out []string
	for i, list := range s.lists {
		for _, res := range list() {
			b, _ := json.Marshal(res, json.Deterministic(true)) // it was an answer before
			out = append(out, fmt.Sprintf("%d %s", i, b))
		}
	}
	slices.Sort(out)
	return out
}

// Under lists the things of a map.
func Under[K comparable](things map[K]map[string]any) func() []map[string]any {
	return func() []map[string]any { return slices.Collect(maps.Values(things)) }
}

// Answer writes JSON.
func Answer(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // who does not listen any more needs no answer
}

// Store keeps the things of a service under numbers from 1. A thing that was dropped leaves nil.
type Store struct {
	// Before is added to each number; see [Far].
	Before int
	Things []map[string]any
}

// Far returns a store with ids that no case guesses: which thing a guess finds would depend on
// the order of the cases.
func Far() Store { return Store{Before: 4_718_281} }

// Add stores a thing and gives it its id.
func (k *Store) Add(thing map[string]any) map[string]any {
	thing["id"] = k.Before + len(k.Things) + 1
	k.Things = append(k.Things, thing)
	return thing
}

// Made answers a request that makes a thing: it is stored, unless the check has a complaint.
func (k *Store) Made(c *Check, thing map[string]any) (int, any) {
	if c.Complaint != "" {
		return http.StatusBadRequest, nil
	}
	return http.StatusCreated, k.Add(thing)
}

// Find returns the thing with the id that a text spells, or nil.
func (k *Store) Find(id string) map[string]any {
	n, err := strconv.Atoi(id)
	if err != nil || n <= k.Before || n > k.Before+len(k.Things) || strconv.Itoa(n) != id {
		return nil
	}
	return k.Things[n-k.Before-1]
}

// Drop takes a thing away.
func (k *Store) Drop(thing map[string]any) { k.Things[thing["id"].(int)-k.Before-1] = nil }

// About is an operation about the thing that a parameter of the path names.
func (k *Store) About(parameter string, serve func(c *Check, r *http.Request, thing map[string]any) (int, any)) Operation {
	return About(parameter, k.Find, serve)
}

// Read is the operation that reads the thing which a parameter of the path names.
func (k *Store) Read(parameter string) Operation { return k.About(parameter, Shown) }

// About is an operation about the thing that a parameter of the path names. What is not found is
// answered with 404.
func About(parameter string, find func(key string) map[string]any, serve func(c *Check, r *http.Request, thing map[string]any) (int, any)) Operation {
	return func(c *Check, r *http.Request) (int, any) {
		if found := find(r.PathValue(parameter)); found != nil {
			return serve(c, r, found)
		}
		return http.StatusNotFound, nil
	}
}

// Shown answers with a thing as it is.
func Shown(_ *Check, _ *http.Request, thing map[string]any) (int, any) { return http.StatusOK, thing }

// Shown lists copies of the things that are there. The function, if any, adds what is kept beside
// a thing, and reports whether it is there.
func (k *Store) Shown(there func(of map[string]any) bool) func() []map[string]any {
	return func() []map[string]any {
		var out []map[string]any
		for _, thing := range k.Things {
			of := maps.Clone(thing)
			if of != nil && (there == nil || there(of)) {
				out = append(out, of)
			}
		}
		return out
	}
}

// LimitConnections makes a listener accept only so many connections at once.
func LimitConnections(ln net.Listener, limit int) net.Listener {
	return &limitedListener{Listener: ln, free: make(chan struct{}, limit), closed: make(chan struct{})}
}

type limitedListener struct {
	net.Listener
	free   chan struct{}
	once   sync.Once
	closed chan struct{}
}

// Accept implements [net.Listener].
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &limitedConn{Conn: conn, release: sync.OnceFunc(func() { <-l.free })}, nil
}

// Close implements [net.Listener].
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn gives its place back when it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// Close implements [net.Conn].
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// CloseWrite lets net/http end its half first where it refused a request
// unread, so that the answer is not lost to a reset.
func (c *limitedConn) CloseWrite() error { return CloseWrite(c.Conn) }

// CloseWrite ends the half of a connection that this side writes.
func CloseWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// First gives the first entry of a catalogue that is wanted.
func First[T any](list []T, wanted func(T) bool) (entry T, found bool) {
	if i := slices.IndexFunc(list, wanted); i >= 0 {
		return list[i], true
	}
	return entry, false
}

// Slug is the form of the name of a fault, a variant or a requirement.
var Slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxName keeps the column of names narrow.
const maxName = 40

// Validate checks that every entry of a catalogue is complete and none stands twice. What else is
// wrong with an entry is its flaw.
func Validate[T any](kind string, list []T, about func(T) (name, doc, flaw string)) error {
	var errs []error
	names, docs := map[string]bool{}, map[string]bool{}
	for _, entry := range list {
		name, doc, flaw := about(entry)
		switch {
		case !Slug.MatchString(name) || len(name) > maxName:
			errs = append(errs, fmt.Errorf("%s %q: the name must be a slug of at most %d characters", kind, name, maxName))
		case names[name]:
			errs = append(errs, fmt.Errorf("%s %q stands twice", kind, name))
		case doc == "" || docs[doc] || strings.ContainsAny(doc, "\n\t"):
			errs = append(errs, fmt.Errorf("%s %q needs one line of its own that says what it does", kind, name))
		case flaw != "":
			errs = append(errs, fmt.Errorf("%s %q%s", kind, name, flaw))
		}
		names[name], docs[doc] = true, true
	}
	return errors.Join(errs...)
}
