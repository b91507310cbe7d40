package resource

import "plantstore/conformance/internal/openapi"

// TakesReadOnly lists the operations that make or change a thing and whose body has
// members that openapi.Operation.ReadOnly lists.
func (r *Resource) TakesReadOnly() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Make, r.Replace, r.Patch} {
		if op != nil && len(op.ReadOnly()) > 0 && (op != r.Replace || !r.Chosen()) {
			out = append(out, op)
		}
	}
	return out
}
