package reference

import (
	"errors"
	"net/http"
)

// Kind says which requirement of the contract a refused request did not meet.
type Kind int

// The kinds of refusal.
const (
	Internal   Kind = iota // a failure of the server
	Credential             // no, or no valid, bearer token
	Media                  // a media type other than application/json
	Size                   // longer than [MaxBody]
	Syntax                 // not JSON
	Missing                // no body, or a required member is absent
	Type                   // a value of another JSON type
	Range                  // an integer outside int64
	Taken                  // an id used before, where ids are unique
	Full                   // the store holds as many plants as it may
	Busy                   // nothing is wrong but that the server has too much to do
)

// Code is the number in the Error body. It borrows the meaning of the HTTP
// status of the same number; the HTTP status itself stays 400, the only one
// that the contract documents for a refusal.
func (k Kind) Code() int32 {
	switch k {
	case Internal:
		return http.StatusInternalServerError
	case Credential:
		return http.StatusUnauthorized
	case Media:
		return http.StatusUnsupportedMediaType
	case Size:
		return http.StatusRequestEntityTooLarge
	case Taken:
		return http.StatusConflict
	case Full:
		return http.StatusInsufficientStorage
	case Busy:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// Refusal is why a request is refused. Its text is safe to send: it holds no
// address, Go type or file name.
type Refusal struct {
	Kind Kind
	// At is the JSON pointer of the offending value, "" for the whole request.
	At     string
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string {
	if r.At == "" {
		return r.Reason
	}
	return r.At + " " + r.Reason
}

// AsRefusal gives the refusal in err; for any other error one of kind
// [Internal] with a fixed text, because the text of err is not for clients.
func AsRefusal(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return &Refusal{Kind: Internal, Reason: "the server failed; the plant may not be stored"}
}
