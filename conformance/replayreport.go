package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/replay"
	"plantstore/conformance/report"
)

// ReplayReport sends all failures of a report again, to Config.Target, and says what
// became of each. The pattern chooses by the id of the requirement, as Config.Only does;
// an empty one chooses all. Each, if not nil, is called with each failure when its outcome
// is known. Like ReplayFailure, ReplayReport sends only what the plan sends: a failure
// that has other requests is not tried.
func ReplayReport(ctx context.Context, c Config, r *report.Report, pattern string, each func(report.Replayed)) (*report.Replay, error) {
	out := &report.Replay{Failures: failuresOf(r, pattern)}
	if len(out.Failures) == 0 {
		if pattern != "" {
			return nil, &SetupError{fmt.Errorf("pattern %q matches no failed requirement of the report: it has %s", pattern, failedIDs(r))}
		}
		return out, nil
	}
	s, err := prepareAgain(ctx, c, r)
	if err != nil {
		return nil, err
	}
	out.Target = s.endpoint.Target.String()
	t := s.target()
	defer s.cleanUp(ctx, ctx, t)
	s.await(ctx)
	p := replay.New(t, s.judge, s.config.Settle)
	reason := p.Learn(ctx)
	for i := range out.Failures {
		x := &out.Failures[i]
		if reason != "" {
			x.Outcome, x.Reason = report.NotTried, reason
		} else if err := s.again(ctx, p, r, x); err != nil {
			return nil, &SetupError{err}
		}
		x.Gates = x.Outcome == report.StillFails && r.Header.Gates(x.Level) && !x.Known ||
			x.Outcome == report.Changed && r.Header.Gates(x.FailsLevel)
		if each != nil {
			each(*x)
		}
	}
	return out, nil
}

// again sends one failure of a report again, and fills in what became of it.
func (s *setup) again(ctx context.Context, p *replay.Player, r *report.Report, x *report.Replayed) error {
	f, _ := r.Failure(x.N)
	k := s.plan.Find(f.Case)
	if k == nil {
		x.Outcome, x.Reason = report.NotTried, "the plan has no case "+f.Case+": use the --requirements and the credentials of that run"
		return nil
	}
	recorded, err := s.recorded(r, f)
	if err != nil {
		return err
	}
	now := p.Again(ctx, k, recorded, x.Requirement)
	x.Outcome, x.Fails, x.FailsLevel, x.Got, x.Reason = now.Outcome, now.Fails, now.FailsLevel, now.Got, now.Reason
	return nil
}

// failuresOf lists the failures of a report that a pattern chooses, as they are numbered.
func failuresOf(r *report.Report, pattern string) []report.Replayed {
	var out []report.Replayed
	for _, x := range r.Results {
		if pattern != "" && !plan.Match(pattern, x.Requirement) {
			continue
		}
		for _, f := range x.Failures {
			out = append(out, report.Replayed{N: f.N, Requirement: x.Requirement, Level: x.Level, Case: f.Case, Place: x.Place,
				Sent: f.Sent, Was: f.Got, Known: x.Known != nil})
		}
	}
	slices.SortStableFunc(out, func(a, b report.Replayed) int { return cmp.Compare(a.N, b.N) })
	return out
}

// failedIDs names the failed requirements of a report.
func failedIDs(r *report.Report) string {
	var ids []string
	for _, x := range r.Results {
		if len(x.Failures) > 0 {
			ids = append(ids, x.Requirement)
		}
	}
	if len(ids) == 0 {
		return "no failures"
	}
	return strings.Join(ids, ", ")
}

// prepareAgain prepares what repeats the requests of a report: its seed, its draws and
// its document.
func prepareAgain(ctx context.Context, c Config, r *report.Report) (*setup, error) {
	if n := r.Header.Draws; n < 0 || n > mostDraws {
		return nil, &SetupError{fmt.Errorf("the report says %d draws, which no run can have: the report was changed", n)}
	}
	c.Seed, c.Draws, c.Effort = r.Header.Seed, r.Header.Draws, r.Header.Effort
	if !slices.Equal(c.Values, r.Header.Values) {
		return nil, &SetupError{fmt.Errorf("the report is from a run with%s: use the same values", cmp.Or(asFlags(r.Header.Values), "out --value"))}
	}
	if err := sameFile(r.Header.ValuesFile, valuesFile(withDefaults(c))); err != nil {
		return nil, &SetupError{err}
	}
	if c.Draws == 0 {
		c.Draws = -1 // none, which the zero of a Config is not
	}
	c.AuthAlways = c.AuthAlways || r.Header.AuthAlways
	c.NameCases, c.TraceParent = c.NameCases || r.Header.NamedCases, c.TraceParent || r.Header.Traced
	s, err := prepare(ctx, c, true, true)
	if err != nil {
		return nil, err
	}
	if s.contract.Digest != r.Header.Digest {
		return nil, &SetupError{fmt.Errorf("the report is about another document, %s: use the same --spec and --allow-ref", r.Header.Document)}
	}
	return s, nil
}
