// Package alter holds the small changes that the catalogues of faults and
// variants are made of: each changes one stage of the reference server and
// leaves the others alone.
package alter

import (
	"errors"
	"net/http"

	"plantstore/reference"
)

// Change alters one server that is being made. State that it needs is created
// inside it, so two servers never share any.
type Change = func(*reference.Stages)

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
