package diagnose

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/limits"
)

// split takes out of a finding the failures that its example does not explain, and returns them, or
// nil: their requests lack a part that makes the smallest request fail. An operation that crashes
// for a header field and for an array has two faults.
func (d *Diagnosis) split(f *Finding, ways int) *group {
	g := f.group
	if d.judge.Bound[g.at].Rule.Rank != requirement.Answered || !f.Stable || len(f.Failure.Steps) > 1 || f.Failure.Beside {
		return nil
	}
	needed := g.needed(f)
	g.kind = strings.Join(needed, "; ")
	given := d.given(f, needed)
	if given == "" && len(needed) == 0 || ways >= limits.WaysKept {
		return nil
	}
	rest := &group{at: g.at, signature: g.signature, failures: map[*plan.Case]*judge.Failure{}}
	var kept []*plan.Case
	explains := func(p *judge.Played) bool {
		if given != "" {
			return hasValue(p.Sent, given) // whatever its value is
		}
		has := parts(p)
		return !slices.ContainsFunc(needed, func(part string) bool { return !slices.Contains(has, part) })
	}
	for _, c := range g.cases {
		failure := g.failures[c]
		if c == f.Case || len(failure.Steps) > 1 || explains(&failure.Steps[failure.Step]) {
			kept = append(kept, c)
			continue
		}
		rest.cases = append(rest.cases, c)
		rest.failures[c] = failure
		delete(g.failures, c)
	}
	if g.cases = kept; len(rest.cases) == 0 {
		return nil
	}
	return rest
}

// given returns the place of an ordinary value that makes the smallest request fail, if it does not
// matter which value it is: the example was made ordinary, or every request with a valid value there
// fails. It is empty otherwise.
func (d *Diagnosis) given(f *Finding, needed []string) string {
	b := f.Failure.Steps[0].Sent.Body
	if b == nil || b.Kind != schema.MustAccept || len(b.Unusual) != 1 {
		return ""
	}
	at := b.Unusual[0]
	if len(needed) == 0 {
		return at
	}
	has := func(s *tried) bool { return hasValue(s.Sent, at) }
	of := (&Explainer{target: d.target, judge: d.judge, run: d.run}).sides(f)
	failed, passed := of.failed, of.passed
	failed = slices.DeleteFunc(failed, func(s *tried) bool { return !has(s) })
	if len(failed) < commonMin || len(passed) < commonMin || some(passed, func(s *tried) bool { return has(s) && s.Body.Kind < schema.Invalid }) {
		return ""
	}
	return at
}

// absorb adds to a crash that any value of a member causes the other crashes of the same form whose
// requests all have that member: nothing else in them crashed without it.
func (d *Diagnosis) absorb(found []Finding) []Finding {
	for i := range found {
		by := &found[i]
		if by.group == nil || d.judge.Bound[by.At].Rule.Rank != requirement.Answered || !by.Stable || len(by.Failure.Steps) > 1 || by.Failure.Beside {
			continue
		}
		at := d.given(by, by.group.needed(by))
		op := d.judge.Bound[by.At].Op
		if at == "" || d.target.Plan.Preflight(op, by.Failure.Identity, plan.Example).Baseline().At(at) != nil {
			continue
		}
		for j := range found {
			f := &found[j]
			if j == i || f.group == nil || f.At != by.At || f.group.signature != by.group.signature || len(f.Failure.Steps) > 1 {
				continue
			}
			without := func(c *plan.Case) bool {
				p := f.group.failures[c].Shows()
				return !(hasValue(p.Sent, at) && p.Sent.Body.Kind > schema.MayRefuse) && !quotes(p, at)
			}
			if !slices.ContainsFunc(f.group.cases, without) {
				by.group.take(f.group)
				f.group = nil
			}
		}
	}
	return slices.DeleteFunc(found, func(f Finding) bool { return f.group == nil })
}

