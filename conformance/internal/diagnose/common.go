package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// trait is a property that a request has or does not have.
type trait struct {
	name string
	has  func(s *tried) bool
}

// tried is a request as the judge reads it, with the bytes of its body.
type tried struct {
	*message.Sent
	body []byte
}

// commonMin is how many failed and passed cases it takes to say what the failed
// ones have in common.
const commonMin = 3

// common returns what all failed cases have in common and no passed case has, if it
// is simple and has no exception. The first trait in the list wins.
func (e *Explainer) common(g *Finding, sides func() sides) string {
	op := e.judge.Bound[g.At].Op
	failed, passed := sides().failed, sides().passed
	switch {
	case len(failed) < commonMin:
		return ""
	case len(passed) == 0:
		return fmt.Sprintf("all %d requests that try it fail", len(failed))
	case len(passed) < commonMin:
		return ""
	}
	if name := distinction(op, failed, passed); name != "" {
		return fmt.Sprintf("all %d requests with %s fail, and none of the %d others", len(failed), name, len(passed))
	}
	return ""
}

// distinction names what all failed requests have and no passed one has, or nothing.
func distinction(op *openapi.Operation, failed, passed []*tried) string {
	for _, t := range slices.Concat(traits(op, failed, passed), kindTraits(failed), spellingTraits(op)) {
		if all(failed, t.has) && !some(passed, t.has) {
			return t.name
		}
	}
	return ""
}

// distinguished reports whether what is in the requests tells the failed from the passed
// ones: then it does not matter when they came.
func (e *Explainer) distinguished(g *Finding, sides func() sides) bool {
	failed, passed := sides().failed, sides().passed
	return min(len(failed), len(passed)) >= commonMin && distinction(e.judge.Bound[g.At].Op, failed, passed) != ""
}

