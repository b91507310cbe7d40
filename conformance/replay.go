package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/replay"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// Replay sends one case of the plan again, with fresh values, and returns the
// exchanges and the verdict.
func Replay(ctx context.Context, c Config, caseID string) (*report.Transcript, error) {
	s, err := prepare(ctx, c, true, true)
	if err != nil {
		return nil, err
	}
	k := s.plan.Find(caseID)
	if k == nil && s.set.Find(caseID) != nil {
		return nil, &SetupError{fmt.Errorf("%s is a requirement, not a case: copy a case id from a report, or run conformance explain %s", caseID, caseID)}
	}
	if k == nil && strings.Contains(caseID, "/others/") {
		return nil, &SetupError{fmt.Errorf("no case %s in this plan: it needs a second credential: give --auth-other NAME=VALUE as in that run", caseID)}
	}
	if k == nil {
		const form = "copy the id from a report and use the --seed, --draws and --spec of that run"
		return nil, &SetupError{fmt.Errorf("no case %s in this plan: %s", caseID, cmp.Or(nearest.Hint(caseID, s.ids()), form))}
	}
	s.await(ctx)
	t := s.target()
	defer s.cleanUp(ctx, ctx, t)
	return replay.New(t, s.judge, s.config.Settle).Replay(ctx, k), nil
}

// ids are those of the cases of the plan.
func (s *setup) ids() []string {
	var out []string
	for _, k := range s.plan.Cases {
		out = append(out, k.ID)
	}
	return out
}

// ReplayFailure sends the requests of failure n (from 1) of a report again, to
// Config.Target. The report may come from anybody: ReplayFailure sends what the plan
// sends, with the seed and the draws of the report. If the report has other
// requests, it returns a *SetupError that says how they differ. If asRecorded is set,
// it sends them instead, adds the token only if the report is about the same target,
// and judges nothing.
func ReplayFailure(ctx context.Context, c Config, r *report.Report, n int, asRecorded bool) (*report.Transcript, error) {
	f, found := r.Failure(n)
	if !found {
		return nil, &SetupError{fmt.Errorf("the report has no failure %d", n)}
	}
	s, err := prepareAgain(ctx, c, r)
	if err != nil {
		return nil, err
	}
	k := s.plan.Find(f.Case)
	if k == nil {
		return nil, &SetupError{errors.New("the plan has no such case: use the --requirements and the credentials of that run")}
	}
	recorded, err := s.recorded(r, f)
	if err != nil {
		return nil, &SetupError{err}
	}
	recorded.AsRecorded = asRecorded
	for i := range r.Results {
		if slices.ContainsFunc(r.Results[i].Failures, func(one report.Failure) bool { return one.N == n }) {
			s.judge.Insist(r.Results[i].Requirement)
		}
	}
	s.await(ctx)
	t := s.target()
	defer s.cleanUp(ctx, ctx, t)
	out, err := replay.New(t, s.judge, s.config.Settle).Recorded(ctx, k, recorded)
	var differs *replay.DiffersError
	switch {
	case errors.As(err, &differs):
		return nil, &SetupError{fmt.Errorf("failure %d of the report differs from what the plan sends (%w): nothing was sent; to send it anyway, without a verdict, add --as-recorded", n, err)}
	case err != nil:
		return nil, &SetupError{err}
	}
	return out, nil
}

// sameFile refuses another values file than that of a report.
func sameFile(was, now *report.File) error {
	switch {
	case was == nil && now == nil || was != nil && now != nil && was.Digest == now.Digest:
		return nil
	case was == nil:
		return errors.New("the report is from a run without --values: remove the flag")
	case now == nil:
		return fmt.Errorf("the report is from a run with --values %s: use the same file", shellWord(was.Name))
	}
	return fmt.Errorf("the report is from a run with another values file, %s: use that one", was.Name)
}

// mostDraws bounds the draws of a report: no plan has room for as many.
const mostDraws = 1 << 17

// recorded tells what the requests of a report looked like, and whether it is
// about the target that is asked now.
func (s *setup) recorded(r *report.Report, f report.Failure) (replay.Recorded, error) {
	target, err := exchange.ParseTarget(r.Header.Target)
	if err != nil {
		return replay.Recorded{}, errors.New("the report has no valid target: it was changed, or has another version")
	}
	out := replay.Recorded{Failure: f, Endpoint: *s.endpoint, Generation: r.Header.Generation}
	if f.Generation != nil {
		out.Generation = *f.Generation
	}
	out.Endpoint.Target, out.Endpoint.NameCases, out.Endpoint.Trace = target, r.Header.NamedCases, r.Header.Traced
	if strings.HasPrefix(r.Tool, toolName) {
		out.Endpoint.UserAgent = r.Tool
	}
	now := s.endpoint.Target
	out.SameOrigin = s.config.Embedded && r.Header.Embedded || target.Scheme == now.Scheme && strings.EqualFold(target.Address, now.Address)
	return out, nil
}
