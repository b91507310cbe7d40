package alter

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

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
