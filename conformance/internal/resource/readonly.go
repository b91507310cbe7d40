package resource

import "plantstore/conformance/internal/contract"

// TakesReadOnly lists the operations that make or change a thing and whose body has
// members that contract.Operation.ReadOnly lists.
func (r *Resource) TakesReadOnly() []*contract.Operation {
	var out []*contract.Operation
	for _, op := range []*contract.Operation{r.Make, r.Replace, r.Patch} {
		if op != nil && len(op.ReadOnly()) > 0 && (op != r.Replace || !r.Chosen()) {
			out = append(out, op)
		}
	}
	return out
}
