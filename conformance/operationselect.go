package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/nearest"
)

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
		hinted := hints.Disruption(op.Method, op.Path, op.ID) != "" && !s.reach.Deletable(op)
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
	return strings.Join(names, ", ") + ": not sent, because the name suggests a disruption: --allow-disruptive, or --include with the whole name"
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
