package diagnose

import (
	"context"
	"fmt"
	"slices"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// withoutKnownValue finds the requirements that cannot be judged: every value of a
// member was refused, always in one form, while the same request without the member
// is a success. The target may allow only the values of a list that has none of
// ours. Only the user can name one.
func (d *Diagnosis) withoutKnownValue(ctx context.Context, passed map[int]bool) map[int]bool {
	out := map[int]bool{}
	for at := range d.judge.Bound {
		b := &d.judge.Bound[at]
		if !b.Rule.AnyPass || passed[at] {
			continue
		}
		path := b.Args.Key.Path
		got, all := d.refusedAlike(at, path)
		if all && got == nil {
			if d.odd == nil {
				d.odd = map[int]bool{}
			}
			d.odd[at] = true
		}
		if !all || got == nil || !d.takenWithout(ctx, got, path) {
			continue
		}
		out[at] = true
		value := path + "=VALUE"
		if len(d.target.Contract.Operations) > 1 {
			value = b.Op.Slug + ":" + value
		}
		if d.lists == nil {
			d.lists = map[*openapi.Operation]map[string]string{}
		}
		if d.lists[b.Op] == nil {
			d.lists[b.Op] = map[string]string{}
		}
		d.lists[b.Op][path] = fmt.Sprintf("name a %s that the target allows with --value '%s': every one that was tried is refused in the same way (%s), and the same request without it is accepted",
			path, value, got.Steps[got.Step].Answer)
	}
	return out
}

// refusedAlike returns a refusal of a value of the member, and whether the refusals
// of all ordinary words have the same form.
func (d *Diagnosis) refusedAlike(at int, path string) (one *judge.Failure, all bool) {
	var like explore.ResponseForm
	all = true
	for _, r := range d.run.Records() {
		for i := range r.Provisional {
			f := &r.Provisional[i]
			p := &f.Steps[f.Step]
			if f.At != at || !p.Answer.Refusal() {
				all = all && f.At != at
				continue
			}
			if v := p.Sent.Body.At(path); v == nil || v.Kind == jsontree.String && !ordinaryWord(v.Text) {
				continue // it may be refused for what it is
			}
			if one == nil {
				one, like = f, explore.FormOf(p.Step.Message.Op, p.Sent, p.Answer)
			}
			all = all && p.Answer.Status == one.Steps[one.Step].Answer.Status && like.Fits(p.Answer)
		}
	}
	return one, all
}

// ordinaryWord reports whether a text is a word that only a list of allowed values
// can refuse.
func ordinaryWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 16
}

// takenWithout sends the request of a failure again, with fresh values and without
// the member, and reports whether it is accepted.
func (d *Diagnosis) takenWithout(ctx context.Context, f *judge.Failure, path string) bool {
	op := f.Steps[f.Step].Step.Message.Op
	m := d.target.Baseline(d.target.Fresh(op))
	if m.At(path) != nil && !m.Remove(path) {
		return false
	}
	s := d.target.Client.Session()
	defer s.Close()
	return d.target.Bind(ctx, s, m) == nil && explore.Accepted(m.Op, d.target.Send(ctx, s, m, "control", "control"))
}

// noKnownValue returns why a requirement cannot be judged without a known value of
// a member. It is empty if it can be judged.
func (d *Diagnosis) noKnownValue(at int, t tally) string {
	req := d.judge.Bound[at]
	if why := d.lists[req.Op][req.Args.Key.Path]; why != "" && d.judge.Bound[at].Rule.AnyPass {
		return why
	}
	if t.judged > 0 {
		return ""
	}
	for path, why := range d.lists[req.Op] {
		if req.Args.From == path || req.Args.To == path || req.Args.Key.Path == path && d.judge.Bound[at].Rule.Rank == requirement.Schema {
			return why
		}
	}
	return ""
}

