package causes

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// outside is an integer that neither an int32 nor an int64 holds.
const outside = "9223372036854775808"

// Outside returns a baseline request with an integer that its format does not hold. It has
// no message if no member has such a format.
func (l *Lab) Outside() plan.Step {
	out := l.Valid()
	if out.Message.Tree == nil {
		return plan.Step{}
	}
	for _, v := range message.Values(l.Case.Op, out.Message.Tree) {
		if v.Value.Kind != jsontree.Number {
			continue
		}
		changed := out.Message.Clone()
		changed.Tree.Set(v.Name, jsontree.NewNumber(outside))
		if len(changed.Reading().Violations) > 0 {
			return plan.Step{Message: changed}
		}
	}
	return plan.Step{}
}
