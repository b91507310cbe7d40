package conformance

import (
	"errors"
	"fmt"
	"slices"

	"plantstore/conformance/internal/plan"
)

// errNoCase is the error of a selection that leaves nothing to send.
var errNoCase = errors.New("no case is left")

// choose applies the selection: of requirements and cases, then of operations.
func (s *setup) choose() error {
	if err := s.byPattern(); err != nil {
		return err
	}
	return s.leaveAside()
}

// leaveAside takes out the cases and the requirements of operations that are not
// tried.
func (s *setup) leaveAside() error {
	if len(s.aside) == 0 {
		return nil
	}
	if s.selected == nil {
		s.selected = map[string]bool{}
		for _, r := range s.set.List {
			s.selected[r.ID] = true
		}
	}
	for _, r := range s.set.List {
		if s.aside[r.Op] {
			delete(s.selected, r.ID)
		}
	}
	s.cases = slices.DeleteFunc(slices.Clone(s.cases), func(c *plan.Case) bool { return s.aside[c.Op.First()] })
	if len(s.cases) == 0 {
		return fmt.Errorf("%w of the operations that are tried: change the selection or the values file", errNoCase)
	}
	return nil
}

// byPattern applies --only and --skip. A pattern over requirement ids chooses
// requirements and the cases that can try them; a pattern over case ids or
// class slugs chooses cases.
func (s *setup) byPattern() error {
	only, skip := s.config.Only, s.config.Skip
	if len(only)+len(skip) == 0 {
		return nil
	}
	sel := plan.Selection{Only: only, Skip: skip}
	s.cover(s.cases)
	s.judge.Examine()
	s.selected = map[string]bool{}
	byRequirement := map[string]bool{}
	for _, r := range s.set.List {
		if sel.Keeps([]string{r.ID}) {
			byRequirement[r.ID] = len(only) > 0
			s.selected[r.ID] = true
		}
	}
	var kept []*plan.Case
	for _, c := range s.cases {
		names := []string{c.ID, c.Class.Slug}
		wanted := len(only) == 0
		covered := s.covered(c)
		for _, id := range covered {
			wanted = wanted || byRequirement[id]
		}
		direct := len(only) > 0 && (&plan.Selection{Only: only}).Keeps(names)
		if !sel.Keeps(names) && !wanted || (&plan.Selection{Only: skip}).Keeps(names) && len(skip) > 0 {
			continue
		}
		if direct {
			for _, id := range covered {
				if (&plan.Selection{Skip: skip}).Keeps([]string{id}) {
					s.selected[id] = true
				}
			}
		}
		kept = append(kept, c)
	}
	s.selectOmitted(&sel)
	if err := sel.Unused(s.names()); err != nil {
		return err
	}
	if len(kept) == 0 && len(only) > 0 && len(s.omitted) > 0 {
		return fmt.Errorf("--only and --skip leave only operations that are left out: %s", s.whyOmitted(s.omitted[0]))
	}
	if len(kept) == 0 {
		return fmt.Errorf("%w with --only and --skip: change them (see conformance list)", errNoCase)
	}
	s.cases = kept
	return nil
}

// names are those that a pattern can match, without the numbers of cases.
func (s *setup) names() []string {
	names := s.set.IDs()
	for _, c := range s.cases {
		names = append(names, c.Class.Slug)
	}
	return slices.Compact(names)
}

// covered lists the ids of the requirements that a case can try.
func (s *setup) covered(c *plan.Case) []string {
	var ids []string
	s.judge.Covers(c).Each(func(at int) { ids = append(ids, s.judge.Bound[at].ID) })
	return ids
}

// selection words the patterns for the report.
func (s *setup) selection() []string {
	var out []string
	for _, p := range s.config.Only {
		out = append(out, "only "+p)
	}
	for _, p := range s.config.Skip {
		out = append(out, "skip "+p)
	}
	for _, p := range s.config.Include {
		out = append(out, "include "+p)
	}
	for _, p := range s.config.Exclude {
		out = append(out, "exclude "+p)
	}
	for _, op := range s.contract.Operations {
		if s.given.Unreachable[op] != "" {
			out = append(out, "unreachable "+op.Name())
		}
		if s.unasked[op] {
			out = append(out, "without "+op.Name())
		}
	}
	return out
}

// isSelected reports whether a requirement is reported.
func (s *setup) isSelected(id string) bool { return s.selected == nil || s.selected[id] }
