package conformance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
	"plantstore/internal/fetch"
	"plantstore/internal/parallel"
)

// SetupError is a mistake in the input: configuration, document, requirements
// file or selection. Its text is one line that says what to do.
type SetupError struct{ Err error }

// Error returns the line.
func (e *SetupError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *SetupError) Unwrap() error { return e.Err }

// Run tests the target and returns the report. The report is nil if nothing was
// sent. The error is then a *SetupError, or says that the context or MaxTime ended
// the run while the document was read. Later problems are in the report.
func Run(ctx context.Context, c Config) (*report.Report, error) {
	began, outer := time.Now(), ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.MaxTime, DefaultMaxTime))
	defer cancel()
	selected := len(c.Only)+len(c.Skip) > 0
	if c.Shards > 0 && len(c.KnownFailures) > 0 {
		return nil, &SetupError{errors.New("a shard cannot tell which known failures are out of date: give their file to conformance merge")}
	}
	known, err := readKnown(c)
	if err != nil {
		return nil, &SetupError{err}
	}
	s, err := prepare(ctx, c, true, selected)
	if err != nil {
		return nil, err
	}
	if each := s.plan.Effort.Requests; each > 0 && c.Estimated != nil {
		c.Estimated(each * len(s.contract.Operations))
	}
	// The cases are made while the pre-flight waits for the target.
	var filled error
	filling := parallel.Start(func() {
		if !selected {
			filled = s.fill(ctx)
		}
	})
	s.await(ctx)
	target := s.target()
	settled := target.LearnInShare(ctx)
	filling.Wait()
	switch {
	case filled != nil && ctx.Err() != nil:
		s.cleanUp(ctx, outer, target) // the pre-flight made things meanwhile
		return nil, errors.New(ended(ctx))
	case filled != nil:
		return nil, &SetupError{filled}
	}
	return s.run(ctx, outer, target, settled, known, began), nil
}

// run tries the cases and says what came of it: the way of every case, in a line. The
// outer context is that of the caller, without the time limit.
func (s *setup) run(ctx, outer context.Context, target *explore.Target, settled bool, known *known, began time.Time) *report.Report {
	c := s.config
	out := &report.Report{Version: report.Version, Tool: Tool, Header: s.header()}
	out.Header.Generation = target.Facts.Generation
	if c.Started != nil {
		c.Started(out.Header)
	}
	elsewhere := s.elsewhere()
	s.judge.Cover(s.cases)
	check := s.crossCheck()
	settings := execute.Settings{Workers: cmp.Or(c.Workers, defaultWorkers), Spare: c.Workers == 0, Settle: c.Settle, Wait: c.Wait, Progress: c.Progress}
	s.tell(&settings)
	run := execute.New(target, s.judge, settings, s.cases, settled)
	explainer := diagnose.NewExplainer(run, s.replayCommand)
	if c.Trace != nil {
		run.Trace = explainer.Trace(c.Trace)
	}
	if c.answered != nil {
		c.answered.redactor = s.redactor
		run.Trace = c.answered.note
	}
	if c.FailFast {
		run.Stops = func(f *judge.Failure) bool { return s.fails(f.At, f, known) }
	}
	if s.plan.Cut != "" {
		target.Because(s.plan.Cut)
	}
	s.openings(target, settled)
	if settled {
		target.LearnValues(ctx)
	}
	preflight := target.Exchanges()
	s.cover(s.cases)
	cases, enough := s.beforeTheEnd(ctx)
	defer enough()
	if elsewhere == nil { // else the other shards rely on it
		s.judge.Enough = cases.Done()
	}
	examining := parallel.Start(s.judge.Examine)
	explored := time.Now()
	run.All(cases)
	late, all := cases.Err() != nil, ""
	if errors.Is(cases.Err(), context.DeadlineExceeded) {
		all = allTake(run, began, explored)
	}
	diagnosis, found := s.diagnose(ctx, run, explainer)
	if run.Stopped() && !slices.ContainsFunc(found, func(f diagnose.Finding) bool {
		return s.fails(f.At, f.Failure, known) && !known.expects(s.alone(explainer, &f))
	}) {
		run.Resume(cases)
		late = cases.Err() != nil
		diagnosis, found = s.diagnose(ctx, run, explainer)
	}
	diagnosis.Known, diagnosis.Shard = known.mark, elsewhere
	out.CleanUp = s.cleanUp(ctx, outer, target)
	if target.Ended == "" {
		found = diagnosis.CleanedUp(ctx, found)
	}
	examining.Wait() // behind what needs the time of the run
	failures := map[int][]report.Failure{}
	for i := range found {
		failures[found[i].At] = append(failures[found[i].At], explainer.Failure(&found[i]))
		if elsewhere != nil {
			elsewhere.Ways[found[i].At] = append(elsewhere.Ways[found[i].At], diagnosis.Way(&found[i]))
		}
	}
	out.Results, out.Observed = diagnosis.Results(failures, s.isSelected)
	leftOut := diagnose.LeftOut(out.Results)
	s.place(out.Results)
	s.remedy(out.Results)
	s.pending(out.Results, elsewhere)
	known.check(out, s.set.List)
	over := s.waits("asking for a second opinion")
	out.Second = check.Ask(ctx)
	over()
	out.Facts = target.Facts.List(s.contract.Operations)
	out.Reach = s.reached(target)
	switch {
	case ctx.Err() != nil:
		target.Reasons = slices.Insert(target.Reasons, 0, ended(ctx)+all)
	case late:
		target.Reasons = slices.Insert(target.Reasons, 0, ended(cases)+all)
	}
	if run.Stopped() {
		target.Reasons = slices.Insert(target.Reasons, 0, "the run ended at the first failure (--fail-fast)")
	}
	s.part(out, elsewhere, check, preflight)
	out.Findings = report.Findings(out.Results)
	s.hide(out, target.Reasons)
	reasonsOfShard(out, target.Reasons)
	out.Summary = summarise(out, leftOut, target.Exchanges(), target.Reasons, c.FailOn)
	out.Times = target.Times(began)
	out.Times.Examples = examples(found, failures, explainer)
	return out
}

