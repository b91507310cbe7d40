package judge

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// subject is one exchange with everything that rules look at.
type subject struct {
	op       *openapi.Operation
	class    string
	place    string // the member that the class is about, or empty
	sender   string // names the request for belonging
	sent     *message.Sent
	Exchange *exchange.Exchange
	Answer   *requirement.Answer
	history  []requirement.TraceStep
	tests    []string                   // the rules that the class names
	hinted   []string                   // the same, where nothing else counts
	bound    map[string]*jsontree.Value // what the target gave of the request
}

// Finding is a failed requirement.
type Finding struct {
	At      int // in Judge.Bound
	Outcome requirement.Outcome
}

// Checked is what the rules say of one exchange: the most basic failing MUST, those about other
// parts of the answer, the failing SHOULDs if no MUST failed, what passed, and what was suppressed.
type Checked struct {
	Reason      *Finding
	Apart       []Finding
	Warnings    []Finding
	Passed      Set
	Suppressed  Set
	Ruled       Set       // what failed, but may have been refused by a rule outside the schema
	Provisional []Finding // failures of rules for which one passing exchange is enough
	Observed    []Finding
}

// Check asks the rules about a step that was sent, and keeps the part of its answer
// that a report shows.
func (j *Judge) Check(c *plan.Case, id plan.Identity, p *Played) {
	if p.Answer == nil {
		p.Answer = requirement.Read(c.Op, p.Exchange)
	}
	got := j.check(j.subject(c, p), j.Covers(c))
	if b := p.Sent.Body; b != nil && !c.Class.Hinted && b.Kind <= schema.MayRefuse && p.Answer.Accepts() && !c.Op.First().Accepted.Valid {
		list, added := j.choices(c.Op, b, p.Step.Message.Bound)
		j.Taken.note(c.Op, list, added)
	}
	p.Checked = &got
	p.Repeated = len(got.Failed()) > 0 && p.Answer != nil && p.Sent.Body != nil && j.Facts.Of(c.Op).LooksRepeated(p.Answer, p.Sent, id)
	if j.Noted != nil {
		j.Noted(c.ID, p)
	}
	j.Lighten(p)
}

// subject returns what rules look at in a step.
func (j *Judge) subject(c *plan.Case, p *Played) *subject {
	out := &subject{op: c.Op, class: c.Class.Slug, place: c.Class.Place.Path, sender: p.Sender, sent: p.Sent, Exchange: p.Exchange, Answer: p.Answer, history: p.History, bound: p.Step.Message.Bound}
	if p.Last {
		out.tests = c.Class.Rules // the requests before the last one only lead to it
	}
	if c.Class.Hinted {
		out.hinted = c.Class.Rules
	}
	return out
}

// Note keeps the part of an answer that a report shows. The step is one of another
// operation than the case's own, and not judged.
func (j *Judge) Note(c *plan.Case, p *Played) {
	p.Checked = &Checked{Passed: j.NewSet(c.Op), Suppressed: j.NewSet(c.Op)}
	j.Lighten(p)
}

// History returns a requirement about what happened before in the case that fails, or nil.
func (j *Judge) History(got *Checked) *Bound {
	failed := got.Warnings
	if got.Reason != nil {
		failed = []Finding{*got.Reason}
	}
	for _, f := range failed {
		if b := &j.Bound[f.At]; b.Rule.Rank == requirement.History {
			return b
		}
	}
	return nil
}

// Undecided returns a requirement of a rule of the case's class that neither passed nor failed,
// or nil. What is not required counts for nothing.
func (j *Judge) Undecided(c *plan.Case, got *Checked) *Bound {
	for at, end := j.Of(c.Op); at < end; at++ {
		b := &j.Bound[at]
		named := slices.Contains(c.Class.Rules, b.Rule.Name) && j.Covers(c).Has(at)
		if named && b.Level != report.Open && !got.Passed.Has(at) && !got.Suppressed.Has(at) {
			return b
		}
	}
	return nil
}

// minLimit is the smallest body, in bytes, that a server may refuse for its size with 413:
// documents do not say how large a body may be.
const minLimit = 1000

