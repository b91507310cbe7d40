package conformance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
	"plantstore/spec"
)

// Explain describes the requirement, the class or the case with that id. For a
// class and a case it says which entry of the catalogues makes it, what it is
// expected to be, and which requirements it can fail. An unknown id is a
// *SetupError that names similar ones.
func Explain(ctx context.Context, c Config, id string) (*report.Explanation, error) {
	c = offline(c)
	if strings.Contains(id, "/others/") || strings.Contains(id, "-others-") {
		c.Getenv = anotherPrincipal
	}
	s, err := prepare(ctx, c, false, true)
	if err != nil {
		return nil, err
	}
	if r := s.set.Find(id); r != nil {
		return s.explainRequirement(r), nil
	}
	cases := s.casesOf(id)
	if len(cases) == 0 {
		return nil, &SetupError{s.unknown(id)}
	}
	return &report.Explanation{Class: s.explainClass(id, cases)}, nil
}

// anotherPrincipal gives every scheme the credential of another principal, and nothing
// else. The cases that send it are only in the plan of a run that has one.
func anotherPrincipal(variable string) string {
	if strings.HasPrefix(variable, message.OtherVariable("")) {
		return "another principal"
	}
	return ""
}

// explainRequirement says what a requirement asks for and what tries it.
func (s *setup) explainRequirement(r *requirement.Requirement) *report.Explanation {
	out := &report.Explanation{ListingEntry: entry(r)}
	if rule := s.ruleOf(r); rule != nil {
		out.Doc, out.Fix, out.File = rule.Explanation, rule.Fix, sourceOf(rule.Check)
	}
	s.cover(s.plan.Cases)
	s.judge.Examine()
	var example *plan.Case
	at := map[string]int{}
	for _, k := range s.plan.Cases {
		for _, covered := range s.covered(k) {
			if covered != r.ID {
				continue
			}
			out.Cases++
			i, ok := at[k.Class.Slug]
			if !ok {
				i = len(out.Classes)
				at[k.Class.Slug] = i
				out.Classes = append(out.Classes, report.ClassCount{Class: k.Class.Slug})
			}
			out.Classes[i].Judged++
			if better(k, example) {
				example = k
			}
		}
	}
	if example != nil {
		out.Example = s.example(example)
	}
	return out
}

// ruleOf is the rule that judges a requirement.
func (s *setup) ruleOf(r *requirement.Requirement) *requirement.Rule {
	for i := range s.rules {
		if s.rules[i].Name == r.Rule {
			return &s.rules[i]
		}
	}
	return nil
}

// remedy says of failed requirements how to fix the server.
func (s *setup) remedy(list []report.Result) {
	for i := range list {
		if list[i].Verdict == report.Fail {
			list[i].Fix = s.remedyOf(list[i].Requirement)
		}
	}
}

// remedyOf says how to fix a server that fails a requirement.
func (s *setup) remedyOf(id string) string {
	if r := s.set.Find(id); r != nil {
		if rule := s.ruleOf(r); rule != nil {
			return rule.Fix
		}
	}
	return ""
}

// casesOf lists the cases of a class, or the one case with that id.
func (s *setup) casesOf(id string) []*plan.Case {
	var out []*plan.Case
	for _, k := range s.plan.Cases {
		if k.ID == id || k.Class.Slug == id {
			out = append(out, k)
		}
	}
	return out
}

// explainClass says what makes the cases of a class, or one of them, and what
// they are expected to be.
func (s *setup) explainClass(id string, cases []*plan.Case) *report.ClassExplanation {
	class := cases[0].Class
	out := &report.ClassExplanation{ID: id, Class: class.Slug, Operation: cases[0].Op.Title(),
		Cases: class.Cases, Steps: cases[0].Steps(), Mutator: class.Mutator, Expected: class.Expected.String(),
		Place: class.Place.Name, Kind: class.Kind, Example: s.example(cases[0])}
	for _, m := range catalogue() {
		if m.Name == class.Mutator {
			out.Doc, out.File = m.Doc, sourceOf(m.Classes)
			if m.Each != nil {
				out.File = sourceOf(m.Each)
			}
		}
	}
	s.judge.Cover(s.casesOf(class.Slug)) // its first cases stand for the others
	counts := map[string]int{}
	for _, k := range cases {
		for _, covered := range s.covered(k) {
			counts[covered]++
		}
	}
	for _, r := range s.set.List {
		if n := counts[r.ID]; n > 0 {
			e := entry(r)
			e.Cases = n
			out.Requirements = append(out.Requirements, e)
		}
	}
	return out
}

// unknown is the error for an id that names nothing.
func (s *setup) unknown(id string) error {
	known := s.set.IDs()
	seen := map[*plan.Class]bool{}
	for _, k := range s.plan.Cases {
		if !seen[k.Class] {
			seen[k.Class] = true
			known = append(known, k.Class.Slug)
		}
		if draw, ok := strings.CutPrefix(id, k.Class.Slug+"/"); ok && strings.Trim(draw, "0123456789") == "" {
			return fmt.Errorf("no case %s: the class %s has the cases 0 to %d", id, k.Class.Slug, k.Class.Cases-1)
		}
	}
	class := id
	if i := strings.LastIndexByte(id, '/'); i > 0 && strings.Trim(id[i+1:], "0123456789") == "" {
		class = id[:i] // the draw of a case
	}
	hint := cmp.Or(nearest.Hint(class, known), "see conformance list for requirements, and a report for cases")
	return errors.New("no requirement, class or case " + id + ": " + hint)
}

