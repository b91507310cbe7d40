package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// allActions are the actions, and the operations elsewhere that a link ties to the thing.
func allActions(r *resource.Resource) []*openapi.Operation {
	out := r.Actions()
	for _, op := range r.Linked {
		if op.Method == "POST" || op.Method == "PUT" || op.Method == "PATCH" {
			out = append(out, op)
		}
	}
	return out
}

// mostActions is how many of the operations that do something with a thing have cases of
// their own.
const mostActions = 3
