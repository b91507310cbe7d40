package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

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
