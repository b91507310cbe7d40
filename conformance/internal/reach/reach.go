// Package reach finds how an operation can get a request that is accepted: which
// places of it must name something that exists, and which other operations may give
// the values. It reads only the document. Whether a way works, the target says.
package reach

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// Kind says where a value comes from.
type Kind uint8

// The kinds, best first.
const (
	Link     Kind = iota // a link of the document
	Producer             // the answer of an operation that makes such a thing
	List                 // an item of a list
	Example              // an example or a default of the document
	Any                  // whatever the schema allows: the client chooses it
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"link", "producer", "list", "example", "any value"}[k]
}

// Way is one way to a value.
type Way struct {
	Kind Kind
	// From is the operation that is asked. It is nil for examples.
	From *contract.Operation
	// Pointer leads to the value in the answer; Header names the field instead. A
	// "-" in the pointer stands for an item of a list: the one that was made, or the
	// first.
	Pointer string
	Header  string
	// Request is the place in the request of From, for what the client chose itself.
	Request string
	// Template is the path whose last expression a Location fills.
	Template string
	// Value is that of an example.
	Value *jsontree.Value
}

// String is the way as reports print it: createUser#/id.
func (w Way) String() string {
	switch {
	case w.From == nil && w.Value != nil:
		return w.Kind.String() + " " + jsontree.Cut(w.Value.String(), 60)
	case w.From == nil:
		return w.Kind.String()
	case w.Header != "":
		return Name(w.From) + "#" + w.Header
	case w.Request != "":
		return Name(w.From) + "#request " + w.Request
	}
	return Name(w.From) + "#" + w.Pointer
}

// Name is the name of an operation for people: its operationId, or its slug.
func Name(op *contract.Operation) string {
	if op.ID != "" {
		return op.ID
	}
	return op.Slug
}

// Need is a place of a request whose value must name something that exists.
type Need struct {
	Path string // "path/id", "/owner"
	Ways []Way  // in the order in which they are tried
}

// Map holds the needs of every operation.
type Map struct {
	needs map[*contract.Operation][]Need
	ops   []*contract.Operation
}

// Of returns the needs of an operation, path parameters first, in the order of the
// path.
func (m *Map) Of(op *contract.Operation) []Need { return m.needs[op] }

// Analyse finds the needs of all operations and names them in Operation.Bind.
func Analyse(c *contract.Contract) *Map {
	m := &Map{needs: map[*contract.Operation][]Need{}, ops: c.Operations}
	links := m.links(c)
	for _, op := range c.Operations {
		op.Bind = nil
		for _, member := range op.Members() {
			if !m.mustExist(op, member) {
				continue
			}
			n := Need{Path: member.Path, Ways: links[op.Slug+" "+member.Path]}
			n.Ways = append(n.Ways, m.producers(op, member)...)
			if member.Path[0] == '/' && len(n.Ways) == 0 {
				continue // a member of a body that nothing gives is an ordinary one
			}
			n.Ways = unique(append(n.Ways, examples(c, op, member)...))
			n.Ways = append(n.Ways, Way{Kind: Any})
			m.needs[op] = append(m.needs[op], n)
			op.Bind = append(op.Bind, member.Path)
		}
		m.needs[op] = inPathOrder(op, m.needs[op])
	}
	return m
}

// mustExist reports whether a member may have to name something that exists: a path
// parameter that is no choice, and what is named like the key of another resource.
func (m *Map) mustExist(op *contract.Operation, member contract.Member) bool {
	s := member.Schema
	if s.Enum != nil || s.Const != nil || s.ReadOnly || s.Never || chosen(op, member.Path) {
		return false
	}
	switch s.Type() {
	case "boolean", "object", "array", "null":
		return false
	}
	in, _, _ := strings.Cut(member.Path, "/")
	switch in {
	case "path":
		return !ordinary(s)
	case "":
		return keyOf(member.Name) != "" && !ordinary(s)
	}
	return false
}

// ordinary reports whether a schema describes values that name nothing: dates,
// times, numbers with a fraction.
func ordinary(s *contract.Schema) bool {
	return slices.Contains([]string{"date", "date-time", "time", "duration", "email", "byte", "binary"}, s.Format) ||
		s.Type() == "number" && !s.Whole() && s.Format != ""
}

// chosen reports whether the user named a value for the place.
func chosen(op *contract.Operation, path string) bool {
	if path[0] == '/' {
		return op.Body.Shape.Domains[path].Value != nil
	}
	return op.Params.Domains["/"+path].Value != nil
}

// inPathOrder sorts the needs of path parameters as the path has them.
func inPathOrder(op *contract.Operation, list []Need) []Need {
	names := contract.Expressions(op.Path)
	rank := func(n Need) int {
		if name, found := strings.CutPrefix(n.Path, "path/"); found {
			plain, _ := jsontree.UnescapePointer(name)
			return slices.Index(names, plain)
		}
		return len(names)
	}
	slices.SortStableFunc(list, func(a, b Need) int { return rank(a) - rank(b) })
	return list
}

// unique drops ways that were listed before.
func unique(list []Way) []Way {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(w Way) bool {
		key := w.String()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// examples returns the values that the document gives for a place.
func examples(c *contract.Contract, op *contract.Operation, member contract.Member) []Way {
	var out []Way
	for _, v := range c.Examples(op, member) {
		out = append(out, Way{Kind: Example, Value: v})
	}
	return out
}