// beforeTheEnd returns the context of the cases.
func (s *setup) beforeTheEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, _ := ctx.Deadline()
	return context.WithDeadline(ctx, deadline.Add(-keptTime(cmp.Or(s.config.MaxTime, DefaultMaxTime), len(s.set.List))))
}

// resultTime is how long the result of a requirement takes to be made and written.
const resultTime = 50 * time.Microsecond

// keptTime returns how much of the time limit is kept from the cases: a tenth to try failures again,
// and the time that the results take, but no more than a half.
func keptTime(limit time.Duration, requirements int) time.Duration {
	return min(limit/10+time.Duration(requirements)*resultTime, limit/2)
}

// allTake says how much time a run would take that tries all cases at the pace of those that were
// tried, with the part that is kept. It says nothing if there is no pace.
func allTake(run *execute.Run, began, explored time.Time) string {
	tried, planned := 0, 0
	for _, c := range run.Cases {
		switch r := run.Record(c); {
		case r != nil && r.State == judge.Inapplicable:
			continue
		case r != nil && r.State == judge.Tried:
			tried++
		}
		planned++
	}
	if tried == 0 {
		return ""
	}
	cases := time.Duration(float64(time.Since(explored)) * float64(planned) / float64(tried))
	minutes := math.Ceil((explored.Sub(began) + cases).Minutes() * 10 / 9)
	return fmt.Sprintf(": at this pace all cases take about %.0f minutes: give --max-time %.0fm, or fewer operations with --include", minutes, minutes)
}

// examples says when the steps of the reported failures were sent.
func examples(found []diagnose.Finding, failures map[int][]report.Failure, e *diagnose.Explainer) (out []report.StepTimes) {
	seen := map[int]int{} // of each requirement
	for i := range found {
		at := found[i].At
		if n := failures[at][seen[at]].N; n > 0 {
			out = append(out, e.Times(&found[i], n)...)
		}
		seen[at]++
	}
	slices.SortStableFunc(out, func(a, b report.StepTimes) int { return cmp.Compare(a.Failure, b.Failure) })
	return out
}

// diagnose finds the causes of the failures, and tells of each that was tried again.
func (s *setup) diagnose(ctx context.Context, run *execute.Run, e *diagnose.Explainer) (*diagnose.Diagnosis, []diagnose.Finding) {
	defer s.waits("trying failures again")()
	var seen func(*diagnose.Finding)
	if s.config.Confirmed != nil {
		seen = func(f *diagnose.Finding) {
			s.config.Confirmed(s.unjudged(f.At), e.Failure(f))
		}
	}
	return diagnose.Diagnose(ctx, run, seen, causes.List()...)
}

// unjudged describes a requirement, by its index in Bound, before its verdict is known.
func (s *setup) unjudged(at int) report.Result {
	b := &s.judge.Bound[at]
	return report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String()}
}

// alone is the result of a requirement with one failure.
func (s *setup) alone(e *diagnose.Explainer, f *diagnose.Finding) report.Result {
	out := s.unjudged(f.At)
	out.Verdict, out.Operation, out.Failures = report.Fail, s.judge.Bound[f.At].Op.Title(), []report.Failure{e.Failure(f)}
	return out
}

// fails reports whether a failure of the requirement, by its index in Bound, makes the
// target not conformant.
func (s *setup) fails(at int, f *judge.Failure, known *known) bool {
	b := &s.judge.Bound[at]
	return (b.Level.Gates(s.config.FailOn) || diagnose.Category(b, f).Gates(s.config.FailOn)) && !known.has(b.ID)
}

