package requirement

import (
	"cmp"
	"net/http"

	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// siblings derives the row about what is left when another thing is deleted: a MUST for
// reading where the document says that what was made can be read.
func (d *deriver) siblings(r *resource.Resource) {
	id, args := d.op.Slug+"-siblings-kept", Args{}
	if d.op != r.List && d.op != r.Read || !r.LeavesSiblings() {
		return
	}
	args.Kind = r.Delete.Slug
	at := cmp.Or(locationOf(r.Make), linkFrom(r.Make, d.op))
	switch {
	case d.op == r.List && d.op.Listing != nil && d.op.Listing.Key != "":
		d.should(id, "siblings-kept", "RFC 9110, 9.3.5", args, "What %s did not delete is still listed.", r.Delete.Name())
	case d.op == r.Read && at != "":
		d.must(id, "siblings-kept", at, args, "What %s did not delete can still be read.", r.Delete.Name())
	case d.op == r.Read:
		d.should(id, "siblings-kept", "RFC 9110, 9.3.5", args, "What %s did not delete can still be read.", r.Delete.Name())
	}
}

// others derives the row about a thing of another principal. If the document lists only
// 404, that may be for things that are not there.
func (d *deriver) others(r *resource.Resource) {
	if r.ListsOwned(d.op) {
		at := d.op.Pointer + "/responses"
		if listed := r.ForOthers(r.Read); listed != nil {
			at = listed.Pointer
		}
		d.add(d.op.Slug+"-others-unlisted", "others-unlisted", report.Should, Clause{Pointer: at, RFC: "RFC 9110, 15.5.4"}, Args{},
			"The list shows nobody what %s refuses to show.", r.Read.Name())
	}
	listed := r.ForOthers(d.op)
	if listed == nil {
		return
	}
	if d.op == r.Read {
		d.othersUnchanged(r)
	}
	level := mustIf(d.op.Lists(http.StatusForbidden) != nil)
	can := "change"
	switch {
	case d.op == r.Read:
		can = "read"
	case d.op == r.Delete:
		can = "delete"
	case r.IsPart(d.op):
		can = "call " + d.op.Name() + " for"
	}
	d.add(d.op.Slug+"-others-kept", "others-kept", level, Clause{Pointer: listed.Pointer, RFC: "RFC 9110, 15.5.4"}, Args{},
		"Another principal cannot %s what %s made.", can, r.Make.Name())
}

// othersUnchanged derives the row about a thing that another principal was refused to change
// or delete: a MUST if the document lists 403 for one of these.
func (d *deriver) othersUnchanged(r *resource.Resource) {
	changes := r.ChangesForOthers()
	if len(changes) == 0 {
		return
	}
	level, at := report.Should, r.ForOthers(changes[0]).Pointer
	for _, op := range changes {
		if listed := op.Lists(http.StatusForbidden); listed != nil && level != report.Must {
			level, at = report.Must, listed.Pointer
		}
	}
	d.add(d.op.Slug+"-others-unchanged", "others-unchanged", level, Clause{Pointer: at, RFC: "RFC 9110, 15.5.4"}, Args{},
		"What another principal is refused to change stays as %s made it.", r.Make.Name())
}
