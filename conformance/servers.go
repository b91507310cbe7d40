package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/secondopinion"
	"plantstore/conformance/report"
	"plantstore/internal/fetch"
	"plantstore/internal/nearest"
)

// aim returns the target: the one of the config, or the server of the document that it
// chooses.
func (s *setup) aim() (exchange.Target, error) {
	c := s.config
	switch {
	case c.Server == 0 && len(c.ServerVariables) > 0:
		return exchange.Target{}, errors.New("--server-variable without --server: add --server N with the number of a server of the document")
	case c.Server == 0:
		return exchange.ParseTarget(c.Target)
	case c.Target != "":
		return exchange.Target{}, errors.New("both --target and --server are set: use only one of them")
	}
	address, err := s.server()
	if err != nil {
		return exchange.Target{}, err
	}
	address = s.served(address)
	if !strings.Contains(address, "://") {
		return exchange.Target{}, fmt.Errorf("--server %d: its URL, %q, has no host: give --target with the host", c.Server, address)
	}
	target, err := exchange.ParseTarget(address)
	if err != nil {
		return target, fmt.Errorf("--server %d: %q: %w", c.Server, address, err)
	}
	return target, nil
}

// server returns the address of the server that the config chooses.
func (s *setup) server() (string, error) {
	c, list := s.config, s.contract.Servers()
	switch {
	case len(list) == 0:
		return "", fmt.Errorf("--server %d: the document names no servers: give --target instead", c.Server)
	case c.Server < 1 || c.Server > len(list):
		return "", fmt.Errorf("--server %d: the document names %d servers: use a number from 1 to %d", c.Server, len(list), len(list))
	}
	chosen := list[c.Server-1]
	for _, name := range slices.Sorted(maps.Keys(c.ServerVariables)) {
		if known := chosen.Variables(); !slices.Contains(known, name) {
			return "", fmt.Errorf("--server-variable %s: server %d has no such variable: use one of %s", name, c.Server, cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	return chosen.Address(c.ServerVariables)
}

// servers returns the addresses of the servers of the document. Variables without a
// default stay in braces.
func (s *setup) servers() []string {
	var out []string
	for _, x := range s.contract.Servers() {
		address, err := x.Address(nil)
		if err != nil {
			address = x.URL
		}
		out = append(out, s.served(address))
	}
	return out
}

// served resolves the URL of a server, which is relative to the address of the
// document (OpenAPI 3.1, 4.8.5.1).
func (s *setup) served(address string) string {
	ref, err := url.Parse(address)
	if err != nil || ref.IsAbs() || !fetch.IsAddress(s.config.Location) {
		return address
	}
	at, err := fetch.Parse(s.config.Location)
	if err != nil {
		return address
	}
	at.User = nil
	return at.ResolveReference(ref).String()
}

// warnOfPrefix tells the user if the target lacks the path that all servers of the
// document have.
func (s *setup) warnOfPrefix(target exchange.Target) {
	prefix := s.contract.Prefix()
	if s.config.Warn == nil || strings.Contains(target.Prefix+"/", prefix+"/") {
		return
	}
	// A target that has the beginning of the path gets only the rest.
	with := target
	segments := strings.Split(prefix[1:], "/")
	for n := len(segments) - 1; n >= 0; n-- {
		if begin := strings.Join(append([]string{""}, segments[:n]...), "/"); strings.HasSuffix(target.Prefix, begin) {
			with.Prefix = strings.TrimSuffix(target.Prefix, begin) + prefix
			break
		}
	}
	s.config.Warn(fmt.Sprintf("all servers of the document have the path %s, and the target does not: if yours has it, use --target %s", prefix, with))
}

// warnOfKeywords tells the user of members of schemas that are ignored and look like keywords.
func (s *setup) warnOfKeywords() {
	if s.config.Warn == nil {
		return
	}
	var list []string
	seen := map[string]bool{}
	known := slices.DeleteFunc(schema.Keywords(), func(k string) bool { return len(k) < shortest })
	s.contract.UnknownKeywords(func(pointer, name string) {
		near, where := nearest.Names(name, known), s.contract.Where(pointer)
		if len(near) > 0 && len(name) >= shortest && strings.EqualFold(near[0][:1], name[:1]) && !seen[where] {
			seen[where] = true
			list = append(list, fmt.Sprintf("%s (%s), did you mean %s?", name, where, near[0]))
		}
	})
	if more := len(list) - maxTold; more > 0 {
		list = append(list[:maxTold], fmt.Sprintf("and %d more", more))
	}
	if len(list) > 0 {
		s.config.Warn("the document has members in schemas that are no keywords, and are ignored: " + strings.Join(list, "; "))
	}
}

// shortest is the length of the shortest keywords and names that are compared: too many names are like
// a shorter keyword.
const shortest = 5

// file returns the path of the document with slashes; empty if it is not a file.
func (s *setup) file() string {
	if s.config.Location == "" || fetch.IsAddress(s.config.Location) {
		return ""
	}
	return path.Clean(filepath.ToSlash(s.config.Location))
}

// place says where the clauses of failed requirements stand. Of others nobody asks, and
// finding a line takes a pass over a large document.
func (s *setup) place(list []report.Result) {
	for i := range list {
		if list[i].Verdict == report.Fail {
			list[i].Place = s.placeOf(list[i].Requirement)
		}
	}
}

// placeOf is where the clause of a requirement stands; nil if that is no file.
func (s *setup) placeOf(id string) *report.Place {
	document, r := s.file(), s.set.Find(id)
	if document == "" || r == nil || r.Clause.Pointer == "" {
		return nil
	}
	switch other, line := s.contract.Line(r.Clause.Pointer); {
	case line == 0 || strings.Contains(other, "://"):
		return nil
	case other == "":
		return &report.Place{File: document, Line: line}
	default:
		return &report.Place{File: path.Join(path.Dir(document), other), Line: line}
	}
}

// secondBytes is the largest document that libopenapi is given: it takes some
// twenty times as much memory.
const secondBytes = 1 << 20

// crossCheck keeps the answers of a run for the second opinion.
func (s *setup) crossCheck() *secondopinion.Check {
	check := &secondopinion.Check{Open: s.second, Redactor: s.redactor}
	s.judge.Noted = check.Note
	return check
}

// second opens the second opinion on the document of a run.
func (s *setup) second() (secondopinion.Second, error) {
	if s.contract.Size > secondBytes {
		return nil, errors.New("the document is larger than 1 MiB")
	}
	r, err := secondopinion.New(s.contract.Document())
	if err != nil {
		return nil, err
	}
	return func(op *openapi.Operation, status int, contentType string, body []byte) (bool, string) {
		o := r.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: status, ContentType: contentType, Body: body})
		return o.OK, o.Why
	}, nil
}

// sent says which mutators make the cases that can test a requirement.
type sent struct {
	by    []map[string]bool // the names of mutators, by the index of the requirement
	tests map[string]int    // how many requirements the cases of a mutator can test
	order map[string]int    // the place of a mutator in the catalogues
}

func newSent(requirements int) *sent {
	s := &sent{by: make([]map[string]bool, requirements), tests: map[string]int{}, order: map[string]int{}}
	for i, m := range catalogue() {
		s.order[m.Name] = i
	}
	return s
}

// note says that a case of the mutator can test a requirement.
func (s *sent) note(mutator string, requirement int) {
	if s.by[requirement] == nil {
		s.by[requirement] = map[string]bool{}
	}
	if !s.by[requirement][mutator] {
		s.by[requirement][mutator] = true
		s.tests[mutator]++
	}
}

// of lists the mutators of a requirement. Those that test little else come first: they
// are the ones that are made for it.
func (s *sent) of(requirement int) []string {
	var out []string
	for name := range s.by[requirement] {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.tests[a], s.tests[b]), cmp.Compare(s.order[a], s.order[b]))
	})
	return out
}

// mutators lists those that make a case.
func (s *sent) mutators() []report.ListedMutator {
	var out []report.ListedMutator
	for _, m := range catalogue() {
		if s.tests[m.Name] > 0 {
			out = append(out, report.ListedMutator{Name: m.Name, Doc: m.Doc})
		}
	}
	return out
}
