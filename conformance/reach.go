package conformance

import (
	"cmp"
	"context"

	"plantstore/conformance/report"
)

// Reach asks the target how each operation of the document gets a request that is
// accepted, and judges nothing. It sends the pre-flight of a run. The error is that of
// Run.
func Reach(ctx context.Context, c Config) (*report.Reach, error) {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.MaxTime, DefaultMaxTime))
	defer cancel()
	s, err := prepare(ctx, c, true, false)
	if err != nil {
		return nil, err
	}
	s.await(ctx)
	t := s.target()
	t.Learn(ctx)
	defer s.cleanUp(ctx, outer, t)
	h := s.header()
	out := &report.Reach{Version: report.Version, Target: h.Target, Document: h.Document, Ways: t.Ways(), LeftOut: h.LeftOut, Ended: s.hidden(t.Ended)}
	of := s.reached(t)
	out.Reached, out.Operations = of.Reached, of.Operations+of.Aside
	for i := range out.Ways {
		w := &out.Ways[i]
		w.Reason, w.Help = s.hidden(w.Reason), s.hidden(w.Help)
	}
	for _, op := range s.contract.Operations {
		if why := s.given.Unreachable[op]; why != "" {
			out.Ways = append(out.Ways, report.Way{Operation: op.Name(), Aside: why})
		}
	}
	if ctx.Err() != nil {
		out.Reasons = append(out.Reasons, ended(ctx))
	}
	for _, r := range t.Reasons {
		out.Reasons = append(out.Reasons, s.hidden(r))
	}
	return out, nil
}
