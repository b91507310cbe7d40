package judge

import (
	"context"
	"plantstore/conformance/internal/rule"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// blame finds which part of a refused plain request the refusal is about: the
// part whose replacement by a mild one makes the target accept. Where even a
// wholly mild request is refused, the request as a whole is.
func (j *Judge) blame(ctx context.Context, g *group, single map[int]bool) {
	b := j.bound[g.at]
	c, f := g.simplest()
	m := f.steps[len(f.steps)-1].step.Message
	if b.rule.Role != rule.RoleAcceptance || len(f.steps) > 1 || m.Tree == nil || m.Tree.Kind != jsontree.Object || m.Framing != request.Length || j.lost.Load() {
		return
	}
	path := ""
	if j.refused(ctx, c, j.fresh(c.Op).Tree, jsontree.Style{}) {
		j.move(g, path, single)
		return
	}
	style := m.Style
	if b.req.Args.Key.Path != "" {
		return
	}
	// Taken in its plain spelling, it is the spelling that was refused.
	plain, err := jsontree.Parse(m.Body())
	if err != nil || string(plain.Root.Emit()) != string(m.Body()) && !j.refused(ctx, c, plain.Root, jsontree.Style{}) {
		return
	}
	for _, member := range m.Tree.Members {
		mild := j.fresh(c.Op).Tree.Get(member.Name)
		if mild == nil {
			continue
		}
		other := m.Tree.Clone()
		other.Set(member.Name, mild)
		if !j.refused(ctx, c, other, style) {
			if path != "" {
				return // several parts matter
			}
			path = "/" + jsontree.EscapePointer(member.Name)
		}
	}
	if path != "" {
		j.move(g, path, single)
	}
}

// fresh makes a mild request with values that nobody sent.
func (j *Judge) fresh(op *contract.Operation) *request.Message {
	return j.mild(j.Plan.Preflight(op, j.identity(0), generate.TwinNumber(j.twin())))
}

// refused sends a body and tells whether it is answered other than 2xx.
func (j *Judge) refused(ctx context.Context, c *plan.Case, tree *jsontree.Value, style jsontree.Style) bool {
	own := j.Client.Session()
	defer own.Close()
	e := j.send(ctx, own, &request.Message{Op: c.Op, Tree: tree, Style: style}, c.ID, "blame")
	return e != nil && e.Failure == nil && e.Response.Status/100 != 2
}

// move charges a group to the row that speaks of a path.
func (j *Judge) move(g *group, path string, single map[int]bool) {
	for at := range j.bound {
		b := j.bound[at]
		if b.rule.Role != rule.RoleAcceptance || b.req.Op != j.bound[g.at].req.Op || b.req.Args.Key.Path != path {
			continue
		}
		for _, f := range g.failures {
			f.at = at
			f.defects = 1
		}
		g.at = at
		single[at] = true
	}
}