// limited returns the request of s, marked as large if it was refused for its size.
func limited(s *subject) *message.Sent {
	if s.Answer == nil || s.Answer.Status != http.StatusRequestEntityTooLarge {
		return s.sent
	}
	r := s.Exchange.Request // nil for an ideal answer
	if r == nil || len(r.Body) < minLimit || slices.Contains(s.sent.Transport, message.LargeBody) {
		return s.sent
	}
	out := *s.sent
	out.Transport = append(slices.Clone(out.Transport), message.LargeBody)
	return &out
}

// mislabelled reports whether a success is JSON that is called a page: no negotiation makes it one.
func mislabelled(s *subject) bool {
	if s.Answer == nil || s.Answer.Media != "text/html" || !s.Exchange.Success() || s.Exchange.Response.ContentErr != nil {
		return false
	}
	doc, err := jsontree.Parse(s.Exchange.Response.Content)
	return err == nil && (doc.Root.Kind == jsontree.Object || doc.Root.Kind == jsontree.Array)
}

// check applies the rules, most basic first.
func (j *Judge) check(s *subject, covers Set) Checked {
	s.sent = limited(s)
	out := Checked{Passed: j.NewSet(s.op), Suppressed: j.NewSet(s.op)}
	p := requirement.Input{Op: s.op, Exchange: s.Exchange, Sent: s.sent, Got: s.Answer, Needs: j.Facts.Of(s.op).Needs, Refused: j.Facts.Of(s.op).RefusedWith, Class: s.class, Place: s.place, History: s.history, Hide: j.Redactor.Text}
	ofState, together := j.ofState(s), false
	if !ofState {
		p.Open, together = j.ruled(s)
	}
	p.Another = func(path string, own, came *jsontree.Value, kind string) bool {
		return j.Origins.another(s, path, own, came, kind)
	}
	p.Origin = func(path, value string) requirement.Origin { return j.Origins.origin(s, path, value) }
	unreached := j.Facts.Of(s.op).Unreached != ""
	free := s.sent.Negotiated && s.sent.Expectation() == message.Anything && !mislabelled(s)
	excused, unavailable := s.Exchange.Excused(), p.Unavailable()
	var broken *requirement.Outcome // of a hinted request: no other requirement is about it
	turned := s.sent.Elsewhere() && s.sent.Expectation() == message.RefuseCredential
	for i, end := j.Of(s.op); i < end; i++ {
		b := &j.Bound[i]
		if !b.About(s.op) {
			continue
		}
		if s.hinted != nil && !slices.Contains(s.hinted, b.Rule.Name) {
			if broken == nil && b.Rule.Rank <= requirement.Framing {
				p.Requirement = b.Requirement
				broken = j.failed(b, &p)
			}
			continue
		}
		if broken != nil {
			out.Warnings = append(out.Warnings, Finding{i, *broken})
			continue
		}
		if excused && b.Rule.Rank > requirement.Answered {
			break // the most basic rules come first
		}
		observed := b.Rule.Rank == requirement.Observed || b.Level == report.Open
		history := b.Rule.Rank == requirement.History
		if free && b.Rule.Rank > requirement.Framing && !observed && !history && !(b.Rule.Rank == requirement.Header && s.selected()) {
			continue
		}
		if s.sent.PathRespelled && b.Rule.Role != requirement.RoleCredentialRefusal {
			continue // something else may answer for such a path
		}
		if turned && b.Rule.Role != requirement.RoleCredentialRefusal && b.Rule.Rank > requirement.Framing {
			continue // another operation may answer, which needs no credential
		}
		if out.Reason != nil && !observed && !j.apart(s, &out, b) {
			if covers.Has(i) && !s.another(b) {
				out.Suppressed.Add(i)
			}
			continue
		}
		if s.Answer != nil && s.Answer.Told && (b.Rule.Role == requirement.RoleAcceptance || b.Rule.Role == requirement.RoleOmission) {
			continue // what the request names may not exist: that has no status of its own
		}
		if history && !slices.Contains(s.tests, b.Rule.Name) {
			continue // only its own cases have the requests that it looks at
		}
		if unavailable && !slices.Contains(ofAnswers, b.Rule.Rank) {
			if b.Rule.Rank == requirement.Class && covers.Has(i) {
				out.rule(j, s, i)
			}
			continue
		}
		p.Requirement = b.Requirement
		o := b.Rule.Check(&p)
		if observed && o.Verdict == report.Pass && o.Got == "" {
			o.Got = "holds"
		}
		if unreached && unproven(b.Rule, o) {
			continue
		}
		if o.Verdict == report.Fail && (ofState || len(p.Open) > 0 && (together || b.Rule.Role == requirement.RoleAcceptance)) && b.Rule.Role.Accepts() {
			out.rule(j, s, i)
			continue
		}
		j.shorten(&o)
		switch {
		case out.Reason != nil && !observed && !j.proves(s, &out, b, &o):
			if covers.Has(i) {
				out.Suppressed.Add(i)
			}
		case o.Verdict == report.Inapplicable:
		case observed:
			out.Observed = append(out.Observed, Finding{i, o})
		case o.Verdict == report.Pass:
			out.Passed.Add(i)
		case b.Rule.AnyPass:
			out.Provisional = append(out.Provisional, Finding{i, o})
		case out.Reason != nil && b.Level == report.Must:
			out.Apart = append(out.Apart, Finding{i, o})
		case b.Level == report.Must:
			out.Reason = &Finding{i, o}
			if other := j.given(s, &p, b); other != nil {
				out.Reason = other
				if covers.Has(i) {
					out.Suppressed.Add(i)
				}
			}
		default:
			out.Warnings = append(out.Warnings, Finding{i, o})
		}
	}
	return out
}

