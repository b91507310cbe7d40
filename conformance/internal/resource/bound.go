package resource

import (
	"slices"

	"plantstore/conformance/internal/openapi"
)

// Bound reports whether the document or the requirements file says of an operation about the thing that it is refused in
// some of the states that reading the thing shows, and whether an action may lead there.
func (r *Resource) Bound(op *openapi.Operation) bool {
	about := r.IsPart(op) || op == r.Patch || op == r.Replace || op == r.Delete
	if r.Read == nil || op == r.Make || !about {
		return false
	}
	if len(op.Accepted.AllowedIn) > 0 {
		return true
	}
	if op.Bound == nil || !slices.ContainsFunc(r.Actions(), func(act *openapi.Operation) bool { return !OnlyAsks(act) }) {
		return false
	}
	for _, answer := range r.Read.Documented(2) {
		for i := range answer.Media {
			if shape := answer.Media[i].Shape; shape != nil && op.BoundIn(shape.Schema) {
				return true
			}
		}
	}
	return false
}
