package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// shelves is a small service whose operations need each other. It knows one report,
// annual, and one branch, north.
type shelves struct {
	mu    sync.Mutex
	next  int
	wrong bool
	kept  map[string]bool // "1" for a shelf, "1/2" for a book on it
}

// shelf starts the service, writes its document shelves.yaml and sets URL: shelf, or
// shelf wrong for one that answers with a branch without id.
func shelf(ts *testscript.TestScript, _ bool, args []string) {
	s := httptest.NewServer((&shelves{kept: map[string]bool{"0": true}, wrong: len(args) > 0}).handler())
	ts.Defer(s.Close)
	ts.Setenv("URL", s.URL)
	document, err := os.ReadFile("testdata/shelves.yaml")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("shelves.yaml"), document, 0o600))
}

// kept wants a number of things in the service, or another: kept NUMBER, ! kept NUMBER.
func kept(ts *testscript.TestScript, neg bool, args []string) {
	r, err := http.Get(ts.Getenv("URL") + "/kept")
	ts.Check(err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	ts.Check(err)
	if (string(text) == args[0]) == neg {
		ts.Fatalf("the service keeps %s things, want %s: %v", text, args[0], !neg)
	}
}

func (s *shelves) handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, status int, does func(r *http.Request) (body string, found bool)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			body, found := does(r)
			s.mu.Unlock()
			switch {
			case !found:
				w.WriteHeader(http.StatusNotFound)
			case body == "":
				w.WriteHeader(status)
			default:
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
			}
		})
	}
	id := func(r *http.Request) string { return r.PathValue("id") }
	book := func(r *http.Request) string { return id(r) + "/" + r.PathValue("book") }
	add := func(above string) string {
		s.next++
		s.kept[above+fmt.Sprint(s.next)] = true
		return fmt.Sprintf(`{"id":"%d"}`, s.next)
	}
	take := func(name string) (string, bool) {
		found := s.kept[name]
		delete(s.kept, name)
		return "", found
	}
	show := func(name string) (string, bool) { return `{"id":"1"}`, s.kept[name] }
	handle("POST /shelves", 201, func(*http.Request) (string, bool) { return add(""), true })
	handle("GET /shelves/{id}", 200, func(r *http.Request) (string, bool) { return show(id(r)) })
	handle("DELETE /shelves/{id}", 204, func(r *http.Request) (string, bool) { return take(id(r)) })
	handle("POST /shelves/{id}/books", 201, func(r *http.Request) (string, bool) {
		if !s.kept[id(r)] {
			return "", false
		}
		return add(id(r) + "/"), true
	})
	handle("GET /shelves/{id}/books/{book}", 200, func(r *http.Request) (string, bool) { return show(book(r)) })
	handle("DELETE /shelves/{id}/books/{book}", 204, func(r *http.Request) (string, bool) { return take(book(r)) })
	handle("GET /reports/{id}", 200, func(r *http.Request) (string, bool) { return `{"id":"annual"}`, id(r) == "annual" })
	handle("GET /branch", 200, func(r *http.Request) (string, bool) {
		if s.wrong {
			return `{}`, true
		}
		return `{"id":"north"}`, r.URL.Query().Get("name") == "north"
	})
	mux.HandleFunc("GET /kept", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = fmt.Fprint(w, len(s.kept))
	})
	return mux
}