// shorten cuts texts of an outcome that may be the target's, up to a megabyte.
func (j *Judge) shorten(o *requirement.Outcome) {
	o.Expected, o.Got = j.brief(o.Expected), j.brief(o.Got)
	o.Signature = jsontree.Cut(o.Signature, signatureText)
}

// failed returns the outcome of a rule if it fails, or nil.
func (j *Judge) failed(b *Bound, p *requirement.Input) *requirement.Outcome {
	o := b.Rule.Check(p)
	if o.Verdict != report.Fail {
		return nil
	}
	j.shorten(&o)
	return &o
}

// ofAnswers are the ranks of the rules that judge an answer by itself.
var ofAnswers = []requirement.Rank{requirement.Answered, requirement.Framing, requirement.MediaType, requirement.JSON, requirement.Schema, requirement.Header, requirement.Observed}

// rule notes that a request proves nothing of a requirement.
func (c *Checked) rule(j *Judge, s *subject, at int) {
	if c.Ruled.words == nil {
		c.Ruled = j.NewSet(s.op) // few exchanges need one
	}
	c.Ruled.Add(at)
}

// given returns the failure of an answer that was made for another request, if that is why
// one that must be refused looks accepted: the answer has a value that only the other one
// sent. It is nil if the answer shows nothing of that kind.
func (j *Judge) given(s *subject, p *requirement.Input, b *Bound) *Finding {
	if b.Rule.Rank != requirement.Class || b.Rule.Role != requirement.RoleRefusal && b.Rule.Role != requirement.RoleCredentialRefusal {
		return nil
	}
	for i, end := j.Of(s.op); i < end; i++ {
		other := &j.Bound[i]
		if other.Rule.Role != requirement.RoleBelonging || other.Level != report.Must || !other.About(s.op) {
			continue
		}
		p.Requirement = other.Requirement
		if o := other.Rule.Check(p); o.Verdict == report.Fail {
			return &Finding{i, o}
		}
	}
	return nil
}

// another reports whether a requirement is about an answer, or a header field, that the target
// may choose, and that it did not give.
func (s *subject) another(b *Bound) bool {
	if b.Free && len(b.Args.Statuses) == 0 && b.Args.Header != "" {
		return s.Exchange.Response == nil || len(s.Exchange.Response.Values(b.Args.Header)) == 0
	}
	given := s.Answer != nil && s.Answer.Documented != nil && slices.Contains(b.Args.Statuses, s.Answer.Documented.Status)
	return b.Free && len(b.Args.Statuses) > 0 && !given
}

