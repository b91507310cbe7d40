package execute

import (
	"context"
	"net/http"
	"slices"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

// WornReason says why a case was not tried if its operation cannot get another thing.
const WornReason = "what it is about refuses any further request with a conflict: name another one with --value or --values"

// worn reports whether a request was refused with a conflict because of the thing that
// the cases of its operation share: a team may have so many members, a room be booked so
// often. Such a thing refuses a baseline request in the same way, and its answers say
// nothing about a case.
func (run *Run) worn(ctx context.Context, c *plan.Case, out []verdict.Played, own target.Session) bool {
	r := run.Target.Facts.Of(c.Op).Reached
	i := slices.IndexFunc(out, func(p verdict.Played) bool { return conflict(p, c.Class.Expected == plan.ExpectMustAccept) })
	if r == nil || r.Own || i < 0 {
		return false
	}
	bound := out[i].Step.Message.Bound
	e := run.Target.Send(ctx, own, run.Target.Baseline(run.Target.Fresh(c.Op)).Put(bound), "control", "control")
	return e != nil && e.Failure == nil && e.Response.Status == out[i].Exchange.Response.Status
}

// conflict reports whether an answer is a documented refusal because of the state of a
// thing (RFC 9110, 15.5.10; RFC 4918, 11.3), or because it holds no more. For a valid
// request, more statuses count.
func conflict(p verdict.Played, valid bool) bool {
	e := p.Exchange
	if e.Failure != nil {
		return false
	}
	switch op := p.Step.Message.Op; e.Response.Status {
	case http.StatusConflict, http.StatusLocked:
		return op.Response(e.Response.Status) != nil
	case http.StatusRequestEntityTooLarge, http.StatusPaymentRequired:
	case http.StatusForbidden, http.StatusUnprocessableEntity:
		if !valid {
			return false
		}
	default:
		return false
	}
	return p.Step.Message.Op.Lists(e.Response.Status) != nil
}
