package requirement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/yamltree"
)

// reader is a requirements file being read. The first complaint is kept, later
// ones are dropped, so that readers need not look at each step.
type reader struct {
	name string
	tree *yamltree.Tree
	err  error
}

// refuse complains about the value at a pointer.
func (s *reader) refuse(at, format string, args ...any) {
	line, col := s.tree.Position(at)
	s.complain(line, col, format, args...)
}

func (s *reader) complain(line, col int, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%s:%d:%d: %s", s.name, line, col, fmt.Sprintf(format, args...))
	}
}

// at returns the value at a pointer. A null counts as absent in optional places.
func (s *reader) at(pointer string) *jsontree.Value { return s.tree.Root.At(pointer) }

// object wants a mapping with no other keys than those.
func (s *reader) object(at, what string, keys ...string) bool {
	v := s.at(at)
	if v == nil || v.Kind != jsontree.Object {
		s.refuse(at, "%s is %s: write a mapping with %s", what, kindOf(v), some(keys))
		return false
	}
	for _, m := range v.Members {
		if !slices.Contains(keys, m.Name) {
			line, col := s.tree.NamePosition(at + "/" + jsontree.EscapePointer(m.Name))
			s.complain(line, col, "unknown key %s in %s: use one of %s", show(m.Name), what, some(keys))
			return false
		}
	}
	return true
}

// list returns the pointers of the items of a list; absent and null have none.
func (s *reader) list(at string) []string {
	v := s.at(at)
	if v == nil || v.Kind == jsontree.Null {
		return nil
	}
	if v.Kind != jsontree.Array {
		s.refuse(at, "%s is %s: write a list", last(at), kindOf(v))
		return nil
	}
	out := make([]string, len(v.Items))
	for i := range v.Items {
		out[i] = at + "/" + strconv.Itoa(i)
	}
	return out
}

// text returns a text that says something, and whether it is there.
func (s *reader) text(at string) (string, bool) {
	v := s.at(at)
	switch {
	case v == nil:
		return "", false
	case v.Kind != jsontree.String:
		s.refuse(at, "%s is %s: write a string, in quotes if it looks like something else", last(at), kindOf(v))
		return "", false
	case strings.TrimSpace(v.Text) == "":
		s.refuse(at, "%s is empty: write something or remove it", last(at))
		return "", false
	}
	return v.Text, true
}

// sentence is a text with its line breaks made blanks.
func (s *reader) sentence(at string) (string, bool) {
	text, ok := s.text(at)
	return strings.Join(strings.Fields(text), " "), ok
}

// texts returns a list of texts; numbers stand for their spelling.
func (s *reader) texts(at string) []string {
	var out []string
	for _, item := range s.list(at) {
		if v := s.at(item); v.Kind == jsontree.Number {
			out = append(out, v.Text)
		} else if text, ok := s.text(item); ok {
			out = append(out, text)
		}
	}
	return out
}

// last names what a pointer points at: its last key, with the number of an item.
func last(at string) string {
	i := strings.LastIndexByte(at, '/')
	key := at[i+1:]
	if n, err := strconv.Atoi(key); err == nil && i > 0 {
		return fmt.Sprintf("%s, item %d,", last(at[:i]), n+1)
	}
	return key
}

func kindOf(v *jsontree.Value) string {
	if v == nil {
		return "missing"
	}
	return map[jsontree.Kind]string{jsontree.Null: "empty", jsontree.Bool: "a boolean", jsontree.Number: "a number",
		jsontree.String: "a text", jsontree.Array: "a list", jsontree.Object: "a mapping"}[v.Kind]
}
