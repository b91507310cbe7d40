package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
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
	byRequirement, of := map[string]bool{}, map[*openapi.Operation]bool{}
	for _, r := range s.set.List {
		if sel.Keeps([]string{r.ID}) {
			byRequirement[r.ID] = len(only) > 0
			of[r.Op] = len(only) > 0
			s.selected[r.ID] = true
		}
	}
	var kept []*plan.Case
	for _, c := range s.cases {
		names := []string{c.ID, c.Class.Slug}
		// A case about what earlier requests did meets states that no other case reaches, and any
		// requirement of its operation may fail there.
		wanted := len(only) == 0 || len(c.Class.Rules) > 0 && !c.Class.Hinted && of[c.Op.First()]
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

// setAside finds the operations that are not tried: those that the values file calls
// unreachable, and those that --include and --exclude do not select.
func (s *setup) setAside() error {
	s.aside = map[*openapi.Operation]bool{}
	used := map[string]bool{}
	selects := func(patterns, names []string) bool {
		found := false
		for _, p := range patterns {
			if slices.ContainsFunc(names, func(n string) bool { return plan.Match(p, n) }) {
				used[p], found = true, true
			}
		}
		return found
	}
	include, exclude := s.config.Include, s.config.Exclude
	s.unasked, s.onlyOwn, s.wary = map[*openapi.Operation]bool{}, map[*openapi.Operation]bool{}, map[*openapi.Operation]bool{}
	for _, op := range s.contract.Operations {
		names := namesOf(op)
		in, out := selects(include, names), selects(exclude, names)
		s.aside[op] = len(include) > 0 && !in || out || s.given.Unreachable[op] != ""
		hinted := (hints.Disruption(op.Method, op.Path, op.ID) != "" || s.sweeps(op)) && !s.reach.Deletable(op)
		named := slices.ContainsFunc(ownNames(op), func(name string) bool { return slices.Contains(include, name) })
		switch {
		case !hinted:
		case s.config.AllowDisruptive || named:
			s.wary[op] = true
		case s.reach.OfOwn(op):
			s.onlyOwn[op] = true
		default:
			s.unasked[op], s.aside[op] = true, true
		}
	}
	s.omitted = nil
	for _, o := range s.contract.Omitted {
		names := namesOf(o.Operation)
		in, out := selects(include, names), selects(exclude, names)
		if (len(include) == 0 || in) && !out {
			s.omitted = append(s.omitted, o)
		}
	}
	for _, p := range slices.Concat(include, exclude) {
		if !used[p] {
			return s.noOperation(p)
		}
	}
	for op, aside := range s.aside {
		if !aside {
			delete(s.aside, op)
		}
	}
	if len(s.aside) == len(s.contract.Operations) && len(s.omitted) > 0 {
		return fmt.Errorf("no operation is left to try: %s", s.whyOmitted(s.omitted[0]))
	}
	if len(s.aside) == len(s.contract.Operations) {
		if why := s.unsent(); why != "" {
			return errors.New("no operation is left to try: " + why)
		}
		return errors.New("no operation is left to try: change --include, --exclude or what the values file calls unreachable")
	}
	return nil
}

// unsent names the operations that are not sent unasked, and the flag for them.
func (s *setup) unsent() string {
	var names []string
	for _, op := range s.contract.Operations {
		if s.unasked[op] {
			names = append(names, op.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + ": not sent, because it may harm others or their data: --allow-disruptive, or --include with the whole name"
}

// sweeps reports whether an operation may delete or change all of a collection, other people's
// things too: a DELETE that nothing in its request has to name, of a path that another operation
// reads, adds to or names a part of, or a PUT or PATCH of a path that shows a list of the things
// that other paths name. Below a thing, it is about all items of that thing. A parameter that
// chooses from a list, as in DELETE /search?query=a, names no single thing. If a PUT makes a thing at a
// path, the path is about that thing, whatever lists it has.
func (s *setup) sweeps(op *openapi.Operation) bool {
	shown, listed, adds, items := false, false, false, false
	for _, o := range s.contract.Operations {
		if o.Path == op.Path && resource.Creates(o) {
			return false
		}
		shown = shown || o.Method == http.MethodGet && o.Path == op.Path
		lists := o.Method == http.MethodGet && o.Path == op.Path && o.Listing != nil
		listed = listed || lists
		adds = adds || o.Method == http.MethodPost && o.Path == op.Path && o.Body != nil
		items = items || strings.HasPrefix(o.Path, strings.TrimSuffix(op.Path, "/")+"/{") || lists && s.reach.Gives(o)
	}
	if slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool { return p.Required && p.In != "path" }) && !(listed && op.Method == http.MethodDelete) {
		return false
	}
	switch op.Method {
	case http.MethodDelete:
		all := shown || adds || items
		if strings.Contains(op.Path, "{") {
			all = shown && items
		}
		return all && (op.Body == nil || !op.Body.Required)
	case http.MethodPut, http.MethodPatch:
		return listed && items
	}
	return false
}

// ownNames are the texts that stand for an operation alone.
func ownNames(op *openapi.Operation) []string {
	return []string{op.Name(), op.Slug, op.Path, op.Method + " " + op.Path}
}

// tests reports whether --include and --exclude select an operation.
func (c Config) tests(op *openapi.Operation) bool {
	in := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			return slices.ContainsFunc(namesOf(op), func(n string) bool { return plan.Match(p, n) })
		})
	}
	return (len(c.Include) == 0 || in(c.Include)) && !in(c.Exclude)
}

// namesOf are the texts that a pattern can select an operation by.
func namesOf(op *openapi.Operation) []string {
	out := append([]string{op.Slug, op.Method, op.Path, op.Method + " " + op.Path}, op.Tags...)
	if op.ID != "" {
		out = append(out, op.ID)
	}
	return out
}

// noOperation is the error for a pattern that selects nothing.
func (s *setup) noOperation(pattern string) error {
	var known []string
	for _, op := range s.contract.Operations {
		for _, name := range namesOf(op) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	hint := cmp.Or(nearest.Hint(pattern, known), "use an operationId, a tag, a method or a path of the document")
	return fmt.Errorf("pattern %q matches no operation: %s", pattern, hint)
}
