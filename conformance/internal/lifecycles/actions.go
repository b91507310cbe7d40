package lifecycles

import (
	"strings"

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

// onlyAsks reports whether the path of an operation says that it changes nothing, and that
// what it answers may only be what would be.
func onlyAsks(op *contract.Operation) bool {
	last := strings.ToLower(op.Path[strings.LastIndexByte(op.Path, '/')+1:])
	for _, word := range []string{"preview", "simul", "dry", "valid", "check", "quote", "estim", "calc", "test", "diff", "render", "search", "query", "plan"} {
		if strings.Contains(last, word) {
			return true
		}
	}
	return false
}
