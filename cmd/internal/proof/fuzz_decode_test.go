package proof_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

// within asserts an integer format with exact numbers. A value that is no
// number is none of its business.
func within(maximum, minimum string) func(any) error {
	top, _ := new(big.Rat).SetString(maximum)
	bottom, _ := new(big.Rat).SetString(minimum)
	return func(v any) error {
		n, isNumber := v.(stdjson.Number)
		if !isNumber {
			return nil
		}
		r, ok := new(big.Rat).SetString(n.String())
		if !ok || r.Cmp(top) > 0 || r.Cmp(bottom) < 0 {
			return errors.New("out of range")
		}
		return nil
	}
}

// class is what the document says of a body.
type class int

const (
	invalid class = iota // refused
	valid                // accepted
	open                 // RFC 8259 leaves it to the server: either
)

var (
	longExponent = regexp.MustCompile(`[eE][-+]?0*[1-9][0-9]{4,}`)
	surrogate    = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
)

// classify reads a body by other means than the server: the first version of
// encoding/json for the grammar, and jsonschema for the schema. Both leave
// something out, which is told here.
func classify(newPlant *jsonschema.Schema, body []byte) class {
	switch {
	case !utf8.Valid(body) || !stdjson.Valid(body):
		return invalid
	case repeats(body), surrogate.Match(body), nesting(body) > 5000, longExponent.Match(body):
		// RFC 8259, sections 4, 8.2, 9 and 6. Exponents are open here only
		// because this check computes with what they stand for.
		return open
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil || newPlant.Validate(v) != nil {
		return invalid
	}
	return valid
}

// nesting is at least the depth of a body, and fast.
func nesting(body []byte) int { return bytes.Count(body, []byte("[")) + bytes.Count(body, []byte("{")) }

// repeats says whether an object anywhere has two members of one name.
func repeats(body []byte) bool {
	d := stdjson.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	found := false
	var value func()
	value = func() {
		token, err := d.Token()
		if err != nil {
			return
		}
		names := map[stdjson.Token]bool{}
		switch token {
		case stdjson.Delim('{'):
			for d.More() {
				name, err := d.Token()
				if err != nil {
					return
				}
				found = found || names[name]
				names[name] = true
				value()
			}
			_, _ = d.Token()
		case stdjson.Delim('['):
			for d.More() {
				value()
			}
			_, _ = d.Token()
		}
	}
	value()
	return found
}

func FuzzDecodeAgreesWithTheDocument(f *testing.F) {
	for _, body := range bodies() {
		if len(body) < 1000 {
			f.Add([]byte(body))
		}
	}
	for _, body := range []string{
		`{"id":1,"name":"a","id":2}`, `{"id":92233720368547758070e-1,"name":"a"}`, `{"id":0.1e1,"name":"a"}`, `{"id":-0.0,"name":"a"}`, `{"id":1,"name":"\uD83C\uDF31"}`,
		`{"id":1,"name":"a","x":[[[[{"y":1,"y":2}]]]]}`, `{"id":1e99999999999,"name":"a"}`, `{"id":0e99999999999,"name":"a"}`, `{"\u0069d":1,"name":"a"}`, "{\"id\":1,\"name\":\"a\x01\"}",
		`{"id":1,"name":"a","tag":5}`, `{"id":01,"name":"a"}`, `{"id":1,"name":"a",}`, "\v{}", `{"id":1E+2,"name":"a"}`, `{"id":9223372036854775807.5,"name":"a"}`, `{"ID":1,"NAME":"a"}`,
	} {
		f.Add([]byte(body))
	}
	compiled := schemas(f, "NewPlant", "Plant")
	newPlant, plant := compiled[0], compiled[1]
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := reference.Decode(body)
		switch classify(newPlant, body) {
		case valid:
			require.NoError(t, err)
		case invalid:
			require.Error(t, err)
		}
		if err != nil {
			why := reference.AsRefusal(err)
			assert.NotEqual(t, reference.Internal, why.Kind)
			assert.True(t, utf8.ValidString(why.Error()) && !strings.ContainsAny(why.Reason, "\n\r"), why.Error())
			assert.NotContains(t, why.Reason, "reference.")
			return
		}
		echoes(t, plant, body, got)
	})
}

// echoes holds what was decoded and what is answered against the body.
func echoes(t *testing.T, plant *jsonschema.Schema, body []byte, got reference.Plant) {
	var sent struct {
		ID   stdjson.Number
		Name string
		Tag  *string
	}
	require.NoError(t, stdjson.Unmarshal(exactNames(t, body), &sent))
	if !longExponent.Match(body) {
		id, ok := new(big.Rat).SetString(sent.ID.String())
		require.True(t, ok)
		assert.Zero(t, id.Cmp(new(big.Rat).SetInt64(got.ID)))
	}
	assert.Equal(t, sent.Name, got.Name)
	assert.Equal(t, sent.Tag, got.Tag)
	answer := reference.Answer(got).Body
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	require.NoError(t, err, string(answer))
	require.NoError(t, plant.Validate(v), string(answer))
	assert.Equal(t, got.Name, v.(map[string]any)["name"])
}

// exactNames leaves only the members that the schema names, because the old
// decoder takes names in any case.
func exactNames(t *testing.T, body []byte) []byte {
	var members map[string]stdjson.RawMessage
	require.NoError(t, stdjson.Unmarshal(body, &members))
	for name := range members {
		if name != "id" && name != "name" && name != "tag" {
			delete(members, name)
		}
	}
	out, err := stdjson.Marshal(members)
	require.NoError(t, err)
	return out
}
