package reference

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

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

// Store keeps accepted plants.
type Store interface {
	// Append keeps one plant, and returns only when it is kept as safely as
	// this store keeps anything. A *[Refusal] of kind [Taken] says that the
	// store holds ids unique and has this one, one of kind [Full] that it holds
	// as many plants as it may; other errors are failures.
	Append(context.Context, Plant) error
}

// Memory is a Store that lives as long as the process. Every plant is appended
// under a sequence number of its own: the contract does not say that ids are
// unique, and overwriting would lose an acknowledged plant.
type Memory struct {
	unique  bool
	maximum int

	mu     sync.Mutex
	plants []Plant
	ids    map[int64]struct{}
}

// NewMemory makes an empty store of at most so many plants; 0 means
// [MaxPlants]. With unique it refuses an id used before.
func NewMemory(unique bool, maximum int) *Memory {
	if maximum <= 0 {
		maximum = MaxPlants
	}
	return &Memory{unique: unique, maximum: maximum, ids: map[int64]struct{}{}}
}

// Append implements [Store].
func (m *Memory) Append(_ context.Context, p Plant) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unique {
		if _, taken := m.ids[p.ID]; taken {
			return &Refusal{Kind: Taken, At: "/id", Reason: "is used by another plant"}
		}
	}
	if len(m.plants) >= m.maximum {
		return &Refusal{Kind: Full, Reason: "the store is full"}
	}
	if m.unique {
		m.ids[p.ID] = struct{}{}
	}
	m.plants = append(m.plants, p)
	return nil
}

// Plants are the plants kept so far, in the order they were accepted.
func (m *Memory) Plants() []Plant {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Plant(nil), m.plants...)
}