// unproven reports whether an outcome proves nothing where no valid request was ever
// accepted: a refusal may have any reason, and only a success is clear.
func unproven(r *requirement.Rule, o requirement.Outcome) bool {
	switch {
	case r.Role == requirement.RoleCredentialAcceptance:
		return o.Verdict == report.Fail
	case r.Rank != requirement.Class || r.Role.Credential():
		return false
	}
	return o.Verdict == report.Pass || r.Role != requirement.RoleRefusal
}

// ofState reports whether a request may have been refused because of the state of things. That is
// not so where the operation needs some optional members: with these it accepts whatever a request
// names.
func (j *Judge) ofState(s *subject) bool {
	facts := j.Facts.Of(s.op)
	return s.Answer != nil && (s.conflicts() || s.late() || s.elsewhere() || s.overtaken(facts.Reached) || s.madeUp(facts.Reached) && len(facts.Needs) == 0)
}

// conflicts reports whether a request was refused because of the state of a thing (RFC 9110,
// 15.5.10; RFC 4918, 11.3), or because it has to say which state it is about (RFC 6585, 3).
func (s *subject) conflicts() bool {
	status := s.Answer.Status
	if status == http.StatusPreconditionRequired {
		return s.op.Lists(status) != nil
	}
	root := s.sent.Body.Root()
	return s.op.Conflict(status) && root != nil && len(root.Members)+len(root.Items) > 0
}

// madeUp reports whether a request names something in its path that may not exist: the run made
// the value up.
func (s *subject) madeUp(r *explore.Reached) bool {
	return s.Answer.Status == http.StatusNotFound && s.op.Response(http.StatusNotFound) != nil && r != nil && r.MadeUp()
}

// overtaken reports whether a request with an ETag may be refused because another case changed
// the thing meanwhile: all cases share it if the run cannot make others.
func (s *subject) overtaken(r *explore.Reached) bool {
	if s.Answer.Status != http.StatusPreconditionFailed || s.Exchange.Request == nil || r == nil || !r.Own || r.Renewable() {
		return false
	}
	return s.Exchange.Request.Field("If-Match") != ""
}

// Milder reports whether a request that was planned as invalid may only be refused, and is judged
// so. This depends on its fresh value: with some, a fraction is too small for a double.
func Milder(expected message.Expectation, s *message.Sent) bool {
	return expected == message.Refuse && s.Body != nil && s.Body.Kind == schema.MayRefuse
}

// findingText and signatureText bound the texts of a finding, in bytes.
const (
	findingText   = 2 << 10
	signatureText = 256
)

// brief shortens a text. Secrets are removed first, so that no part of one is left.
func (j *Judge) brief(text string) string {
	if len(text) <= findingText {
		return text
	}
	return jsontree.Cut(j.Redactor.Text(text), findingText)
}

// AsExpected reports whether the bytes of the last request match the expected
// class.
//
// Bound reports whether the target gives values of the request, or some travel as
// text: then only the final bytes show whether a value is the one that exists, and
// whether every server reads it alike.
func AsExpected(expected message.Expectation, s *message.Sent, bound bool) bool {
	d := s.Expectation()
	if s.Body != nil && s.Body.Kind == schema.Undecided {
		return true // it cannot be decided
	}
	switch expected {
	case message.Accept:
		// A longer value of the target can make a body of 8 KiB a large one.
		return d == message.Accept || s.Reused || bound && (d == message.Either || d == message.Anything && (slices.Equal(s.Transport, []string{message.LargeBody}) || slices.Equal(s.Transport, []string{message.OddPath})))
	case message.Refuse:
		return s.Body != nil && s.Body.Kind == schema.Invalid
	case message.RefuseNotJSON:
		return s.Body != nil && s.Body.Kind == schema.NotJSON
	case message.Either:
		return d == message.Either || d == message.Anything || bound && d == message.Accept
	case message.RefuseCredential:
		return d == message.RefuseCredential
	}
	return true
}
