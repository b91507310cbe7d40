package resource

import (
	"net/http"

	"plantstore/conformance/internal/openapi"
)

// ReplacesWhole reports whether the PUT of a thing has the whole of it in its body: it
// requires some members, and all those with which the thing is made. There is one that may be
// left out.
func (r *Resource) ReplacesWhole() bool {
	put := r.Replace
	if r.Read == nil || put == nil || len(put.Droppable(put.Accepted.ReplacesAll)) == 0 {
		return false
	}
	needs := required(put)
	for name := range required(r.Make) {
		if !needs[name] && !openapi.IsKey(name) { // the path of the PUT has the key
			return false
		}
	}
	return put.Method == http.MethodPut && len(needs) > 0
}

// required returns the members that a body must have and that can be read.
func required(op *openapi.Operation) map[string]bool {
	out := map[string]bool{}
	if op.Body == nil || op.Body.Shape == nil {
		return out
	}
	for _, p := range op.Body.Shape.Schema.Properties {
		if p.Required && !p.Schema.ReadOnly && !p.Schema.WriteOnly {
			out[p.Name] = true
		}
	}
	return out
}