// shared names what else fails in the same way because it states the same clause.
func (e *Explainer) shared(g *Finding) string {
	if g.Unchecked != "" {
		return "every invalid body of " + g.Unchecked + " that was tried is accepted, while those of another media type are refused"
	}
	if len(g.Also) == 0 {
		return ""
	}
	if g.AsSuccess {
		return fmt.Sprintf("the answer has the form of a refusal and the status of a success; %d other requirements fail because of this", len(g.Also))
	}
	ops := []string{e.judge.Bound[g.At].Op.Name()}
	for _, at := range g.Also {
		if op := e.judge.Bound[at].Op.Name(); !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	if len(ops) == 1 {
		return fmt.Sprintf("%d other requirements of %s with this clause fail in the same way", len(g.Also), ops[0])
	}
	return "every operation with this clause that was tried fails in the same way: " + named(ops)
}

// namedOperations is how many operations are listed by name.
const namedOperations = 4

func named(ops []string) string {
	if len(ops) <= namedOperations {
		return strings.Join(ops, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ops[:namedOperations], ", "), len(ops)-namedOperations)
}

// sides are the last requests of the failed and of the passed cases.
type sides struct{ failed, passed []*tried }

// sides classifies those requests. It builds every case again.
func (e *Explainer) sides(g *Finding) (out sides) {
	for c, r := range e.run.Records() {
		if r.State != judge.Tried || c.Steps() > 1 {
			continue
		}
		fails := g.Failed(c)
		if !fails && !r.Passed.Has(g.At) {
			continue
		}
		steps := e.target.Plan.Build(c, e.target.Identity(0))
		m := steps[len(steps)-1].Message
		wire := e.target.Endpoint.Wire(m, c.ID)
		s := &tried{e.target.Endpoint.Classify(m, wire), wire.Body}
		if fails {
			out.failed = append(out.failed, s)
		} else {
			out.passed = append(out.passed, s)
		}
	}
	return out
}

func all(list []*tried, has func(*tried) bool) bool {
	for _, s := range list {
		if !has(s) {
			return false
		}
	}
	return true
}

func some(list []*tried, has func(*tried) bool) bool {
	for _, s := range list {
		if has(s) {
			return true
		}
	}
	return false
}

// traits lists what may distinguish the two sides, simplest first.
func traits(op *openapi.Operation, failed, passed []*tried) []trait {
	var out []trait
	for _, p := range op.Members() {
		at := p.Path
		switch p.Schema.Type() {
		case "string":
			out = append(out, textTraits(at, failed, passed)...)
		case "integer", "number":
			out = append(out, numberTraits(at, failed, passed)...)
		}
	}
	return append(out, depthTraits(passed)...)
}

// depthTraits says that a body is nested deeper than any that passed.
func depthTraits(passed []*tried) []trait {
	deep := func(s *tried) int {
		if s.Body == nil || s.Body.Document == nil {
			return 0
		}
		return s.Body.Document.Depth
	}
	deepest := 0
	for _, s := range passed {
		deepest = max(deepest, deep(s))
	}
	return []trait{{fmt.Sprintf("a body nested deeper than %d levels", deepest), func(s *tried) bool { return deepest > 0 && deep(s) > deepest }}}
}

func textTraits(at string, failed, passed []*tried) []trait {
	text := func(s *tried) (string, bool) {
		v := valueAt(s, at)
		if v == nil || v.Kind != jsontree.String {
			return "", false
		}
		return v.Text, true
	}
	holds := func(name string, is func(c rune) bool) trait {
		return trait{"a " + at + " with " + name, func(s *tried) bool {
			t, ok := text(s)
			return ok && strings.ContainsFunc(t, is)
		}}
	}
	out := []trait{
		holds("a character above U+FFFF", func(c rune) bool { return c > 0xffff }),
		holds("a character above U+00FF", func(c rune) bool { return c > 0xff }),
		holds("a character above U+007F", func(c rune) bool { return c > 0x7f }),
	}
	for _, c := range `"'\/<>&%+;$_-. ` {
		out = append(out, holds(fmt.Sprintf("%q", c), func(x rune) bool { return x == c }))
	}
	for _, unit := range []struct {
		name string
		of   func(string) int
	}{{"characters", utf8.RuneCountInString}, {"bytes", func(s string) int { return len(s) }}} {
		longest := -1
		for _, s := range passed {
			if t, ok := text(s); ok {
				longest = max(longest, unit.of(t))
			}
		}
		if longest >= 0 {
			out = append(out, trait{fmt.Sprintf("a %s longer than %d %s", at, longest, unit.name), func(s *tried) bool {
				t, ok := text(s)
				return ok && unit.of(t) > longest
			}})
		}
	}
	return out
}

func numberTraits(at string, failed, passed []*tried) []trait {
	number := func(s *tried) (string, bool) {
		v := valueAt(s, at)
		if v == nil || v.Kind != jsontree.Number {
			return "", false
		}
		return v.Text, true
	}
	var values []string
	for _, s := range passed {
		if n, ok := number(s); ok {
			values = append(values, n)
		}
	}
	if len(values) == 0 {
		return nil
	}
	sort.Slice(values, func(a, b int) bool { return jsontree.Compare(values[a], values[b]) < 0 })
	low, high := values[0], values[len(values)-1]
	side := func(name, limit string, sign int) trait {
		return trait{"a " + at + " " + name + " " + limit, func(s *tried) bool {
			n, ok := number(s)
			return ok && jsontree.Compare(n, limit) == sign
		}}
	}
	return []trait{side("above", high, 1), side("below", low, -1)}
}

// valueAt returns a value of a body, or nil if there is none or it cannot be read.
func valueAt(s *tried, at string) *jsontree.Value {
	if s.Body == nil || s.Body.Root() == nil && s.Body.Values == nil {
		return nil
	}
	return s.Body.At(at)
}

// kindTraits lists what requests as a whole can have in common: their credential, their
// body, and how they travel.
func kindTraits(failed []*tried) []trait {
	kind := func(k schema.Kind) func(s *tried) bool {
		return func(s *tried) bool { return s.Body != nil && !s.Body.Empty && s.Body.Kind == k }
	}
	credential := func(c message.Credential) func(s *tried) bool {
		return func(s *tried) bool { return s.Credential == c }
	}
	out := []trait{
		{"no credential", credential(message.CredentialAbsent)},
		{"a credential of another scheme", credential(message.CredentialScheme)},
		{"a wrong credential", credential(message.CredentialToken)},
		{"a credential that must be refused", func(s *tried) bool { return s.Credential != message.CredentialValid }},
		{"an empty body", func(s *tried) bool { return s.Body != nil && s.Body.Empty }},
		{"a body that is not JSON", kind(schema.NotJSON)},
		{"a body that the schema refuses", kind(schema.Invalid)},
		{"a body that must be refused", func(s *tried) bool { return s.Body != nil && s.Body.Kind >= schema.Invalid }},
		{"other white space, escapes or order of members", func(s *tried) bool { return s.Body != nil && s.Body.Respelled }},
	}
	for _, way := range failed[0].Transport {
		out = append(out, trait{way, func(s *tried) bool {
			return slices.Contains(s.Transport, way)
		}})
	}
	return out
}

// upperHex matches an escape with a digit from A to F.
var upperHex = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\u[0-9a-f]{0,3}[A-F]`)

// spellingTraits lists how bodies can be written.
func spellingTraits(op *openapi.Operation) []trait {
	out := []trait{{"upper-case hex escapes", func(s *tried) bool { return upperHex.Match(s.body) }}}
	for _, p := range op.Members() {
		out = append(out, trait{p.Path + " as the last member", func(s *tried) bool { return isLast(s, p.Path) }})
	}
	return out
}

// isLast reports whether a member of the body is the last one of its object.
func isLast(s *tried, at string) bool {
	if !strings.HasPrefix(at, "/") || s.Body.Root() == nil {
		return false
	}
	cut := strings.LastIndexByte(at, '/')
	name, ok := jsontree.UnescapePointer(at[cut+1:])
	above := valueAt(s, at[:cut])
	return ok && above != nil && len(above.Members) > 0 && above.Members[len(above.Members)-1].Name == name
}