// quotes reports whether a body that is no JSON has the name of a member of the top.
func quotes(p *judge.Played, at string) bool {
	b, name := p.Sent.Body, jsontree.NewString(strings.TrimPrefix(at, "/")).String()
	return b != nil && b.Syntax != nil && strings.HasPrefix(at, "/") && strings.Count(at, "/") == 1 && strings.Contains(string(p.Step.Message.Body()), name+":")
}

// hasValue reports whether a request has a value at a place.
func hasValue(s *message.Sent, at string) bool {
	return at != "" && s != nil && s.Body != nil && s.Body.At(at) != nil
}

// The parts of a request without JSON: an empty body is one too.
const (
	emptyBody = "empty body"
	noJSON    = "no JSON"
)

// needed are the parts that make a request fail: the parts that the smallest request and its case
// share.
func (g *group) needed(f *Finding) []string {
	c := g.failures[f.Case]
	if c == nil {
		return nil
	}
	whole := parts(&c.Steps[c.Step])
	out := slices.DeleteFunc(parts(&f.Failure.Steps[0]), func(p string) bool { return !slices.Contains(whole, p) })
	if slices.Contains(out, emptyBody) && slices.ContainsFunc(g.cases, func(c *plan.Case) bool {
		p := parts(&g.failures[c].Steps[g.failures[c].Step])
		return slices.Contains(p, noJSON) && !slices.Contains(p, emptyBody)
	}) {
		out = slices.DeleteFunc(out, func(p string) bool { return p == emptyBody })
	}
	if slices.ContainsFunc(out, isSize) {
		out = slices.DeleteFunc(out, func(p string) bool { return !isSize(p) }) // whatever it is that is long
	}
	return out
}

// parts names what a request has that the baseline request does not have, without its values and
// without the names of members: what one member with a long text shows, others show too.
func parts(p *judge.Played) []string {
	var out []string
	add := func(part string) {
		if !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	m, s := p.Step.Message, p.Sent
	if m.Credentials != nil || m.Other {
		add("credential")
	}
	for _, what := range s.Transport {
		what, _, _ = strings.Cut(what, ":")
		add(what)
	}
	if longFields(m) != nil {
		add(longField)
	}
	b := s.Body
	if b == nil {
		return out
	}
	if b.Empty {
		add(emptyBody)
	}
	if b.Empty || b.Syntax != nil {
		add(noJSON)
	}
	if b.Syntax != nil && quotesLong(m.Body()) {
		add(longIn + part(""))
	}
	for _, v := range b.Violations {
		add(part(v.Pointer) + " " + v.Keyword)
	}
	for _, path := range b.Unusual {
		for _, what := range looks(b.At(path)) {
			add(part(path) + " " + what)
		}
	}
	for _, why := range b.Reasons {
		add(part(why.Path) + " " + why.What)
	}
	for _, at := range unusualPlaces(b) {
		if isLong(b.At(at.pointer)) {
			add(longIn + part(at.path))
		}
	}
	if b.Respelled {
		add("spelling")
	}
	slices.Sort(out)
	return out
}

// words returns the message in the answer of an example, and the place and the value of the error in
// that answer.
func (e *Explainer) words(g *Finding) (said, at, value string) {
	o := &g.Failure.Outcome
	if r := g.Failure.Steps[g.Failure.Step].Exchange.Response; r != nil && r.Status/100 != 2 { // a success has data: a title in it is no message
		said = e.Hide(requirement.Said([]byte(e.Hide(string(r.Content)))))
	}
	if o.Found {
		at, value = o.At, e.Hide(o.Value)
	}
	return said, at, value
}

// part is the part of a request in which a place lies: the body, a member of it, the query, or a field.
func part(path string) string {
	switch section, _, found := strings.Cut(path, "/"); {
	case path == "":
		return "body"
	case section == "":
		return "member"
	case found && (section == "header" || section == "cookie"):
		return path
	default:
		return section
	}
}

// looks says what is unusual about a value.
func looks(v *jsontree.Value) []string {
	switch {
	case v != nil && v.Kind == jsontree.Number:
		return []string{numberLooks(v.Text)}
	case v == nil || v.Kind != jsontree.String:
		return []string{"value"}
	}
	var out []string
	if v.Text == "" {
		out = append(out, "empty text")
	}
	if isLong(v) {
		out = append(out, "long text")
	}
	if strings.ContainsFunc(v.Text, func(c rune) bool { return c > unicode.MaxASCII }) {
		out = append(out, "characters beyond ASCII")
	}
	if strings.ContainsFunc(v.Text, func(c rune) bool { return c < ' ' }) {
		out = append(out, "control characters")
	}
	if strings.ContainsAny(v.Text, "\"'`\\%;<>&{}$") {
		out = append(out, "signs")
	}
	if len(out) == 0 {
		out = append(out, "value")
	}
	return out
}

func numberLooks(text string) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return "negative number"
	case strings.Trim(text, "0.") == "":
		return "zero"
	case strings.ContainsAny(text, ".eE"):
		return "fraction"
	}
	return "value"
}

