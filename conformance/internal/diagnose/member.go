package diagnose

import (
	"context"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/target"
)

// chargeMember finds the part of a refused must-accept request that was refused:
// the part that the target accepts when a baseline value replaces it. If the target
// refuses even a baseline request, the failure is about the request as a whole.
func (d *Diagnosis) chargeMember(ctx context.Context, g *group, single map[int]bool) {
	b := d.judge.Bound[g.at]
	c, f := g.simplest()
	m := f.Steps[len(f.Steps)-1].Step.Message
	if b.Rule.Role != rule.RoleAcceptance || len(f.Steps) > 1 || m.Tree == nil || m.Tree.Kind != jsontree.Object || m.Framing != request.Length || d.run.Lost() {
		return
	}
	path := ""
	if d.refused(ctx, c, d.fresh(c.Op).Tree, jsontree.Style{}) {
		d.move(g, path, single)
		return
	}
	style := m.Style
	if b.Args.Key.Path != "" {
		return
	}
	// If the usual spelling is accepted, the spelling was refused.
	plain, err := jsontree.Parse(m.Body())
	if err != nil || string(plain.Root.Emit()) != string(m.Body()) && !d.refused(ctx, c, plain.Root, jsontree.Style{}) {
		return
	}
	for _, member := range m.Tree.Members {
		baseline := d.fresh(c.Op).Tree.Get(member.Name)
		if baseline == nil {
			continue
		}
		other := m.Tree.Clone()
		other.Set(member.Name, baseline)
		if !d.refused(ctx, c, other, style) {
			if path != "" {
				return // several parts matter
			}
			path = "/" + jsontree.EscapePointer(member.Name)
		}
	}
	if path != "" {
		d.move(g, path, single)
	}
}

// fresh returns a baseline request with values that no request has sent.
func (d *Diagnosis) fresh(op *contract.Operation) *request.Message {
	return d.target.Baseline(d.target.Fresh(op))
}

// refused sends a body and reports whether the answer accepts no valid request.
func (d *Diagnosis) refused(ctx context.Context, c *plan.Case, tree *jsontree.Value, style jsontree.Style) bool {
	own := d.target.Client.Session()
	defer own.Close()
	e := d.target.Send(ctx, own, &request.Message{Op: c.Op, Tree: tree, Style: style}, c.ID, "attribution")
	return e != nil && e.Failure == nil && !target.Accepted(c.Op, e)
}

// move reports a group under the requirement about a path.
func (d *Diagnosis) move(g *group, path string, single map[int]bool) {
	for at, end := d.judge.Of(d.judge.Bound[g.at].Op); at < end; at++ {
		b := d.judge.Bound[at]
		if b.Rule.Role != rule.RoleAcceptance || b.Args.Key.Path != path {
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
