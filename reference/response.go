package reference

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
)

// JSON is the one media type of the contract.
const JSON = "application/json"

// Response is an answer that is complete before its first byte is sent.
type Response struct {
	Status int
	// Type is the Content-Type; with "" the header is left out.
	Type   string
	Header http.Header
	Body   []byte
}

// plantBody is the Plant schema. The pointer with omitzero leaves out an
// absent tag only; omitempty would lose an empty one too.
type plantBody struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitzero"`
}

// errorBody is the Error schema.
type errorBody struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

// Answer is the 200 for an accepted plant.
func Answer(p Plant) Response {
	return respond(http.StatusOK, plantBody{Name: p.Name, Tag: p.Tag})
}

// Refuse is the 400 for a refused request.
func Refuse(err error) Response {
	return RefuseWith(http.StatusBadRequest, err)
}

// RefuseWith is an Error body under another status.
func RefuseWith(status int, err error) Response {
	why := AsRefusal(err)
	return respond(status, errorBody{Error: why.Kind.Code(), Message: why.Error()})
}

func respond(status int, v any) Response {
	body, err := json.Marshal(v)
	if err != nil {
		// Both bodies hold only text that a strict decoder let in or that is
		// written in this package.
		panic(err)
	}
	return Response{Status: status, Type: JSON, Header: http.Header{}, Body: body}
}

// Send writes a response with its exact length.
func Send(w http.ResponseWriter, _ *http.Request, resp Response) {
	h := w.Header()
	for name, values := range resp.Header {
		h[name] = values
	}
	// A nil value keeps net/http from guessing a type.
	h["Content-Type"] = nil
	if resp.Type != "" {
		h["Content-Type"] = []string{resp.Type}
	}
	h["Content-Length"] = []string{strconv.Itoa(len(resp.Body))}
	w.WriteHeader(resp.Status)
	// A failed write means that the client left; there is no one to tell.
	_, _ = w.Write(resp.Body)
}

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
