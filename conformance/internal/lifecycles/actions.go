package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/resource"
)

// actions lists the operations that do something with a thing and need no other key.
func actions(r *resource.Resource) []*contract.Operation {
	var out []*contract.Operation
	for _, op := range r.Parts {
		if r.IsPart(op) && (op.Method == "POST" || op.Method == "PUT" || op.Method == "PATCH") {
			out = append(out, op)
		}
	}
	return out
}

// allActions are the actions, and the operations elsewhere that a link ties to the thing.
func allActions(r *resource.Resource) []*contract.Operation {
	out := actions(r)
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
