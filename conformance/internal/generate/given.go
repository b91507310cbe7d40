package generate

import (
	"maps"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// Given holds the values of baseline requests for operations that accept no others, such as the
// examples of the document: a server may know only the plans that they name.
type Given struct {
	of map[*openapi.Operation]map[string]*jsontree.Value
}

// Set says which values the baseline requests of an operation have, by their paths. Nil stands
// for what the target has there.
func (v *Given) Set(op *openapi.Operation, values map[string]*jsontree.Value) {
	if v.of == nil {
		v.of = map[*openapi.Operation]map[string]*jsontree.Value{}
	}
	v.of[op] = values
}

// Of returns these values.
func (v *Given) Of(op *openapi.Operation) map[string]*jsontree.Value {
	if v == nil {
		return nil
	}
	return v.of[op]
}

// give puts the values into a baseline request. Any other may then be refused.
func (g *Gen) give(m *message.Message) {
	values := g.id.Given.Of(m.Op)
	for _, path := range slices.Sorted(maps.Keys(values)) {
		switch v := values[path]; {
		case m.At(path) == nil:
		case v == nil:
			m.Given(path, m.At(path).Clone()) // the target replaces it with its own
		case m.Set(path, v.Clone()):
			m.Given(path, v)
		}
	}
}

// Refused holds the optional members that the target refuses, whatever their value was: a request
// that only leads to another one goes without them.
type Refused struct {
	of map[*openapi.Operation][]string
}

// Set says which members of an operation these are, by their paths.
func (r *Refused) Set(op *openapi.Operation, paths []string) {
	if r.of == nil {
		r.of = map[*openapi.Operation][]string{}
	}
	r.of[op] = paths
}

// Of returns them.
func (r *Refused) Of(op *openapi.Operation) []string {
	if r == nil {
		return nil
	}
	return r.of[op]
}
