package openapi

import (
	"slices"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// Accepted is what the requirements file promises of an operation: a document has no keyword
// for it.
type Accepted struct {
	// Valid reports whether every valid request is accepted.
	Valid bool
	// AllowedIn are the states of the thing in which the operation is allowed. In every other
	// one it is refused.
	AllowedIn []States
	// ReplacesAll reports whether nothing stays of what was there before.
	ReplacesAll bool
	// NewestFirst reports whether the list begins with what was made last.
	NewestFirst bool
	// Listed reports whether what was made is in the list of such things.
	Listed bool
	// MadeOnce is the header field that makes a request harmless that is sent again; nil if
	// there is none.
	MadeOnce *Parameter
	// Owned reports whether only the principal that made a thing may ask for it.
	Owned bool
}

// States are values of a member that has the state of a thing.
type States struct {
	Member string
	Values []*jsontree.Value
}

// Has reports whether a value is one of them.
func (s States) Has(v *jsontree.Value) bool {
	return slices.ContainsFunc(s.Values, func(one *jsontree.Value) bool { return jsontree.Equal(one, v) })
}

// ReplacesMember reports whether the operation replaces a member of the body.
func (o *Operation) ReplacesMember(name string) bool {
	return o.Accepted.ReplacesAll || o.Replaces != nil && !hints.Excepts(o.Replaces, name)
}

// LeavesNothing reports whether members that a request leaves out do not stay.
func (o *Operation) LeavesNothing() bool { return o.Whole != nil || o.Accepted.ReplacesAll }
