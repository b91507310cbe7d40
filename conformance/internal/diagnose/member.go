package diagnose

import (
	"context"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// chargeMember finds the part of a refused must-accept request that was refused:
// the part that the target accepts when a baseline value replaces it. If the target
// refuses even a baseline request, the failure is about the request as a whole.
func (d *Diagnosis) chargeMember(ctx context.Context, g *group, single map[int]bool) {
	b := d.judge.Bound[g.at]
	c, f := g.simplest()
	m := f.Steps[len(f.Steps)-1].Step.Message
	if b.Rule.Role != rule.RoleAcceptance || len(f.Steps) > 1 || m.Raw != nil || m.Framing != message.Length || d.run.Lost() {
		return
	}
	path := ""
	if d.refused(ctx, c, d.fresh(c.Op)) {
		d.move(g, c.Op, path, single)
		return
	}
	if b.Args.Key.Path != "" {
		return
	}
	// If the usual spelling is accepted, the spelling was refused.
	if !d.spelledUsually(ctx, c, m) {
		return
	}
	for _, member := range c.Op.Members() {
		baseline := d.fresh(c.Op).At(member.Path)
		if baseline == nil || m.At(member.Path) == nil {
			continue
		}
		other := m.Clone()
		other.Set(member.Path, baseline)
		if !d.refused(ctx, c, other) {
			if path != "" {
				return // several parts matter
			}
			path = member.Path
		}
	}
	if path != "" {
		d.move(g, c.Op, path, single)
	}
}

// fresh returns a baseline request with values that no request has sent.
func (d *Diagnosis) fresh(op *openapi.Operation) *message.Message {
	return d.target.Baseline(d.target.Fresh(op))
}

// spelledUsually reports whether the body of a refused request is in the usual
// spelling, or refused in that too.
func (d *Diagnosis) spelledUsually(ctx context.Context, c *plan.Case, m *message.Message) bool {
	if m.Tree == nil || !c.Op.HasJSON() {
		return true
	}
	read, err := jsontree.Parse(m.Body())
	if err != nil {
		return false
	}
	plain := m.Clone()
	plain.Tree, plain.Style = read.Root, jsontree.Style{}
	return string(plain.Body()) == string(m.Body()) || d.refused(ctx, c, plain)
}

// refused sends the body and the parameters of a message and reports whether the
// answer accepts no valid request.
func (d *Diagnosis) refused(ctx context.Context, c *plan.Case, m *message.Message) bool {
	own := d.target.Client.Session()
	defer own.Close()
	plain := &message.Message{Op: c.Op, Tree: m.Tree, Style: m.Style, Params: m.Params, Bound: m.Bound}
	e := d.target.Send(ctx, own, plain, c.ID, "attribution")
	return e != nil && e.Failure == nil && !explore.Accepted(c.Op, e)
}

// move reports a group under the requirement about a path.
func (d *Diagnosis) move(g *group, op *openapi.Operation, path string, single map[int]bool) {
	for at, end := d.judge.Of(op); at < end; at++ {
		b := d.judge.Bound[at]
		if !b.About(op) || b.Rule.Role != rule.RoleAcceptance || b.Args.Key.Path != path {
			continue
		}
		for _, f := range g.failures {
			f.At = at
			f.Defects = 1
		}
		g.at = at
		single[at] = true
	}
}