// suppressAsSuccess reports refusals that have the status of a success once. Whatever makes
// a request invalid, it looks accepted, but the answer has the form of a refusal.
func (d *Diagnosis) suppressAsSuccess(found []Finding) []Finding {
	for _, op := range d.target.Contract.Operations {
		same := map[*group]bool{}
		for i := range found {
			same[found[i].group] = d.judge.Bound[found[i].At].Op == op && d.refusedAsSuccess(&found[i])
		}
		first := slices.IndexFunc(found, func(f Finding) bool { return same[f.group] && d.refusal(&f) })
		if first < 0 {
			continue
		}
		keep := found[first]
		for _, f := range found {
			if same[f.group] && f.At != keep.At && !slices.Contains(keep.Also, f.At) {
				keep.Also = append(keep.Also, f.At)
			}
		}
		keep.AsSuccess = len(keep.Also) > 0
		found[first] = keep
		found = d.only(slices.DeleteFunc(found, func(f Finding) bool { return same[f.group] && f.At != keep.At }), keep)
	}
	return found
}

// refusedAsSuccess reports whether every answer of a finding has the status of a success
// and the form of a refusal, where a refusal was due or allowed.
func (d *Diagnosis) refusedAsSuccess(f *Finding) bool {
	b := &d.judge.Bound[f.At]
	refuses := b.Rule.Role == requirement.RoleRefusal || b.Rule.Role.Credential()
	if f.group == nil || !refuses && (b.Rule.Rank < requirement.MediaType || b.Rule.Rank > requirement.Schema) {
		return false
	}
	seen := false
	for _, c := range f.group.cases {
		failure := f.group.failures[c]
		p := &failure.Steps[failure.Step]
		switch {
		case p.Sent.Expectation() == message.Accept || !p.Answer.Success() || fits(p.Answer):
			return false
		case p.Left > 0: // the rest of it was not kept
		case !hasRefusalForm(b.Op, p):
			return false
		default:
			seen = true
		}
	}
	return seen
}

// hasRefusalForm reports whether an answer has the form of a documented refusal, whatever
// its status is.
func hasRefusalForm(op *openapi.Operation, p *judge.Played) bool {
	for _, r := range op.Responses {
		if r.Status[0] == '2' || r.Status[0] == '3' {
			continue
		}
		if g := requirement.ReadAs(op, p.Exchange, r); fits(g) && (p.Answer.Documented != nil && p.Answer.Form == nil || tells(g.Form)) {
			return true
		}
	}
	return false
}

// tells reports whether a schema of a refusal tells it from other objects.
func tells(m *openapi.Media) bool {
	return m.Shape != nil && m.Shape.Read([]byte("{}")).Kind == schema.Invalid
}

// fits reports whether an answer has a documented media type and keeps its schema.
func fits(g *requirement.Answer) bool {
	return g.Form != nil && (g.Reading == nil || g.Reading.Kind == schema.MustAccept)
}

// unrefused returns the places of a crashing request at which the operation refused no wrong value: those
// of its wrong values, and the one at which it tries a valid value.
func (e *Explainer) unrefused(g *Finding, tried string, sides func() sides) (out []string) {
	if e.judge.Bound[g.At].Rule.Rank != requirement.Answered || g.Case.Steps() > 1 {
		return nil
	}
	refused := map[string]bool{}
	for _, s := range sides().passed {
		for _, at := range wrongPlaces(s.Sent) {
			refused[at] = true
		}
	}
	p := g.Failure.Shows()
	if p.Sent == nil {
		return nil
	}
	wrong := wrongPlaces(p.Sent)
	if len(refused) == 0 && len(wrong) > 0 {
		out = append(out, report.Anywhere)
	}
	for _, at := range append(wrong, tried) {
		if at != "" && !refused[at] && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// wrongPlaces are the places of a request for which it has to be refused.
func wrongPlaces(s *message.Sent) (out []string) {
	switch b := s.Body; {
	case b == nil || s.Expectation() != message.Refuse && s.Expectation() != message.RefuseNotJSON:
		return nil
	case b.Syntax != nil || b.Empty:
		return []string{"body"}
	default:
		for _, v := range b.Violations {
			out = append(out, v.Path)
		}
		return out
	}
}
