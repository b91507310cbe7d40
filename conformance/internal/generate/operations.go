package generate

import "plantstore/conformance/internal/openapi"

// Operations is a set of operations that need values of a certain kind, which no schema tells.
type Operations struct{ has map[*openapi.Operation]bool }

// Set says whether an operation is one of them.
func (o *Operations) Set(op *openapi.Operation, is bool) {
	if o.has == nil {
		o.has = map[*openapi.Operation]bool{}
	}
	o.has[op] = is
}

// Has reports whether an operation is one of them. A nil set has none.
func (o *Operations) Has(op *openapi.Operation) bool { return o != nil && o.has[op] }
