package diagnose

import (
	"slices"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

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
	refuses := b.Rule.Role == rule.RoleRefusal || b.Rule.Role.Credential()
	if f.group == nil || !refuses && (b.Rule.Rank < rule.MediaType || b.Rule.Rank > rule.Schema) {
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
		if g := rule.ReadAs(op, p.Exchange, r); fits(g) && (p.Answer.Documented != nil && p.Answer.Form == nil || tells(g.Form)) {
			return true
		}
	}
	return false
}

// tells reports whether a schema of a refusal tells it from other objects.
func tells(m *openapi.Media) bool {
	return m.Shape != nil && m.Shape.Read([]byte("{}")).Kind == openapi.Invalid
}

// fits reports whether an answer has a documented media type and keeps its schema.
func fits(g *rule.Answer) bool {
	return g.Form != nil && (g.Reading == nil || g.Reading.Kind == openapi.MustAccept)
}
