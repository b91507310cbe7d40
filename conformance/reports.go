package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/reports"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// Diff tells what changed from an old report to a new one. Reports about different
// documents, or versions of one, are a *SetupError unless across is set.
func Diff(old, now *report.Report, across bool) (*report.Diff, error) {
	d, err := reports.Diff(old, now, across)
	if err != nil {
		return nil, &SetupError{err}
	}
	return d, nil
}

// DiffTargets runs the plan against two targets, one after the other, and tells where they
// answer differently. Both get the same requests: Config.Target is not used. A target that
// cannot be tried is a *SetupError.
func DiffTargets(ctx context.Context, c Config, a, b string) (*report.TargetDiff, error) {
	if c.Cache == nil {
		c.Cache = &Cache{}
	}
	var both [2]*report.Report
	var seen [2]*answered
	for i, target := range []string{a, b} {
		c.Target, seen[i] = target, &answered{by: map[reports.Request]string{}}
		c.answered = seen[i]
		r, err := Run(ctx, c)
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, errors.New("interrupted: nothing was compared")
		case len(seen[i].by) == 0:
			why := "nothing was answered"
			if len(r.Summary.Reasons) > 0 {
				why = r.Summary.Reasons[0]
			}
			return nil, fmt.Errorf("%s cannot be compared: %s", r.Header.Target, why)
		}
		both[i] = r
	}
	return reports.Targets(both[0], both[1], seen[0].by, seen[1].by), nil
}

// answered keeps how each request of the plan was answered the first time.
type answered struct {
	redactor *redact.Redactor // for what the target chose
	mu       sync.Mutex
	by       map[reports.Request]string
}

