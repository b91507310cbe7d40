package alter

import (
	"bytes"
	"io"
	"net/http"
	"time"

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
