package alter

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
)

// Requests goes around the whole handler, with the body already read, up to
// 4 MiB; what is longer is left to be read behind it.
func Requests(f func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler)) Change {
	return Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// An error comes again when the handler reads on.
			body, _ := io.ReadAll(io.LimitReader(r.Body, 4<<20))
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
			f(w, r, body, next)
		})
	})
}

// Handler goes around the whole handler.
func Handler(f func(next http.Handler) http.Handler) Change {
	return func(s *reference.Stages) {
		next := s.Wrap
		s.Wrap = func(h http.Handler) http.Handler { return f(next(h)) }
	}
}

// When answers those POSTs of a plant that which picks in another way.
func When(which func(r *http.Request, body []byte) bool, answer http.HandlerFunc) Change {
	return Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
		if r.Method == http.MethodPost && r.URL.Path == "/plants" && which(r, body) {
			answer(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Give answers with a response.
func Give(resp *Instead) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { reference.Send(w, r, reference.Response(*resp)) }
}

// Leave closes the connection without an answer.
func Leave(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Left reports whether the client of a request that was read has ended its half of the
// connection.
func Left(r *http.Request) bool {
	select {
	case <-r.Context().Done():
		return true
	case <-time.After(2 * time.Millisecond):
		return false
	}
}

// Hang never answers: it waits until the client or the server goes.
func Hang(_ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// Credentials lets more requests in: f sees the values of the Authorization
// headers of a request that was refused, and the first of the valid tokens.
func Credentials(f func(headers []string, token string) bool) Change {
	return Authenticate(func(s *reference.Stages, r *http.Request, why error) error {
		token := ""
		if len(s.Tokens) > 0 {
			token = s.Tokens[0]
		}
		if why != nil && f(r.Header.Values("Authorization"), token) {
			return nil
		}
		return why
	})
}

// Authenticate goes around the check of the credential: it is given the
// verdict of the right check, nil for a request that is let in.
func Authenticate(f func(s *reference.Stages, r *http.Request, why error) error) Change {
	return func(s *reference.Stages) {
		instead(s)
		next := s.Authenticate
		s.Authenticate = func(r *http.Request) error { return f(s, r, next(r)) }
	}
}

// HTTP1 keeps a server from speaking HTTP/2, which has no connection that one
// request could take over.
func HTTP1(s *reference.Stages) {
	next := s.Tune
	s.Tune = func(hs *http.Server) {
		next(hs)
		hs.Protocols = new(http.Protocols)
		hs.Protocols.SetHTTP1(true)
	}
}

// Pair is one member of an object: its name and the text of its value.
type Pair struct{ Name, Value string }

// Object gives the members of an object in order; ok is false when text is
// not exactly one JSON object. Options let pass what strict JSON does not.
func Object(text []byte, options ...jsontext.Options) (pairs []Pair, ok bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text), options...)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		p := Pair{Name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		p.Value = string(value)
		pairs = append(pairs, p)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	_, err := d.ReadToken()
	return pairs, errors.Is(err, io.EOF)
}

// Text writes an object.
func Text(pairs []Pair) []byte {
	out := []byte{'{'}
	for i, p := range pairs {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, Quote(p.Name)...), ':'), p.Value...)
	}
	return append(out, '}')
}

// Members changes the members of a body that is an object.
func Members(f func([]Pair) []Pair) Change {
	return Body(func(body []byte) []byte {
		pairs, ok := Object(body)
		if !ok {
			return body
		}
		return Text(f(pairs))
	})
}

// Value changes the value of one member of a body that is an object; "" drops
// the member.
func Value(name string, f func(value string) string) Change {
	return Members(func(pairs []Pair) []Pair {
		kept := pairs[:0]
		for _, p := range pairs {
			if p.Name == name {
				p.Value = f(p.Value)
			}
			if p.Value != "" {
				kept = append(kept, p)
			}
		}
		return kept
	})
}

// Absent adds a member to a body that is an object without it.
func Absent(name string, value func(others []Pair) string) Change {
	return Members(func(pairs []Pair) []Pair {
		for _, p := range pairs {
			if p.Name == name {
				return pairs
			}
		}
		if v := value(pairs); v != "" {
			pairs = append(pairs, Pair{name, v})
		}
		return pairs
	})
}

// String gives the text of a JSON string value; ok is false for other types.
func String(value string) (text string, ok bool) {
	if value == "" || value[0] != '"' {
		return "", false
	}
	out, err := jsontext.AppendUnquote(nil, value)
	return string(out), err == nil
}
