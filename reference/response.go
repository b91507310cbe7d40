package reference

import (
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
