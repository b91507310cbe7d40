package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/reports"
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
	return reports.NewPlayer(t, s.judge, s.config.Settle).Replay(ctx, k), nil
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
	out, err := reports.NewPlayer(t, s.judge, s.config.Settle).Recorded(ctx, k, recorded)
	var differs *reports.DiffersError
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

// maxDraws bounds the draws of a report: no plan has room for as many.
const maxDraws = 1 << 17

// recorded tells what the requests of a report looked like, and whether it is
// about the target that is asked now.
func (s *setup) recorded(r *report.Report, f report.Failure) (reports.Recorded, error) {
	target, err := exchange.ParseTarget(r.Header.Target)
	if err != nil {
		return reports.Recorded{}, errors.New("the report has no valid target: it was changed, or has another version")
	}
	out := reports.Recorded{Failure: f, Endpoint: *s.endpoint, Generation: r.Header.Generation}
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

// ReplayReport sends all failures of a report again, to Config.Target, and says what
// became of each. The pattern is the id of a finding, or chooses by the id of the requirement, as
// Config.Only does; an empty one chooses all. Each, if not nil, is called with each failure when its outcome
// is known. Like ReplayFailure, ReplayReport sends only what the plan sends: a failure
// that has other requests is not tried.
func ReplayReport(ctx context.Context, c Config, r *report.Report, pattern string, each func(report.Replayed)) (*report.Replay, error) {
	out := &report.Replay{Failures: failuresOf(r, pattern)}
	if len(out.Failures) == 0 {
		if pattern != "" {
			return nil, &SetupError{fmt.Errorf("pattern %q matches no finding and no failed requirement of the report: it has %s", pattern, failedIDs(r))}
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
	p := reports.NewPlayer(t, s.judge, s.config.Settle)
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
func (s *setup) again(ctx context.Context, p *reports.Player, r *report.Report, x *report.Replayed) error {
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
	finding := map[int]bool{}
	for _, f := range r.Found() {
		for _, m := range f.Members {
			if f.ID == pattern {
				finding[m.N] = true
			}
		}
	}
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if pattern != "" && !finding[f.N] && !plan.Match(pattern, x.Requirement) {
				continue
			}
			out = append(out, report.Replayed{N: f.N, Requirement: x.Requirement, Level: x.Level, Case: f.Case, Place: x.Place,
				Sent: f.Sent, Was: f.Got, Known: x.Known != nil || f.Known != nil})
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
	if n := r.Header.Draws; n < 0 || n > maxDraws {
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

// maxRenewals bounds how often a run renews its credentials.
const maxRenewals = 500

// fetch calls the functions that give credentials.
func (s *setup) fetch(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.config.Renew)) {
		value, err := s.config.Renew[name](ctx)
		if err == nil && value == "" {
			err = errors.New("it gives no credential: print it, alone")
		}
		if err != nil {
			return nil, fmt.Errorf("--auth-command %s: %w", name, err)
		}
		out[name] = value
	}
	return out, nil
}

// renewal returns the function that renews the credentials of a run; nil if they
// never change. It is not called concurrently.
func (s *setup) renewal() func(context.Context) bool {
	if len(s.config.Renew) == 0 {
		return nil
	}
	left, last := maxRenewals, s.config.Auth
	return func(ctx context.Context) bool {
		if left == 0 {
			return false
		}
		left--
		values, err := s.fetch(ctx)
		if err != nil || s.refused("--auth", values) != nil {
			return false
		}
		next := maps.Clone(last)
		maps.Copy(next, values)
		if maps.Equal(next, last) {
			return false
		}
		last = next
		var secrets []redact.Secret
		for name, value := range values {
			secrets = append(secrets, secretsOf(message.Variable(name), value)...)
		}
		s.redactor.Learn(secrets...) // before it is sent
		s.endpoint.Keys.Renew(values)
		return true
	}
}
