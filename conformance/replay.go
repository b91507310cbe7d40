package conformance

import (
	"context"
	"errors"
	"fmt"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/report"
)

// Replay sends one case of the plan again, with fresh values, and judges it.
func Replay(ctx context.Context, c Config, caseID string) (*report.Transcript, error) {
	s, err := prepare(ctx, c, true, true)
	if err != nil {
		return nil, err
	}
	k := s.plan.Find(caseID)
	if k == nil && s.set.Find(caseID) != nil {
		return nil, &SetupError{fmt.Errorf("%s is a requirement, not a case: copy the id of a case from a report, or write explain %s", caseID, caseID)}
	}
	if k == nil {
		return nil, &SetupError{fmt.Errorf("no case %s in this plan: copy the id from a report, with its --seed, --draws and --spec", caseID)}
	}
	h := s.header()
	return judge.New(s.judgeConfig(&h)).Replay(ctx, k), nil
}

// ReplayFailure sends the exact bytes of failure n (from 1) of a report, with
// the token filled in. The plan is that of the report: its seed and its draws.
func ReplayFailure(ctx context.Context, c Config, r *report.Report, n int) (*report.Transcript, error) {
	c.Seed, c.Draws = r.Header.Seed, r.Header.Draws
	if c.Draws == 0 {
		c.Draws = -1 // none, which the zero of a Config is not
	}
	s, err := prepare(ctx, c, true, true)
	if err != nil {
		return nil, err
	}
	if s.contract.Digest != r.Header.Digest {
		return nil, &SetupError{fmt.Errorf("the report is about another document, %s: give the same --spec", r.Header.Document)}
	}
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if f.N != n {
				continue
			}
			k := s.plan.Find(f.Case)
			if k == nil {
				return nil, &SetupError{errors.New("the case of this failure is not in this plan: give the --requirements of the run")}
			}
			h := s.header()
			out, err := judge.New(s.judgeConfig(&h)).ReplayBytes(ctx, k, f)
			if err != nil {
				return nil, &SetupError{err}
			}
			return out, nil
		}
	}
	return nil, &SetupError{fmt.Errorf("the report has no failure %d", n)}
}
