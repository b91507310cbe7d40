package target

import (
	"context"
	"maps"
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
)

// openValues lists the members of a body whose accepted values nobody has told.
func openValues(op *contract.Operation) []string {
	if op.Body == nil || !op.HasJSON() {
		return nil
	}
	domains := op.Body.Shape.Domains
	return slices.DeleteFunc(slices.Sorted(maps.Keys(domains)), func(path string) bool {
		return domains[path].Given != "may-refuse" || domains[path].Value != nil
	})
}

// knownTries is how often a value is sent, and knownTaken how often it must be accepted: once
// would be enough if a target took each value only once.
const (
	knownTries = 4
	knownTaken = 2
)

// known finds values that the target accepts of members whose accepted values nobody has
// told. Such a value must be accepted again, however the request is written.
func (p *preflight) known(ctx context.Context) {
	for _, path := range openValues(p.op) {
		v, taken := jsontree.NewString(p.t.Fresh(p.op).Word()), 0
		for range knownTries {
			if taken < knownTaken && p.takesKnown(ctx, path, v) {
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

func (p *preflight) takesKnown(ctx context.Context, path string, v *jsontree.Value) bool {
	m := p.t.Baseline(p.t.Fresh(p.op))
	return m.Set(path, v.Clone()) && p.try(ctx, m)
}

// UseKnown puts a known value into a message that may be refused for nothing but the value it
// has there. The message must then be accepted.
func (o *OpFacts) UseKnown(m *request.Message) {
	if len(o.Known) == 0 || m.Raw != nil || m.Tree == nil {
		return
	}
	r := m.Reading()
	if r == nil || r.Kind != contract.MayRefuse || len(r.Reasons) != 1 || r.Reasons[0].What != contract.GivenValue {
		return
	}
	if v := o.Known[r.Reasons[0].Path]; v != nil && m.Set(r.Reasons[0].Path, v.Clone()) {
		m.Given(r.Reasons[0].Path, v)
	}
}

// KeepsKnown reports whether the known value of a refused message is still accepted in one of
// some baseline requests. It is true for a message without one.
func (t *Target) KeepsKnown(ctx context.Context, s Session, m *request.Message) bool {
	for path, v := range t.Facts.Of(m.Op).Known {
		if m.Bound[path] == v && !t.keeps(ctx, s, m.Op, path, v) {
			return false
		}
	}
	return true
}

func (t *Target) keeps(ctx context.Context, s Session, op *contract.Operation, path string, v *jsontree.Value) bool {
	for range knownTries {
		control := t.Baseline(t.Fresh(op))
		if control.Set(path, v.Clone()); Accepted(op, t.Send(ctx, s, control, "control", "control")) {
			return true
		}
	}
	return false
}
