package execute

import (
	"context"
	"net/http"
	"slices"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// WornReason says why a case was not tried if its operation cannot get another thing.
const WornReason = "what it is about takes no more requests: name another one with --value or --values"

// spent reports whether the answers of a case say nothing about it, and it cannot get another thing.
func (run *Run) spent(ctx context.Context, c *plan.Case, out []judge.Played, own explore.Session) bool {
	return run.forgotten(ctx, out, own) || !run.renewable(c) && run.worn(ctx, c, out, own)
}

// renewable reports whether a case can get another thing than the one that it was about.
func (run *Run) renewable(c *plan.Case) bool {
	r := run.Target.Facts.Of(c.Op).Reached
	return r != nil && r.Renewable()
}

// worn reports whether a request was refused because the thing that the cases of its operation
// share takes no more: a team may have so many members, a room be booked so often. Its answers
// say nothing about a case.
func (run *Run) worn(ctx context.Context, c *plan.Case, out []judge.Played, own explore.Session) bool {
	r := run.Target.Facts.Of(c.Op).Reached
	if r == nil || r.Own && r.Renewable() {
		return false
	}
	i := slices.IndexFunc(out, func(p judge.Played) bool {
		return conflict(p, c.Class.Expected == plan.ExpectMustAccept || p.Sent.Expectation() == message.Accept, r.Own)
	})
	if i < 0 {
		return false
	}
	return run.Target.TakesNoMore(ctx, own, c.Op, out[i].Step.Message.Bound, out[i].Exchange.Response.Status)
}

// forgotten reports whether a request was refused that has a value which the target accepted
// before and no longer accepts: it may take each value only so often.
func (run *Run) forgotten(ctx context.Context, out []judge.Played, own explore.Session) bool {
	return slices.ContainsFunc(out, func(p judge.Played) bool {
		e := p.Exchange
		return e.Failure == nil && e.Response.Status/100 == 4 && p.Checked != nil && p.Checked.Reason != nil && !run.Target.KeepsKnown(ctx, own, p.Step.Message)
	})
}

// conflict reports whether an answer is a documented refusal because of the state of a
// thing, or because it holds no more. For a valid request, more statuses count, and 400 too if
// it is one of many that change the same thing.
func conflict(p judge.Played, valid, changes bool) bool {
	op, e := p.Step.Message.Op, p.Exchange
	if e.Failure != nil {
		return false
	}
	switch status := e.Response.Status; status {
	case http.StatusRequestEntityTooLarge, http.StatusPaymentRequired:
		return op.Lists(status) != nil
	case http.StatusForbidden, http.StatusUnprocessableEntity:
		return valid && op.Response(status) != nil
	case http.StatusBadRequest:
		return valid && changes && op.Response(status) != nil
	default:
		return op.Conflict(status)
	}
}
