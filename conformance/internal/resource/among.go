package resource

import (
	"net/http"

	"plantstore/conformance/internal/openapi"
)

// LeavesSiblings reports whether a thing can be read after another one of its collection was
// deleted.
func (r *Resource) LeavesSiblings() bool {
	return r.Read != nil && r.Delete != nil && !r.Chosen() && r.Make.Method == http.MethodPost
}

// TakesOptional reports whether a POST takes optional members for things that can be read.
func (r *Resource) TakesOptional() bool {
	return r.Read != nil && !r.Chosen() && r.Make.Method == http.MethodPost && r.Make.HasJSON() && len(r.Make.Body.Shape.Schema.Optional()) > 0
}

// ForOthers returns the answer with which an operation refuses a thing of another
// principal: 403, else 404. It is nil if the document lists none, or if the operation does
// not read, change or delete one thing that can be read, or a part of it. A PUT that makes a
// thing may make one of the same key for each principal.
func (r *Resource) ForOthers(op *openapi.Operation) *openapi.Response {
	changes := op == r.Patch || op == r.Delete || op == r.Replace && !r.Chosen()
	part := r.Read != nil && r.IsPart(op) && op.Method != http.MethodHead && r.ForOthers(r.Read) != nil
	if r.Read == nil || !op.Secured() || op != r.Read && !changes && !part {
		return nil
	}
	if listed := op.Lists(http.StatusForbidden); listed != nil {
		return listed
	}
	if listed := op.Lists(http.StatusNotFound); listed != nil || !op.Accepted.Owned {
		return listed
	}
	return &openapi.Response{Pointer: op.Pointer + "/responses"}
}

// ChangesForOthers returns the operations that change or delete a thing and whose refusal of
// another principal the document lists.
func (r *Resource) ChangesForOthers() []*openapi.Operation {
	var out []*openapi.Operation
	for _, op := range []*openapi.Operation{r.Patch, r.Replace, r.Delete} {
		if op != nil && r.ForOthers(op) != nil {
			out = append(out, op)
		}
	}
	return out
}

// ListsOwned reports whether an operation lists the things, and the document lists an answer
// that refuses another principal one of them. A list below another thing is part of what
// that one keeps to itself.
func (r *Resource) ListsOwned(op *openapi.Operation) bool {
	keyed := op.Listing != nil && op.Listing.Key != ""
	return op == r.List && keyed && op.Secured() && r.Read != nil && (op.Accepted.Owned || r.ForOthers(r.Read) != nil) && len(openapi.Expressions(op.Path)) == 0 && !r.Chosen()
}
