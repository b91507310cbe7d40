// Package kit is what the services for tests are made of: exact JSON, schemas that tell what
// breaks them, small stores, the wiring of a service with what it does wrong, and listeners.
// It follows the specifications by itself and shares nothing with the suite, so that one
// mistake cannot hide in both.
package kit

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// levels is how deep a JSON value may be nested.
const levels = 200

// ReadJSON reads one JSON value exactly: no name twice unless the options allow it, nothing
// after it, UTF-8 without lone surrogates.
func ReadJSON(b []byte, options ...jsontext.Options) (any, bool) {
	if !jsontext.Value(b).IsValid(options...) {
		return nil, false
	}
	for d := jsontext.NewDecoder(bytes.NewReader(b), options...); ; {
		if _, err := d.ReadToken(); err == io.EOF {
			return decoded(b), true
		} else if err != nil || d.StackDepth() > levels {
			return nil, false
		}
	}
}

// decoded is a valid JSON value, with its numbers as they are written.
func decoded(b []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err) // it is valid
	}
	return v
}

// Encode writes a JSON value without a newline at the end. Members are sorted.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // all values come from JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Clone copies a JSON value, so that it can be altered.
func Clone(v any) any { return decoded(Encode(v)) }
