package diagnose

import (
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// flaw says of what kind a finding is, whatever the seed and the values that were drawn.
func (e *Explainer) flaw(g *Finding) report.Flaw {
	b, c := &e.judge.Bound[g.At], g.Case
	return report.Flaw{Category: category(b.Level, b.Rule.Role), Rule: b.Rule.Name, Kind: c.Class.Mutator + "/" + c.Class.Kind}
}

// category is that of what was expected.
func category(l report.Level, role requirement.Role) report.Category {
	if l == report.Suspected {
		return report.Guessed
	}
	return report.Answer
}