// note keeps an answer, unless there is one of that request.
func (n *answered) note(c *plan.Case, step int, p *judge.Played) {
	text := "no answer"
	if p.Answer != nil {
		text = n.redactor.Text(p.Answer.String())
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	at := reports.Request{Case: c.ID, Step: step}
	if _, known := n.by[at]; !known {
		n.by[at] = text
	}
}

// Matrix puts the reports of several implementations of one document beside each other, in
// their order. The names are those of the implementations. It is a *SetupError if there is
// no report, or if the reports are about documents with different bytes.
func Matrix(list []report.Named) (*report.Matrix, error) {
	if len(list) == 0 {
		return nil, &SetupError{errors.New("no report: give one for each implementation")}
	}
	m, err := reports.Matrix(list)
	if err != nil {
		return nil, &SetupError{err}
	}
	return m, nil
}

// Merge joins the reports of all shards of a plan into the report that a run of the whole
// plan gives: the same verdicts, counts and observations. The names are those of the
// files, for messages. The pre-flight of each further shard does not count among the
// exchanges. Config.KnownFailures with its name and Today are applied to the whole; the
// rest of the config is not used.
//
// Each shard makes the examples of its own failures smaller, with values of its own. Of
// several, the merged report has the one that a whole run would choose, and not what all
// failing cases share.
//
// Reports that do not belong together, and shards that are missing or there twice, are a
// *SetupError.
func Merge(list []report.Named, c Config) (*report.Report, error) {
	known, err := readKnown(c)
	if err != nil {
		return nil, &SetupError{err}
	}
	m, err := reports.Merge(list)
	if err != nil {
		return nil, &SetupError{err}
	}
	r := m.Report
	known.mark(r.Results)
	known.check(r, requirementsOf(r))
	r.Findings = report.Findings(r.Results)
	reasons := append(m.Reasons, diagnose.Unsettled(r.Results, m.Reasons)...)
	r.Summary = summarise(r, diagnose.LeftOut(r.Results), m.Exchanges, reasons, report.Gate(r.Header.FailOn))
	return r, nil
}

// requirementsOf lists the requirements of a report, as far as known failures ask.
func requirementsOf(r *report.Report) []*requirement.Requirement {
	var out []*requirement.Requirement
	for _, x := range r.Results {
		out = append(out, &requirement.Requirement{ID: x.Requirement, Level: x.Level})
	}
	return out
}

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

// Propose lists the lines that a requirements file may have for a document. If there is a target,
// it runs the cases that show whether the lines are true, and says what was observed. The config
// must not have requirements. The error is that of Run.
func Propose(ctx context.Context, c Config) (*report.Proposals, error) {
	sends := c.Target != "" || c.Server != 0
	read := c
	if !sends {
		read = offline(c)
	}
	s, err := prepare(ctx, read, false, false)
	if err != nil {
		return nil, err
	}
	out := &report.Proposals{Version: report.Version, Document: s.header().Document, LeftOut: s.leftOut()}
	list := slices.DeleteFunc(requirement.Candidates(s.contract, s.set), func(one requirement.Candidate) bool { return s.aside[one.Op] })
	for _, one := range list {
		out.Lines = append(out.Lines, s.proposal(one))
	}
	if !sends {
		return out, nil
	}
	// One guess must not depend on another one: what was added to a list is looked for at its
	// front only where the newest is known to be there. Valid requests fill the lists.
	apart := []string{"", "newestFirst", "valid"}
	end := time.Now().Add(cmp.Or(c.MaxTime, DefaultMaxTime))
	results := map[string]*report.Result{}
	for i := range apart {
		part := slices.DeleteFunc(slices.Clone(list), func(one requirement.Candidate) bool { return max(slices.Index(apart, one.Key), 0) != i })
		if len(part) == 0 || time.Now().After(end) {
			continue
		}
		c.MaxTime = time.Until(end)
		if err := observe(ctx, c, part, out, results); err != nil {
			return nil, err
		}
	}
	for i, one := range list {
		out.Lines[i].Observed = observed(one.Rows, results)
	}
	return out, nil
}

// observe runs the cases of some lines, and adds their results.
func observe(ctx context.Context, c Config, list []requirement.Candidate, out *report.Proposals, results map[string]*report.Result) error {
	c.Requirements, c.RequirementsName, c.Only = assuming(list), "proposed", nil
	for _, one := range list {
		c.Only = append(c.Only, one.Rows...)
	}
	r, err := Run(ctx, c)
	if errors.Is(err, errNoCase) {
		return nil
	}
	if err != nil {
		return err
	}
	out.Target = r.Header.Target
	for _, reason := range r.Summary.Reasons {
		if !slices.Contains(out.Reasons, reason) {
			out.Reasons = append(out.Reasons, reason)
		}
	}
	for i := range r.Results {
		results[r.Results[i].Requirement] = &r.Results[i]
	}
	return nil
}

// proposal describes a candidate.
func (s *setup) proposal(one requirement.Candidate) report.Proposal {
	name := one.Op.Title()
	if s.contract.Find(name) != one.Op {
		name = one.Op.Slug // its path is told apart by a fragment
	}
	out := report.Proposal{Operation: name, Key: one.Key, Value: one.Value, Says: one.Says, Place: s.lineOf(one.Op.Pointer)}
	for _, e := range one.Evidence {
		e.Place = s.lineOf(e.Place)
		out.Evidence = append(out.Evidence, e)
	}
	return out
}

// lineOf is the file and the line of a pointer into the document.
func (s *setup) lineOf(pointer string) string {
	at := s.contract.Where(pointer)
	return at[:strings.LastIndexByte(at, ':')]
}

// assuming writes a requirements file in which all lines are accepted, but for those about valid
// requests: these are observed without being required.
func assuming(list []requirement.Candidate) []byte {
	var b strings.Builder
	b.WriteString("operations:\n")
	var of *openapi.Operation
	for _, one := range list {
		if one.Key == "valid" {
			continue
		}
		if one.Op != of {
			of = one.Op
			fmt.Fprintf(&b, "  %s:\n", strconv.QuoteToASCII(of.Slug))
		}
		fmt.Fprintf(&b, "    %s: %s\n", one.Key, one.Value)
	}
	return []byte(b.String())
}

// observed says in one line how the requirements of a line came out.
func observed(rows []string, results map[string]*report.Result) string {
	held, missing := false, ""
	for _, id := range rows {
		x := results[id]
		switch {
		case x == nil:
			missing = "no request can show it"
		case x.Verdict == report.Fail && len(x.Failures) > 0:
			return fmt.Sprintf(report.DoesNotHold+": expected %s, got %s", x.Failures[0].Expected, x.Failures[0].Got)
		case x.Verdict == report.Pass:
			held = true
		default:
			missing = x.Reason
		}
	}
	switch {
	case held && missing == "":
		return report.Holds
	case held:
		return report.Holds + ", as far as it was observed"
	}
	return report.NotObserved + ": " + missing
}
