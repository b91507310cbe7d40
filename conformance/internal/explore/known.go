package explore

import (
	"context"
	"maps"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// openValues lists the members of a body of which neither the document nor the user says which
// values are accepted.
func openValues(op *openapi.Operation) []string {
	if op.Body == nil || !op.HasJSON() {
		return nil
	}
	domains := op.Body.Shape.Domains
	return slices.DeleteFunc(slices.Sorted(maps.Keys(domains)), func(path string) bool {
		return domains[path].Given != "may-refuse" || domains[path].Value != nil
	})
}

// knownTries is how often a value is sent, and knownTaken how often it must be accepted to be
// known. Once is not enough: a target may accept each value only once.
const (
	knownTries = 4
	knownTaken = 2
)

// draw draws the values that known tries. It is called before the connections are probed: how many
// requests that takes depends on how busy the machine is, so values that are drawn later would
// differ from run to run.
func (p *preflight) draw() {
	p.facts.words = map[string]*jsontree.Value{}
	for _, path := range openValues(p.op) {
		p.facts.words[path] = jsontree.NewString(p.t.Fresh(p.op).Word())
	}
}

// LearnValues finds accepted values of members whose accepted values the document leaves open.
func (t *Target) LearnValues(ctx context.Context) {
	s := t.Client.Session()
	defer s.Close()
	for _, op := range t.tried() {
		if p := (&preflight{t: t, s: s, op: op, facts: t.Facts.ops[op]}); p.facts.Accepted {
			p.known(ctx)
		}
	}
}

// known finds an accepted value for each of these members. It must be accepted again, however
// the request is written.
func (p *preflight) known(ctx context.Context) {
	for _, path := range openValues(p.op) {
		v, taken := p.facts.words[path], 0
		if v == nil {
			continue
		}
		for range knownTries {
			if taken < knownTaken && p.takesValue(ctx, path, v) {
				taken++
			}
		}
		if taken == knownTaken {
			if p.facts.Known == nil {
				p.facts.Known = map[string]*jsontree.Value{}
			}
			p.facts.Known[path] = v
		}
	}
}

// UseKnown puts a known value into a message that may be refused only for the value that it has
// in this place. The message must then be accepted.
func (o *OpFacts) UseKnown(m *message.Message) {
	if len(o.Known) == 0 || m.Raw != nil || m.Tree == nil {
		return
	}
	r := m.Reading()
	if r == nil || r.Kind != openapi.MayRefuse || len(r.Reasons) != 1 || r.Reasons[0].What != openapi.GivenValue {
		return
	}
	if v := o.Known[r.Reasons[0].Path]; v != nil && m.Set(r.Reasons[0].Path, v.Clone()) {
		m.Given(r.Reasons[0].Path, v)
	}
}

// KeepsKnown reports whether the target still accepts the known value of a refused message, in
// at least one of several baseline requests. It is true for a message without a known value.
func (t *Target) KeepsKnown(ctx context.Context, s Session, m *message.Message) bool {
	for path, v := range t.Facts.Of(m.Op).Known {
		if m.Bound[path] == v && !t.keeps(ctx, s, m.Op, path, v) {
			return false
		}
	}
	return true
}

func (t *Target) keeps(ctx context.Context, s Session, op *openapi.Operation, path string, v *jsontree.Value) bool {
	for range knownTries {
		control := t.Baseline(t.Fresh(op))
		if control.Set(path, v.Clone()); Accepted(op, t.Send(ctx, s, control, "control", "control")) {
			return true
		}
	}
	return false
}

// takesValue reports whether a baseline request with this value in a place is accepted.
func (p *preflight) takesValue(ctx context.Context, path string, v *jsontree.Value) bool {
	message := p.t.Baseline(p.t.Fresh(p.op))
	return message.Set(path, v.Clone()) && p.try(ctx, message)
}
