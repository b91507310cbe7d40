package cause

import (
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
)

// AboutCredential reports whether the failure is a wrong credential that is accepted.
func (l *Lab) AboutCredential() bool {
	return l.run.Judge.Bound[l.failure.At].Rule.Role == rule.RoleCredentialRefusal
}

// Exchanged reports whether the failure is an answer with values that are not those of its
// request.
func (l *Lab) Exchanged() bool {
	role := l.run.Judge.Bound[l.failure.At].Rule.Role
	return role == rule.RoleBelonging || role == rule.RoleEcho
}

// answeredFor reports whether the answer to a request has, instead of its own value of a
// member, the one that another request sent.
func answeredFor(p, other *verdict.Played) bool {
	if p.Answer == nil || p.Answer.Reading.Root() == nil || p.Sent.Body == nil || other.Sent.Body == nil {
		return false
	}
	for _, m := range p.Answer.Reading.Root().Members {
		own, foreign := p.Sent.Body.Root().Get(m.Name), other.Sent.Body.Root().Get(m.Name)
		if own != nil && foreign != nil && m.Value.Text == foreign.Text && m.Value.Text != own.Text && foreign.Text != "" {
			return true
		}
	}
	return false
}

// InTurn sends steps one after the other and reports whether the answer to the last one
// has the values of the one before. The failure is the example.
func (l *Lab) InTurn(steps []plan.Step) (*verdict.Failure, bool) {
	own := l.Session()
	defer own.Close()
	played, list := l.send(own, steps)
	last := len(steps) - 1
	if len(played) < len(steps) || list[last] == nil || !answeredFor(&played[last], &played[last-1]) {
		return nil, false
	}
	return list[last], true
}
