package mutators

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
)

// notation is how another language writes an object: what stands around all, between name
// and value, and around the texts of both. Readers that take it in place of JSON may refuse
// a mixture of both.
type notation struct {
	open, colon, close string
	name, text         string // the quotes
	null               string
}

func (n notation) of(m *request.Message) []byte {
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

func asPython(m *request.Message, _ []byte) []byte {
	return notation{open: "{", colon: ": ", close: "}", name: "'", text: "'", null: "None"}.of(m)
}

// asScript is an object of JavaScript, and JSON5.
func asScript(m *request.Message, _ []byte) []byte {
	return notation{open: "{", colon: ": ", close: ",}", text: "'", null: "null"}.of(m)
}

// asFlow is a flow mapping of YAML.
func asFlow(m *request.Message, _ []byte) []byte {
	return notation{open: "{", colon: ": ", close: "}", null: "~"}.of(m)
}

func asRuby(m *request.Message, _ []byte) []byte {
	return notation{open: "{", colon: " => ", close: "}", name: `"`, text: `"`, null: "nil"}.of(m)
}

func asPHP(m *request.Message, _ []byte) []byte {
	return notation{open: "[", colon: " => ", close: "]", name: "'", text: "'", null: "null"}.of(m)
}

// asStructure is an object as Go, Rust and others print one.
func asStructure(m *request.Message, _ []byte) []byte {
	return notation{open: "Body{", colon: ":", close: "}", text: `"`, null: "nil"}.of(m)
}
