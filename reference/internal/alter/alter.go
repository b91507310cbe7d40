// Package alter holds the small changes that the catalogues of faults and
// variants are made of: each changes one stage of the reference server and
// leaves the others alone.
package alter

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/reference"
)

// Change alters one server that is being made. State that it needs is created
// inside it, so two servers never share any.
type Change = func(*reference.Stages)

// Server makes a server with a change, behind those that the configuration has.
func Server(cfg reference.Config, change Change) *reference.Server {
	before := cfg.Alter
	cfg.Alter = func(s *reference.Stages) {
		if before != nil {
			before(s)
		}
		change(s)
	}
	return reference.New(cfg)
}

// All makes several changes in order.
func All(changes ...Change) Change {
	return func(s *reference.Stages) {
		for _, c := range changes {
			c(s)
		}
	}
}

// Instead is an error that a stage returns to have this very response sent.
type Instead reference.Response

// Error implements error.
func (i *Instead) Error() string { return "answered with " + http.StatusText(i.Status) }

// Page is the kind of answer that a framework gives by itself.
func Page(status int) *Instead {
	text := "<html><body><h1>" + http.StatusText(status) + "</h1></body></html>\n"
	return &Instead{Status: status, Type: "text/html; charset=utf-8", Body: []byte(text)}
}

// Crash is the page of an error that nobody caught.
func Crash() error { return Page(http.StatusInternalServerError) }

// Drop closes the connection without an answer.
func Drop() error { panic(http.ErrAbortHandler) }

// instead lets stages return [Instead].
func instead(s *reference.Stages) {
	refuse := s.Refuse
	s.Refuse = func(err error) reference.Response {
		var i *Instead
		if errors.As(err, &i) {
			return reference.Response(*i)
		}
		return refuse(err)
	}
}

// Bad is a refusal of a request that the contract calls valid.
func Bad(at, reason string) error {
	return &reference.Refusal{Kind: reference.Type, At: at, Reason: reason}
}

// Body changes the request body before it is decoded.
func Body(f func([]byte) []byte) Change {
	return Decode(func(next func([]byte) (reference.Plant, error), body []byte) (reference.Plant, error) {
		return next(f(body))
	})
}

// Decode goes around the decoding.
func Decode(f func(next func([]byte) (reference.Plant, error), body []byte) (reference.Plant, error)) Change {
	return func(s *reference.Stages) {
		instead(s)
		next := s.Decode
		s.Decode = func(body []byte) (reference.Plant, error) { return f(next, body) }
	}
}

// Decoded looks at a valid plant and may refuse it.
func Decoded(f func(reference.Plant) error) Change {
	return Decode(func(next func([]byte) (reference.Plant, error), body []byte) (reference.Plant, error) {
		p, err := next(body)
		if err == nil {
			err = f(p)
		}
		return p, err
	})
}

// Looked looks at the body of every request before it is decoded, and may
// refuse it.
func Looked(f func(body []byte) error) Change {
	return Decode(func(next func([]byte) (reference.Plant, error), body []byte) (reference.Plant, error) {
		if err := f(body); err != nil {
			return reference.Plant{}, err
		}
		return next(body)
	})
}

// Undecoded looks at a body that was refused, and may accept it by returning a
// plant, or refuse it otherwise.
func Undecoded(f func(body []byte, why *reference.Refusal) (reference.Plant, error)) Change {
	return Decode(func(next func([]byte) (reference.Plant, error), body []byte) (reference.Plant, error) {
		p, err := next(body)
		if err != nil {
			return f(body, reference.AsRefusal(err))
		}
		return p, nil
	})
}

// Refused changes how some kinds of refused bodies are answered.
func Refused(with func(*reference.Refusal) error, kinds ...reference.Kind) Change {
	return Undecoded(func(_ []byte, why *reference.Refusal) (reference.Plant, error) {
		for _, k := range kinds {
			if why.Kind == k {
				return reference.Plant{}, with(why)
			}
		}
		return reference.Plant{}, why
	})
}

// Segments changes what comes in one piece from a client before net/http reads it. Where
// f returns nil, the connection is closed.
func Segments(f func(b []byte) []byte) Change {
	return func(s *reference.Stages) {
		next := s.Listen
		s.Listen = func(ln net.Listener) net.Listener { return segmentListener{next(ln), f} }
	}
}

type segmentListener struct {
	net.Listener
	change func([]byte) []byte
}

// Accept implements [net.Listener].
func (l segmentListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &segmentConn{Conn: conn, change: l.change}, nil
}

// segmentConn changes what passes through it.
type segmentConn struct {
	net.Conn
	change func([]byte) []byte
	left   []byte // read, and not yet asked for
}

// Read implements [net.Conn]. One goroutine reads at a time.
func (c *segmentConn) Read(p []byte) (int, error) {
	if len(c.left) == 0 {
		buf := make([]byte, 64<<10)
		n, err := c.Conn.Read(buf)
		if n == 0 {
			return 0, err
		}
		if c.left = c.change(buf[:n]); len(c.left) == 0 {
			_ = c.Close() // the client sees it
			return 0, net.ErrClosed
		}
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

// Request is a request that came in one piece.
type Request struct {
	Lines []string // of the head: request line and fields
	After []byte   // what follows the head
}

// Whole reads a POST that begins a piece. It returns false if its head is not there.
func Whole(b []byte) (r Request, ok bool) {
	head, after, ok := bytes.Cut(b, []byte("\r\n\r\n"))
	return Request{strings.Split(string(head), "\r\n"), after}, ok && bytes.HasPrefix(b, []byte("POST "))
}

// Split reads the POSTs with a length that a piece consists of. It returns false if there
// is anything else.
func Split(b []byte) (list []Request, ok bool) {
	for len(b) > 0 {
		r, whole := Whole(b)
		lengths := r.Values("Content-Length")
		if !whole || len(lengths) != 1 {
			return nil, false
		}
		n, err := strconv.Atoi(lengths[0])
		if err != nil || n < 0 || n > len(r.After) {
			return nil, false
		}
		b = r.After[n:]
		r.After = r.After[:n]
		list = append(list, r)
	}
	return list, true
}

// Join writes requests one after the other.
func Join(list []Request) []byte {
	var b []byte
	for i := range list {
		b = append(b, list[i].Bytes()...)
	}
	return b
}

// Values returns the values of the fields of a name.
func (r *Request) Values(name string) []string {
	if len(r.Lines) == 0 {
		return nil
	}
	var out []string
	for _, line := range r.Lines[1:] {
		if n, v, _ := strings.Cut(line, ":"); strings.EqualFold(n, name) {
			out = append(out, strings.TrimSpace(v))
		}
	}
	return out
}

// Set replaces all fields of a name by one.
func (r *Request) Set(name, value string) {
	r.Drop(name)
	r.Lines = append(r.Lines, name+": "+value)
}

// Drop removes the fields of a name.
func (r *Request) Drop(name string) {
	r.Lines = slices.DeleteFunc(r.Lines, func(line string) bool {
		n, _, _ := strings.Cut(line, ":")
		return strings.EqualFold(n, name)
	})
}

// Bytes writes the request.
func (r *Request) Bytes() []byte {
	return append([]byte(strings.Join(r.Lines, "\r\n")+"\r\n\r\n"), r.After...)
}
