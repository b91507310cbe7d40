package openapi

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/pattern"
)

// assumption says what a validator does with a pattern that cannot be decided for a
// value. One validator reports the value as undecided. The others assume a match or
// none, and are only asked what a case would test.
type assumption uint8

const (
	decides assumption = iota
	matches
	fails
	formless // decides, and asserts no format
	assumptions
)

// engine compiles the patterns of JSON Schema, which are ECMA-262.
func (a assumption) engine(known *patterns) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		p, err := known.compile(text)
		if err != nil {
			return nil, err
		}
		return matcher{p, a}, nil
	}
}

// patterns are those of one document. Generators produce the same one, such as that
// of a date, thousands of times.
type patterns struct {
	mu   sync.Mutex // a value of format regex is compiled while it is judged
	kept map[string]*pattern.Pattern
}

// Bounds of the patterns that are kept: values of a server can be patterns too.
const (
	mostPatterns   = 1000
	longestPattern = 300 // bytes
)

func (p *patterns) compile(text string) (*pattern.Pattern, error) {
	p.mu.Lock()
	known := p.kept[text]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := pattern.Compile(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && len(p.kept) < mostPatterns && len(text) <= longestPattern {
		p.kept[text] = made
	}
	return made, err
}

// matcher is a pattern as the validator asks for it: yes or no.
type matcher struct {
	*pattern.Pattern
	assume assumption
}

// undecided is the pattern that ended a validation. It travels as a panic, because
// a validator accepts only yes or no from a pattern. decide recovers it in the same
// goroutine.
type undecided struct{ pattern string }

func (m matcher) MatchString(s string) bool {
	switch answer := m.Match(s); {
	case answer != pattern.Unknown:
		return answer == pattern.Yes
	case m.assume == decides || m.assume == formless:
		panic(undecided{m.String()})
	}
	return m.assume == matches
}

// decide validates a value. If open is not empty, the value is neither valid nor
// invalid: open is the pattern that could not be decided, or tooMany. work is what
// it took, in steps.
func decide(s *jsonschema.Schema, v any) (open string, work int, violated error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case undecided:
			open = p.pattern
		default:
			panic(p)
		}
	}()
	work, within := steps(s, v)
	if !within {
		return tooMany, work, nil
	}
	return "", work, s.Validate(v)
}

// keeps reports whether a value satisfies a part of the schema. It returns known
// false if that cannot be decided.
func keeps(s *jsonschema.Schema, v any) (ok, known bool) {
	if s == nil {
		return false, true
	}
	open, _, err := decide(s, v)
	return err == nil && open == "", open == ""
}

// Assume reads what is undecided in a request as if the pattern matched, or did not.
func (r *Reading) Assume(match bool) *Reading {
	switch {
	case r == nil || r.Kind != Undecided:
		return r
	case r.params != nil:
		return r.body.Assume(match).Beside(r.params.Assume(match))
	}
	return r.shape.Assume(r, match)
}

// Assume reads an undecided body as if the pattern matched, or did not. It returns
// other readings unchanged.
func (s *Shape) Assume(r *Reading, match bool) *Reading {
	if r == nil || r.Kind != Undecided {
		return r
	}
	a := fails
	if match {
		a = matches
	}
	out := *r
	out.Kind, out.Violations = MustAccept, nil
	if r.Open == tooMany {
		if !match {
			out.Kind = Invalid
		}
		return &out
	}
	exact, err := s.compiler.compileUnder(a, s.Direction, s.pointer)
	if err != nil {
		return r
	}
	if _, _, err := decide(exact, r.Document.Root.NativeTo(schemaDepth)); err != nil {
		out.Kind, out.Violations = Invalid, s.violations(r.Document.Root, err)
	}
	return &out
}
