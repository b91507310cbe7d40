package crud

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

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

// oneConnection accepts a connection when the one before is closed.
func oneConnection(ln net.Listener) net.Listener {
	return &single{Listener: ln, free: make(chan struct{}, 1), closed: make(chan struct{})}
}

type single struct {
	net.Listener
	free   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (s *single) Accept() (net.Conn, error) {
	select {
	case s.free <- struct{}{}:
	case <-s.closed:
		return nil, net.ErrClosed
	}
	conn, err := s.Listener.Accept()
	if err != nil {
		<-s.free
		return nil, err
	}
	return &singleConn{Conn: conn, free: s.free}, nil
}

func (s *single) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.Listener.Close()
}

type singleConn struct {
	net.Conn
	free chan struct{}
	once sync.Once
}

func (c *singleConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.free })
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
