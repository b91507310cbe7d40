package judge

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// subject is one exchange with everything that rules look at.
type subject struct {
	op    *contract.Operation
	class string
	place string // the member that the class is about, or empty
	owner string // names the request for belonging
	sent  *request.Sent
	ex    *exchange.Exchange
	got   *rule.Got
}

// finding is a failed requirement.
type finding struct {
	at  int // in Judge.bound
	out rule.Outcome
}

// checked is what the rules say of one exchange: the most basic failing MUST,
// the failing SHOULDs where no MUST failed, what passed, what was masked.
type checked struct {
	reason   *finding
	warnings []finding
	passed   bits
	masked   bits
	weak     []finding // failures of rules for which one passing exchange is enough
	observed []finding
}

// check applies the rules, most basic first.
func (j *Judge) check(s *subject, aims bits) checked {
	out := checked{passed: newBits(len(j.bound)), masked: newBits(len(j.bound))}
	p := rule.Pass{Op: s.op, Exchange: s.ex, Sent: s.sent, Got: s.got, Needs: j.facts.of(s.op).Needs, Class: s.class, Place: s.place, Hide: j.hide}
	p.Whose = func(path, value string) rule.Whose { return j.owners.whose(s, path, value) }
	free := s.sent.Negotiated && s.sent.Duty() == request.Anything
	for _, i := range j.byOp[s.op] {
		b := &j.bound[i]
		observed := b.rule.Rank == rule.Observed
		if free && b.rule.Rank > rule.Framing && !observed {
			continue
		}
		if out.reason != nil && !observed {
			if aims.has(i) {
				out.masked.set(i)
			}
			continue
		}
		p.Requirement = b.req
		o := b.rule.Check(&p)
		// What a target sends may stand in them, a megabyte of it.
		o.Expected, o.Got = j.brief(o.Expected), j.brief(o.Got)
		o.Signature = jsontree.Cut(o.Signature, signatureText)
		switch {
		case o.Verdict == report.Inapplicable:
		case observed:
			out.observed = append(out.observed, finding{i, o})
		case o.Verdict == report.Pass:
			out.passed.set(i)
		case b.rule.Some:
			out.weak = append(out.weak, finding{i, o})
		case b.req.Level == report.Must:
			out.reason = &finding{i, o}
		default:
			out.warnings = append(out.warnings, finding{i, o})
		}
	}
	return out
}

// findingText and signatureText bound the words of a finding, in bytes.
const (
	findingText   = 2 << 10
	signatureText = 256
)

// brief cuts a long text; a secret is taken out before a part of it is.
func (j *Judge) brief(text string) string {
	if len(text) <= findingText {
		return text
	}
	return jsontree.Cut(j.hide(text), findingText)
}

// aim finds, for every case, which requirements it can try: those that have
// something to say when a faultless server takes or refuses it.
//
// The first cases of a class stand for the others, which try the same thing.
func (j *Judge) aim() {
	classes := map[*plan.Class]bits{}
	same := map[string]bits{} // most classes of an operation try the same
	for _, c := range j.Cases {
		if known := classes[c.Class]; c.Draw >= aimed && known != nil {
			j.aims[c] = known
			continue
		}
		if c.Class.Claim == plan.ClaimRefusedCredential && !j.differs(c) {
			continue
		}
		set := newBits(len(j.bound))
		set.add(classes[c.Class])
		j.aimAt(c, set)
		key := set.key()
		if same[key] == nil {
			same[key] = set
		}
		classes[c.Class], j.aims[c] = same[key], same[key]
	}
	for c := range j.aims {
		j.aims[c] = classes[c.Class]
	}
}

// aimAt adds what one case can try.
func (j *Judge) aimAt(c *plan.Case, set bits) {
	if c.Class.Phase == plan.Heavy {
		// Large bodies are not made twice: that they are answered is what counts.
		for _, at := range j.byOp[c.Op] {
			if j.bound[at].rule.Rank <= rule.Framing {
				set.set(at)
			}
		}
		return
	}
	for _, st := range j.Plan.Build(c, j.identity(0)) {
		sent := j.Endpoint.Classify(st.Message, j.Endpoint.Wire(st.Message, c.ID))
		if c.Op.Body != nil {
			// What cannot be decided is aimed at, and then not judged.
			sent.Body = c.Op.Body.Shape.Assume(sent.Body, c.Class.Claim != plan.ClaimInvalid)
		}
		for _, e := range j.ideals(c.Op, sent) {
			s := &subject{op: c.Op, class: c.Class.Slug, place: c.Class.Place.Path, owner: c.ID, sent: sent, ex: e}
			if s.got = j.read(c.Op, e); s.got != nil && s.got.Form != nil && s.got.Form.Shape != nil {
				s.got.Reading = s.got.Form.Shape.Assume(s.got.Reading, true)
			}
			got := j.check(s, nil)
			set.add(got.passed)
			for _, f := range append(append(got.warnings, got.weak...), got.observed...) {
				set.set(f.at)
			}
			if got.reason != nil {
				set.set(got.reason.at)
			}
		}
	}
}

// aimed is how many cases of a class are looked at to know what it can try.
const aimed = 3

// Aims lists, for every case, the ids of the requirements that it can try.
func (j *Judge) Aims() map[*plan.Case][]string {
	j.aim()
	out := make(map[*plan.Case][]string, len(j.Cases))
	named := map[*uint64][]string{} // most cases share a set
	for c, set := range j.aims {
		if len(set) == 0 {
			continue
		}
		ids, known := named[&set[0]]
		if !known {
			for _, at := range j.byOp[c.Op] {
				if set.has(at) {
					ids = append(ids, j.bound[at].req.ID)
				}
			}
			named[&set[0]] = ids
		}
		out[c] = ids
	}
	return out
}

// claimHolds compares what a class says of its last request with the bytes.
func claimHolds(claim plan.Claim, s *request.Sent) bool {
	d := s.Duty()
	if s.Body != nil && s.Body.Kind == contract.Undecided {
		return true // nobody can say
	}
	switch claim {
	case plan.ClaimPlain:
		return d == request.Accept || s.Reused
	case plan.ClaimInvalid:
		return s.Body != nil && s.Body.Kind == contract.Invalid
	case plan.ClaimNotJSON:
		return s.Body != nil && s.Body.Kind == contract.NotJSON
	case plan.ClaimEdge:
		return d == request.Either || d == request.Anything
	case plan.ClaimRefusedCredential:
		return d == request.RefuseCredential
	}
	return true
}
