package conformance

import (
	"context"

	"plantstore/conformance/report"
)

// Operations returns the operations of the document that a run tries, and what it
// leaves out. It makes no cases and uses no network, so it takes a fraction of the
// time of List.
func Operations(ctx context.Context, c Config) (*report.Operations, error) {
	s, err := prepare(ctx, offline(c), false, false)
	if err != nil {
		return nil, err
	}
	out := &report.Operations{LeftOut: s.leftOut()}
	for _, op := range s.contract.Operations {
		out.Tried = append(out.Tried, op.Method+" "+op.Path)
	}
	return out, nil
}
