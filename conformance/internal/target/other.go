package target

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"plantstore/conformance/internal/contract"
)

// Stranger says why the target does not accept the other principal in requests of an
// operation. It is empty if the target does.
func (f *Facts) Stranger(op *contract.Operation) string { return f.strangers[alternativeOf(op)] }

func alternativeOf(op *contract.Operation) string { return contract.Label(op.Security[op.Chosen]) }

const noneTakes = "the other credential is not accepted: no operation that needs nothing takes it"

// meetOther finds out whether the target accepts the credentials of the other principal.
// If not, that it refuses a request says nothing. What one principal made says nothing
// either, so the requests are about none.
func (t *Target) meetOther(ctx context.Context, s Session) {
	t.Facts.strangers = map[string]string{}
	ops := slices.DeleteFunc(t.tried(), func(op *contract.Operation) bool { return !op.HasOther() || !t.Facts.Of(op).Accepted })
	reading := func(op *contract.Operation) int {
		if op.Method == http.MethodGet {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(ops, func(a, b *contract.Operation) int { return cmp.Compare(reading(a), reading(b)) })
	met := map[string]bool{}
	for _, op := range ops {
		by := alternativeOf(op)
		if met[by] || ctx.Err() != nil {
			continue
		}
		if t.Facts.strangers[by] == "" {
			t.Facts.strangers[by] = noneTakes
		}
		if len(op.Bind) > 0 || Clears(op) {
			continue
		}
		m := t.Baseline(t.Fresh(op))
		m.Other = true
		switch e := t.Send(ctx, s, m, "preflight", "preflight"); {
		case e == nil:
		case Accepted(op, e):
			met[by], t.Facts.strangers[by] = true, ""
		case e.Failure == nil && t.Facts.strangers[by] == noneTakes:
			t.Facts.strangers[by] = fmt.Sprintf("the other credential is not accepted: %s returns %d for it: give one with --auth-other that the target accepts",
				op.Name(), e.Response.Status)
		}
	}
	for _, op := range ops {
		if why := t.Facts.Stranger(op); why != "" && ctx.Err() == nil {
			t.Because(why)
		}
	}
}
