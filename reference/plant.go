package reference

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Plant is an accepted NewPlant.
type Plant struct {
	ID   int64
	Name string
	// Tag is nil when the request had no tag; an empty tag is a tag.
	Tag *string
}

// newPlant mirrors the NewPlant schema. Members that the schema does not name
// are allowed there, so they are ignored here.
type newPlant struct {
	ID   field[wholeNumber] `json:"id"`
	Name field[string]      `json:"name"`
	Tag  field[string]      `json:"tag"`
}

// errNull is what a member of any schema in the document reports for null.
var errNull = errors.New("must not be null")

// field tells an absent member from an empty one, and refuses null, which the
// decoder would otherwise take as the zero value.
type field[T any] struct {
	Set bool
	V   T
}

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (f *field[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == 'n' {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		return errNull
	}
	f.Set = true
	return json.UnmarshalDecode(d, &f.V)
}

// Decode reads a NewPlant strictly: one JSON value and nothing behind it,
// UTF-8, unique and case-sensitive member names, exact numbers. Its error is
// always a *[Refusal].
func Decode(body []byte) (Plant, error) {
	var in newPlant
	if err := json.Unmarshal(body, &in); err != nil {
		return Plant{}, explain(body, err)
	}
	switch {
	case jsontext.Value(body).Kind() == 'n':
		return Plant{}, &Refusal{Kind: Type, Reason: expectation("", nil)}
	case !in.ID.Set:
		return Plant{}, &Refusal{Kind: Missing, At: "/id", Reason: "is required"}
	case !in.Name.Set:
		return Plant{}, &Refusal{Kind: Missing, At: "/name", Reason: "is required"}
	}
	plant := Plant{ID: int64(in.ID.V), Name: in.Name.V}
	if in.Tag.Set {
		// A copy, so that a plant that is kept does not keep the rest of in.
		tag := in.Tag.V
		plant.Tag = &tag
	}
	return plant, nil
}

// explain turns a decoder's error into a refusal. Its own words are used
// because the decoder's name Go types.
func explain(body []byte, err error) *Refusal {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case len(bytes.TrimLeft(body, " \t\r\n")) == 0:
		return &Refusal{Kind: Missing, Reason: "a request body is required"}
	case errors.As(err, &syntactic):
		return &Refusal{Kind: Syntax, At: string(syntactic.JSONPointer), Reason: "is not JSON: " + syntactic.Err.Error()}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Refusal{Kind: Syntax, Reason: "is not JSON: unexpected end"}
	case errors.As(err, &semantic):
		at := string(semantic.JSONPointer)
		kind := Type
		if errors.Is(err, errRange) {
			kind = Range
		}
		return &Refusal{Kind: kind, At: at, Reason: expectation(at, err)}
	}
	return &Refusal{Kind: Syntax, Reason: "is not JSON"}
}

// expectation says what the member at a JSON pointer must be.
func expectation(at string, err error) string {
	for _, known := range []error{errNull, errWhole, errRange} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	switch at {
	case "/id":
		return "must be an integer"
	case "/name", "/tag":
		return "must be a string"
	}
	return "must be an object"
}
