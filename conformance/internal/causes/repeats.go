package causes

import (
	"strconv"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// Repeated returns the member whose value seems to be refused because it was sent before,
// where a valid request is refused in that form and the value is a new number.
func (l *Lab) Repeated() (member string, ok bool) {
	p := &l.failure.Steps[l.failure.Step]
	root := p.Sent.Body.Root()
	if l.run.Judge.Bound[l.failure.At].Rule.Role != rule.RoleAcceptance || !p.Repeated || root == nil {
		return "", false
	}
	for _, r := range l.run.Target.Facts.Of(l.Case.Op).Repeats {
		for _, m := range root.Members {
			if r.Status != 0 && r.Path == "/"+jsontree.EscapePointer(m.Name) && m.Value.Kind == jsontree.Number {
				return m.Name, true
			}
		}
	}
	return "", false
}

// RefusedRepeats lists the members whose repeated values are refused with the status of the
// failing answer, where invalid requests are refused as they should be.
func (l *Lab) RefusedRepeats() []string {
	p := &l.failure.Steps[l.failure.Step]
	invalid := l.HistoryOf(plan.ExpectInvalid)
	if p.Answer == nil || p.Answer.Success() || len(invalid.Passed) == 0 || len(invalid.Failed)+len(l.HistoryOf(plan.ExpectNotJSON).Failed) > 0 {
		return nil
	}
	var out []string
	for _, r := range l.run.Target.Facts.Of(l.Case.Op).Repeats {
		if r.Status == p.Answer.Status {
			out = append(out, r.Path)
		}
	}
	return out
}

// Repeat returns two valid requests that have one value in common, or nil.
func (l *Lab) Repeat(path string) []plan.Step {
	out := []plan.Step{l.Valid(), l.Valid()}
	v := out[0].Message.At(path)
	if v == nil || !out[1].Message.Set(path, v.Clone()) {
		return nil
	}
	return out
}

// The numbers of pairs start at pairsFrom, and pairsApart is what is between two of them:
// no double and no int32 is equal for two pairs.
const (
	pairsFrom  = 1 << 60
	pairsApart = 1 << 12
)

// Pair returns two valid requests, over different connections, whose numbers were never
// sent and are so far apart.
func (l *Lab) Pair(member string, apart int64) []plan.Step {
	n := pairsFrom + int64(l.run.Target.RetryOf(l.Case))*pairsApart
	out := []plan.Step{l.Valid(), l.Valid()}
	for i := range out {
		out[i].Message.Tree.Set(member, jsontree.NewNumber(strconv.FormatInt(n+int64(i)*apart, 10)))
	}
	out[0].Connection = 1
	return out
}