// better prefers a case of one request that tries little else.
func better(k, old *plan.Case) bool {
	return old == nil || k.Steps() < old.Steps() || k.Steps() == old.Steps() && k.Class.Phase < old.Class.Phase
}

// example shows the last request of a case.
func (s *setup) example(k *plan.Case) string {
	steps := s.plan.Build(k, plan.Identity{Seed: s.config.Seed})
	m := steps[len(steps)-1].Message
	if curl := s.endpoint.Curl(m); curl != "" {
		return curl
	}
	shown := s.endpoint.Shown(m, k.ID)
	if len(shown.Body) > 400 {
		return fmt.Sprintf("%s%s… (%d bytes)", shown.Head, shown.Body[:400], len(shown.Body))
	}
	return string(shown.Head) + string(shown.Body)
}

// sourceOf is the file and the line in the repository where the function of an entry begins.
func sourceOf(entry any) string {
	file, line := runtime.FuncForPC(reflect.ValueOf(entry).Pointer()).FileLine(reflect.ValueOf(entry).Pointer())
	if i := strings.LastIndex(file, "conformance/internal/"); i >= 0 {
		file = file[i:]
	}
	return file + ":" + strconv.Itoa(line)
}

// Classifier gives the exact classification of request bodies that every
// verdict rests on, for the operation with a slug such as "post-plants", the
// stem of its requirements: plain (every implementation takes it), edge (may be
// taken or refused), invalid (breaks the schema) or not JSON (breaks RFC 8259),
// with the reasons why a valid body is not the plainest. The error is that of the
// document, or that it has no such operation with a body.
func Classifier(c Config, operation string) (func(body []byte) string, error) {
	s, err := setUp(offline(c))
	if err != nil {
		return nil, &SetupError{err}
	}
	for _, op := range s.contract.Operations {
		if op.Slug == operation && op.Body != nil {
			return func(body []byte) string { return kindOf(op, body) }, nil
		}
	}
	return nil, &SetupError{fmt.Errorf("no operation %s with a body in %s", operation, s.config.SpecName)}
}

// kindOf describes a reading: its kind, and how a valid body differs from the
// baseline.
func kindOf(op *openapi.Operation, body []byte) string {
	r := op.Body.Shape.Read(body)
	out := r.Kind.String()
	for _, e := range r.Reasons {
		out += "; " + e.Path + " " + e.What
	}
	for _, at := range r.Unusual {
		out += "; " + at + " not as in the baseline"
	}
	return out
}

func plantDigest() string {
	sum := sha256.Sum256(spec.OpenAPI)
	return hex.EncodeToString(sum[:])
}

// List returns the requirements and the number of cases for each. It uses no
// network.
func List(ctx context.Context, c Config) (*report.Listing, error) {
	s, err := prepare(ctx, offline(c), false, false)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(s.set.List))
	sent := newSent(len(s.set.List))
	counted := len(s.contract.Operations) <= countedOperations || s.plan.Effort.Requests == 0
	if counted {
		if err := s.fill(ctx); err != nil {
			return nil, &SetupError{err}
		}
		s.cover(s.plan.Cases)
		s.judge.Examine()
	}
	for _, c := range s.cases {
		s.judge.Covers(c).Each(func(at int) {
			counts[s.judge.Bound[at].Index]++
			sent.note(c.Class.Mutator, s.judge.Bound[at].Index)
		})
	}
	out := &report.Listing{Version: report.Version, Document: s.header().Document, Servers: s.servers(), Cases: len(s.cases), LeftOut: s.leftOut()}
	if !counted {
		out.Cases, out.Estimated = s.plan.Effort.Requests*len(s.contract.Operations), true
	}
	out.Mutators = sent.mutators()
	out.Requirements = make([]report.ListingEntry, 0, len(s.set.List))
	for i, r := range s.set.List {
		if !s.isSelected(r.ID) {
			continue
		}
		e := entry(r)
		e.Cases, e.Sent = counts[i], sent.of(i)
		out.Requirements = append(out.Requirements, e)
	}
	return out, nil
}

// countedOperations is up to how many operations List makes the cases to count them.
// Those of a larger document are made when they are sent.
const countedOperations = 30

// offline gives a config with a token to plan with where none is known.
func offline(c Config) Config {
	c.Token = cmp.Or(c.Token, "Token-0123456789abcdef")
	if len(c.Cert) == 0 {
		c.Cert = []byte("any")
	}
	return c
}

func entry(r *requirement.Requirement) report.ListingEntry {
	return report.ListingEntry{Requirement: r.ID, Level: r.Level, Sentence: r.Sentence, Clause: r.Clause.String(), Rule: r.Rule}
}

// Coverage returns, for each schema keyword of OpenAPI, which valid and invalid values
// the suite generates. It does not depend on a document.
func Coverage() (*report.Coverage, error) {
	out, err := mutate.MeasureCoverage(mutate.Keywords(), catalogue())
	if err != nil {
		return nil, &SetupError{err}
	}
	return out, nil
}
