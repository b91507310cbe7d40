// Package yamltree reads YAML or JSON text into a jsontree.Value and remembers
// where each node stands, so that a complaint about a document can name its
// line and column.
//
// Plain scalars follow the core schema of YAML 1.2 (section 10.3), not the
// looser habits of YAML 1.1: yes, 0b1 and 1_000 are strings.
package yamltree

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

// The limits that keep a hostile document cheap.
const (
	maxDepth = 1000
	maxNodes = 1_500_000
)

// Tree is one document and the place of its nodes.
type Tree struct {
	Root *jsontree.Value
	// Repeats are the duplicate keys that ParseLoosely found.
	Repeats []Repeat

	name   string
	loose  bool
	places places
	sizes  sizes
}

// Error is a complaint about the text of a document.
type Error struct {
	Name      string
	Line, Col int // counted from 1, the column in characters
	Msg       string
}

// Error gives "name:line:col: what" in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.Msg)
}

// Parse reads one document. Text that is JSON is read as such; a file named
// .json must be. Every error is an *Error. Refused by name: duplicate keys,
// several documents, keys that are not scalars, tags outside the
// core schema, .inf and .nan, nesting beyond 1000, more than 1.5 million nodes.
// Merge keys (<<) and aliases are resolved; their nodes stand where the anchor does.
func Parse(name string, b []byte) (*Tree, error) { return parse(name, b, usual(), false) }

func parse(name string, b []byte, s sizes, loose bool) (*Tree, error) {
	text := strings.TrimPrefix(string(b), "\uFEFF")
	t := &Tree{name: name, sizes: s, loose: loose}
	if i := invalidUTF8(text); i >= 0 {
		return nil, t.errAt(placeOf(text, i), "invalid UTF-8")
	}
	isJSON, err := t.parseJSON(text)
	if isJSON || strings.EqualFold(filepath.Ext(name), ".json") {
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	if err := t.parseYAML(text); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Tree) errAt(p place, format string, args ...any) *Error {
	msg := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	return &Error{Name: t.name, Line: int(max(p.line, 1)), Col: int(max(p.col, 1)), Msg: msg}
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}
