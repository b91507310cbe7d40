package causes

import (
	"cmp"
	"slices"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// Earlier lists the cases in which the requirement was judged and kept before it failed for
// the first time in the run, the latest one first.
func (l *Lab) Earlier() []*plan.Case {
	h := l.History()
	if len(h.Failed) == 0 {
		return nil
	}
	from := First(h.Failed).Sent
	var out []*plan.Case
	for _, c := range l.run.Cases {
		r := l.run.Record(c)
		if l.judged(c, r) && c.Class.Phase != plan.Lifecycle && r.Sent < from && r.Passed.Has(l.failure.At) && !r.FailedAt(l.failure.At) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *plan.Case) int {
		return cmp.Compare(l.run.Record(b).Sent, l.run.Record(a).Sent)
	})
	return out
}

// Resend sends those requests of a case again that are of the failing kind: with a
// credential of their own if that has one. They have fresh values, a connection of their
// own, and come one after the other. It returns how many were sent and how many fail now.
func (l *Lab) Resend(c *plan.Case) (sent, failed int, ok bool) {
	own := l.Session()
	defer own.Close()
	id, all := l.build(c)
	with := len(l.Request().Message.Credentials) > 0
	var steps []plan.Step
	for _, st := range all {
		if with == (len(st.Message.Credentials) > 0) {
			steps = append(steps, plan.Step{Message: st.Message})
		}
	}
	if len(steps) == 0 {
		return 0, 0, true
	}
	played, list := l.sendAs(c, id, own, steps)
	for i, f := range list {
		// A value that is sent again may be refused for that, and another requirement may
		// have failed before, too.
		if f != nil && f.At == l.failure.At && !played[i].Repeated {
			failed++
		}
	}
	return len(steps), failed, len(played) == len(steps)
}

// judged reports whether an operation's case was sent and judged.
func (l *Lab) judged(c *plan.Case, r *judge.Record) bool {
	return r != nil && r.State == judge.Tried && r.Sent > 0 && c.Op == l.Case.Op
}
