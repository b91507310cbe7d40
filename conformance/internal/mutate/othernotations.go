package mutate

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// notation is how another language writes an object: what stands around the members, between
// name and value, and around names and texts. Readers of such a language may refuse a mixture
// of it and JSON.
type notation struct {
	open, colon, close string
	name, text         string // the quotes
	null               string
}

var notations = []notation{
	{open: "{", colon: ": ", close: "}", name: "'", text: "'", null: "None"},   // Python
	{open: "{", colon: ": ", close: ",}", text: "'", null: "null"},             // JavaScript, and JSON5
	{open: "{", colon: ": ", close: "}", null: "~"},                            // YAML, a flow mapping
	{open: "{", colon: " => ", close: "}", name: `"`, text: `"`, null: "nil"},  // Ruby
	{open: "[", colon: " => ", close: "]", name: "'", text: "'", null: "null"}, // PHP
	{open: "Body{", colon: ":", close: "}", text: `"`, null: "nil"},            // Go, Rust and others
}

// inNotations write a body in each notation.
func inNotations() []func(*message.Message, []byte) []byte {
	out := make([]func(*message.Message, []byte) []byte, len(notations))
	for i, n := range notations {
		out[i] = func(m *message.Message, _ []byte) []byte { return n.of(m) }
	}
	return out
}

func (n notation) of(m *message.Message) []byte {
	parts := make([]string, 0, len(m.Tree.Members))
	for _, f := range m.Tree.Members {
		parts = append(parts, n.name+f.Name+n.name+n.colon+n.value(f.Value))
	}
	return []byte(n.open + strings.Join(parts, ", ") + n.close)
}

func (n notation) value(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.String:
		return n.text + v.Text + n.text
	case jsontree.Null:
		return n.null
	}
	return v.String()
}
