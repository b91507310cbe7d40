package resource

import (
	"net/http"

	"plantstore/conformance/internal/openapi"
)

// Actions lists the operations that do something with a thing and need no other key, in the order
// of the document.
func (r *Resource) Actions() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range r.Parts {
		if r.IsPart(op) && (op.Method == http.MethodPost || op.Method == http.MethodPut || op.Method == http.MethodPatch) {
			out = append(out, op)
		}
	}
	return out
}