// cleanUp deletes what was made, unless the user keeps it.
func (s *setup) cleanUp(ctx, outer context.Context, t *explore.Target) *report.CleanUp {
	if s.config.Keep {
		return nil
	}
	ctx, cancel := afterwards(ctx, outer, cmp.Or(s.config.MaxTime, DefaultMaxTime))
	defer cancel()
	defer s.waits("deleting what the run made (--keep leaves it)")()
	return t.CleanUp(ctx)
}

// afterwards returns the context of what follows a run. If the time limit ended the run,
// a tenth of the limit is left for that. A user who interrupts waits for nothing more.
func afterwards(ctx, outer context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && outer.Err() == nil {
		return context.WithTimeout(outer, limit/10)
	}
	return context.WithCancel(ctx)
}

// ended says why the context of a run did.
func ended(ctx context.Context) string {
	if ctx.Err() == context.DeadlineExceeded {
		return "the run reached its time limit (see --max-time)"
	}
	return "the run was interrupted"
}

// DefaultMaxTime is how long a run may take where MaxTime is zero.
const DefaultMaxTime = 5 * time.Minute

// Cache keeps what a run makes from a document before it looks at the target:
// the contract, the requirements and the plan. Runs that share a cache, and
// differ neither in the document nor in values, seed, draws or in which credentials
// are given, make them once.
// What a run sends and says stays the same. The zero value is ready to use, and
// several runs may use it at the same time.
type Cache struct {
	mu    sync.Mutex
	order []cacheKey
	made  map[cacheKey]func() (*setup, error)
}

// cacheKey is a digest of all that a plan depends on.
type cacheKey [sha256.Size]byte

// cachedPlans bounds the plans that a cache keeps: some megabytes each.
const cachedPlans = 8

// setUp is like the function setUp, with the cases made, and uses the cache if it has
// them. The result belongs to the caller; what it points to is shared.
func (k *Cache) setUp(c Config) (*setup, error) {
	made, err := k.entry(c)()
	if err != nil {
		return nil, err
	}
	s := *made
	s.config = c
	s.bind()
	return &s, nil
}

// cover says which cases the judge is asked about, and uses what other runs with the same
// plan found about them.
func (s *setup) cover(cases []*plan.Case) {
	c := s.config
	// A new credential may come while cases are sent.
	if s.examined == nil || len(cases) != len(s.plan.Cases) || len(c.Renew) > 0 {
		s.judge.Cover(cases)
		return
	}
	key := fmt.Sprintf("%q %q %q %q %t %t %s %q", c.Token, c.Auth, c.AuthOther, s.endpoint.Headers, c.NameCases, c.TraceParent, s.endpoint.Target.Scheme, s.endpoint.Target.Prefix)
	s.judge.CoverOnce(s.examined, key, cases)
}

// entry finds or begins the entry of a config, and forgets the oldest one.
func (k *Cache) entry(c Config) func() (*setup, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q %q %q %q %q %q %d %d %q", c.Include, c.Exclude, c.Effort, c.SpecName, c.Spec, c.RequirementsName, c.Requirements, c.Values, c.ValuesName, c.ValuesFile, c.Seed, c.Draws, c.credentials())
	key := cacheKey(h.Sum(nil))
	k.mu.Lock()
	defer k.mu.Unlock()
	if made, found := k.made[key]; found {
		return made
	}
	if len(k.order) == cachedPlans {
		delete(k.made, k.order[0])
		k.order = k.order[1:]
	}
	if k.made == nil {
		k.made = map[cacheKey]func() (*setup, error){}
	}
	// No run's end stops what others wait for too.
	made := sync.OnceValues(func() (*setup, error) {
		s, err := setUpAnew(c)
		if err != nil {
			return nil, err
		}
		s.config, s.endpoint, s.judge, s.filled = Config{}, nil, nil, true // the rest is each run's own
		s.examined = new(judge.Shared)
		return s, s.plan.Fill(context.Background(), catalogue())
	})
	k.order, k.made[key] = append(k.order, key), made
	return made
}

// Efforts returns the values that Config.Effort can have, the smallest effort first.
func Efforts() []string {
	var out []string
	for _, e := range plan.Efforts() {
		out = append(out, e.Name)
	}
	return out
}

// catalogue is what a plan is made from, in order: single requests, sequences, scenarios.
func catalogue() []plan.Mutator {
	return slices.Concat(mutate.List(), mutate.Sequences(), checks.Scenarios())
}

// source says where the document is and what it may refer to.
func source(c Config) (openapi.Source, error) {
	out := openapi.Source{Folder: c.Files}
	if c.Location != "" {
		at, err := fetch.At(c.Location)
		if err != nil {
			return out, err
		}
		out.At = at
	}
	allowed, err := fetch.Allow(c.AllowRef, out.At)
	out.Outside = allowed
	return out, err
}
