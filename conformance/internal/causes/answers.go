package causes

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// AboutCredential reports whether the failure is a wrong credential that is accepted.
func (l *Lab) AboutCredential() bool {
	return l.run.Judge.Bound[l.failure.At].Rule.Role == rule.RoleCredentialRefusal
}

// Exchanged reports whether the failure is an answer with values that are not those of its
// request.
func (l *Lab) Exchanged() bool { return l.about(l.failure.At) }

// answeredFor reports whether the answer to a request has, instead of its own value of a
// member, the one that another request sent.
func answeredFor(p, other *judge.Played) bool {
	if p.Answer == nil || p.Answer.Reading.Root() == nil || other.Sent.Body == nil || other.Sent.Body.Root() == nil {
		return false
	}
	for _, m := range p.Answer.Reading.Root().Members {
		foreign := other.Sent.Body.Root().Get(m.Name)
		if foreign == nil || foreign.Text == "" || m.Value.Text != foreign.Text {
			continue
		}
		if own := sent(p, m.Name); own == nil || own.Text != foreign.Text {
			return true
		}
	}
	return false
}

// sent returns a member that a request has; nil if it has none, or is not JSON.
func sent(p *judge.Played, name string) *jsontree.Value {
	if p.Sent.Body == nil || p.Sent.Body.Root() == nil {
		return nil
	}
	return p.Sent.Body.Root().Get(name)
}

// InTurn sends steps one after the other and reports whether the answer to the last one
// has the values of the one before. The failure is the example.
func (l *Lab) InTurn(steps []plan.Step) (*judge.Failure, bool) {
	own := l.Session()
	defer own.Close()
	played, list := l.send(own, steps)
	last := len(steps) - 1
	if len(played) < len(steps) || !answeredFor(&played[last], &played[last-1]) {
		return nil, false
	}
	if why := played[last].Checked.Reason; list[last] == nil && why != nil && l.about(why.At) {
		// A text that was made longer is not known as that of the request before.
		list[last] = &judge.Failure{Finding: *why, Step: last, Defects: 1, Steps: played}
	}
	return list[last], list[last] != nil
}

// about reports whether a requirement is about the values of answers.
func (l *Lab) about(at int) bool {
	role := l.run.Judge.Bound[at].Rule.Role
	return role == rule.RoleBelonging || role == rule.RoleEcho
}

// Sized returns a baseline request with a body of so many bytes. It has no message if no
// text of a baseline request may be so long.
func (l *Lab) Sized(bytes int) plan.Step {
	out := l.Valid()
	if out.Message.Tree == nil {
		return plan.Step{}
	}
	more := bytes - len(out.Message.Body())
	for _, v := range message.Values(l.Case.Op, out.Message.Tree) {
		if more < 0 || v.Value.Kind != jsontree.String {
			continue
		}
		changed := out.Message.Clone()
		changed.Tree.Set(v.Name, jsontree.NewString(v.Value.Text+strings.Repeat("q", more)))
		if len(changed.Reading().Violations) == 0 {
			return plan.Step{Message: changed}
		}
	}
	return plan.Step{}
}