// longText is the length, in bytes, from which a text, a number or a header field is unusual.
const longText = 200

// isLong reports whether a value is a long text, a number with many digits, or holds one.
func isLong(v *jsontree.Value) bool {
	long := false
	v.Walk(func(_ string, v *jsontree.Value) {
		long = long || (v.Kind == jsontree.String || v.Kind == jsontree.Number) && len(v.Text) > longText
	})
	return long
}

// quotesLong reports whether a text that is no JSON has a long text in quotes.
func quotesLong(body []byte) bool {
	for i, between := range bytes.Split(body, []byte{'"'}) {
		if i > 0 && len(between) > longText {
			return true
		}
	}
	return false
}

// longFields are the names of the header fields with long values.
func longFields(m *message.Message) (names []string) {
	for _, f := range m.Fields {
		if isLongField(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

func isLongField(f exchange.Field) bool { return len(f.Value) > longText }

// The parts of a request that are only long: what else they are does not matter.
const (
	longField = "long field"
	longIn    = "long value in "
)

// isSize reports whether a part is one of them.
func isSize(part string) bool {
	return part == message.LargeBody || part == longField || strings.HasPrefix(part, longIn)
}

// unusualPlace is a place of a request whose value breaks the schema, or is no baseline value: its
// JSON pointer, and its path.
type unusualPlace struct{ pointer, path string }

func unusualPlaces(r *schema.Reading) (out []unusualPlace) {
	for _, v := range r.Violations {
		out = append(out, unusualPlace{v.Pointer, v.Path})
	}
	for _, path := range r.Unusual {
		out = append(out, unusualPlace{path, path})
	}
	for _, why := range r.Reasons {
		out = append(out, unusualPlace{why.Path, why.Path})
	}
	return out
}

// long says which part of a request is long, at what kind of place, and where the value stands; kind
// is empty if none is.
func long(p *judge.Played) (kind, where, tried string) {
	s, m := p.Sent, p.Step.Message
	if slices.Contains(s.Transport, message.LargeBody) {
		return "long-body", "body", ""
	}
	if names := longFields(m); names != nil {
		return longHeader, names[0] + " in header", ""
	}
	if s.Body != nil && s.Body.Syntax != nil && quotesLong(m.Body()) {
		return longString, "string in body", ""
	}
	if s.Body != nil {
		for _, at := range unusualPlaces(s.Body) {
			switch v := s.Body.At(at.pointer); {
			case !isLong(v):
			case v.Kind == jsontree.Number:
				return "long-number", kindOfPlace(m.Op, at.path), at.path
			default:
				return longString, kindOfPlace(m.Op, at.path), at.path
			}
		}
	}
	return "", "", ""
}

// The kinds of requests with a long header field, and with a long text in the body.
const (
	longHeader = "long-field"
	longString = "long-string"
)

// longFields counts the names of the long header fields of a group.
func (g *group) longFields() int {
	names := map[string]bool{}
	for _, f := range g.failures {
		for _, name := range longFields(f.Shows().Step.Message) {
			names[http.CanonicalHeaderKey(name)] = true
		}
	}
	return len(names)
}
