// Package crud is a small but real service for the OpenAPI document openapi.yaml
// beside it: users, projects with tasks, notes, files. It keeps that document
// exactly. A [Fault] breaks one clause of it in a single exchange, or in several
// that belong together; a [Variant] keeps it in an unusual way. The suite is tested against all of them.
//
// The code follows the document by hand and shares nothing with the suite, so that no
// mistake of the suite can hide here.
//
// Serve it by hand, as it is, with a fault, or as a variant:
//
//	go run ./reference/services/crud/serve --addr 127.0.0.1:0 [--fault NAME] [--variant NAME]
package crud

import (
	_ "embed"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

//go:embed openapi.yaml
var document []byte

// Document returns the OpenAPI document of the service.
func Document() []byte { return append([]byte(nil), document...) }

//go:embed requirements.yaml
var requirements []byte

// Requirements returns the requirements file that goes with the document.
func Requirements() []byte { return append([]byte(nil), requirements...) }

// Credentials are what the service accepts: the bearer token, the key in the
// header X-Desk-Key and the key in the query parameter api_key.
type Credentials struct{ Bearer, DeskKey, QueryKey string }

// DefaultCredentials returns what every service accepts.
func DefaultCredentials() Credentials {
	return Credentials{Bearer: "Crud-Bearer-0123456789aBcDeF", DeskKey: "Crud-Desk-0123456789aBcDeF", QueryKey: "Crud-Query-0123456789aBcDeF"}
}

// Option changes the service.
type Option func(*server)

// WithFault breaks one clause of the document.
func WithFault(f Fault) Option {
	return func(s *server) {
		s.skips[f.skips] = true
		s.quirks[f.Name] = true
		s.principals = s.principals || f.Principals
		s.alters = append(s.alters, f.alter)
		s.arounds = append(s.arounds, f.around)
	}
}

// WithVariant keeps the document in an unusual way.
func WithVariant(v Variant) Option {
	return func(s *server) {
		s.quirks[v.Name] = true
		s.principals = s.principals || v.Principals
		s.alters = append(s.alters, v.alter)
		s.finishes = append(s.finishes, v.finish)
		s.arounds = append(s.arounds, v.around)
		s.listen = v.listen
	}
}

// server is the service. Its quirks are the names of the fault and the variant
// that it has; its skips are checks that it leaves out, each written as
// operation/place/keyword.
type server struct {
	accepted Credentials
	skips    map[string]bool
	quirks   map[string]bool
	// principals reports whether there are two.
	principals bool
	// alters change an answer, finishes do so when its content is bytes.
	alters, finishes []func(*call, *answer)
	// arounds stand around each operation.
	arounds []around
	// listen, if set, changes how connections are accepted.
	listen func(net.Listener) net.Listener
	routes []operation
	store  *store
}

// newServer makes a service without data.
func newServer(opts []Option) *server {
	s := &server{accepted: DefaultCredentials(), skips: map[string]bool{}, quirks: map[string]bool{}, routes: operations(), store: newStore()}
	for _, o := range opts {
		o(s)
	}
	s.store.quirks = s.quirks
	return s
}

// has reports whether the service has a fault or a variant.
func (s *server) Has(name string) bool { return s.quirks[name] }

// ServeHTTP authenticates a request, lets its operation answer, and writes the
// answer.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{server: s, request: r}
	c.write(w, c.answer())
}

// answer makes the answer to a request.
func (c *call) answer() *answer {
	op, path, methods := c.match()
	switch {
	case methods != nil:
		a := refusal(http.StatusMethodNotAllowed, "the path has no such method")
		a.header["Allow"] = methods
		return a
	case op == nil:
		return refusal(http.StatusNotFound, "there is no such path")
	}
	c.op, c.path = op, path
	if !c.authenticated() {
		return c.unauthorized()
	}
	c.readQuery()
	if op.media != "" {
		c.readBody()
	}
	return c.do()
}

// WiderDocument returns the document with more answers, for conforming services that work
// differently: a creation may be answered with 202, a request about what belongs to somebody
// else with 403, and PUT leaves what it does not name.
func WiderDocument() []byte {
	text := string(document)
	for _, op := range []string{"createUser", "createProject", "createTask"} {
		before, behind, _ := strings.Cut(text, "operationId: "+op+"\n")
		behind = strings.Replace(behind, "        '201':\n", "        '201': &"+op+"Made\n", 1)
		behind = strings.Replace(behind, "        '400':", "        '202': *"+op+"Made\n        '400':", 1)
		text = before + "operationId: " + op + "\n" + behind
	}
	text = strings.Replace(text, "    put:\n      operationId: replaceProject\n", "    put:\n      operationId: replaceProject\n      summary: Members that the body leaves out stay as they were.\n", 1)
	const none, noProject = "        '404': {$ref: '#/components/responses/NotFound'}\n", "        '404': {description: there is no such project}\n"
	text = strings.ReplaceAll(text, none, "        '403': {$ref: '#/components/responses/Forbidden'}\n"+none)
	text = strings.Replace(text, noProject, "        '403': {description: the project is somebody else's}\n"+noProject, 1)
	text = strings.Replace(text, "    NotFound:\n", "    Forbidden:\n      description: it belongs to somebody else\n      content: *problem\n    NotFound:\n", 1)
	return []byte(text)
}

// Running is a service that listens.
type Running struct {
	// URL is where, such as http://127.0.0.1:40001.
	URL    string
	server *http.Server
	ended  chan struct{}
}

// Start serves on an address; 127.0.0.1:0 picks a free port.
func Start(addr string, opts ...Option) (*Running, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := newServer(opts)
	r := &Running{URL: "http://" + ln.Addr().String(), ended: make(chan struct{}),
		server: &http.Server{Handler: s, DisableGeneralOptionsHandler: true, ReadHeaderTimeout: 10 * time.Second,
			ErrorLog: log.New(io.Discard, "", 0)}}
	if s.listen != nil {
		ln = s.listen(ln)
		r.server.IdleTimeout = 100 * time.Millisecond // others wait for the connection
	}
	go func() {
		defer close(r.ended)
		_ = r.server.Serve(ln) // only Close ends it
	}()
	return r, nil
}

// Close stops the service at once.
func (r *Running) Close() error {
	err := r.server.Close()
	<-r.ended
	return err
}

// State lists what the service stores, each thing as a line.
func (r *Running) State() []string {
	s := r.server.Handler.(*server).store
	s.Lock()
	defer s.Unlock()
	var out []string
	for _, u := range s.users {
		out = append(out, fmt.Sprint("user ", u.id, u.others, u.members))
	}
	for _, p := range s.projects {
		out = append(out, fmt.Sprint("project ", p.id, p.version, p.others, p.members))
		for _, t := range p.tasks {
			out = append(out, fmt.Sprintf("task %s of %d: %s %v %q", t.id, p.id, t.state, t.members, t.note))
		}
	}
	for name, f := range s.files {
		out = append(out, fmt.Sprintf("file %s: %s %q", name, f.ext, f.bytes))
	}
	slices.Sort(out)
	return out
}
