package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

// afterEachRow is how many refused kinds one case goes through.
const afterEachRow = 6

// bodies are the mutators of bodies that may be refused.
func bodies() []plan.Mutator {
	return []plan.Mutator{missingMembers, wrongTypes, numericStrings, numberFormat, keywordViolations, syntaxErrors, malformedBody, unusualStrings, unusualNumbers, unknownMembers, duplicateNames, textEncoding}
}

var afterEachRefusal = plan.Mutator{
	Name: "after-each-refusal",
	Doc:  "Sends a valid request after one of every kind that may be refused, on the same connection, because an error that is kept shows there.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Most > 0 {
			return nil
		}
		var kinds []plan.Class
		for _, m := range bodies() {
			for _, c := range m.Classes(s) {
				if c.Phase == plan.Single && (c.Expected == plan.ExpectInvalid || c.Expected == plan.ExpectNotJSON || c.Expected == plan.ExpectMayRefuse) {
					kinds = append(kinds, c)
				}
			}
		}
		if len(kinds) == 0 {
			return nil
		}
		rows := slices.Collect(slices.Chunk(kinds, afterEachRow))
		return []plan.Class{{Family: plan.FamilySequence, Kind: "after-each-kind", Phase: plan.Sequence, Expected: plan.ExpectMustAccept, Cases: len(rows),
			Build: func(g *generate.Gen, draw int) []plan.Step {
				var steps []plan.Step
				for _, c := range rows[draw] {
					steps = append(append(steps, c.Build(g, 0)...), plan.Step{Message: g.Baseline()})
				}
				return steps
			}}}
	},
}
