// Package lifecycles is the catalogue of cases about the life of one thing: it is made,
// read, changed and deleted, and the last request shows what became of it. Each entry
// has a file named after it, which list.go lists.
package checks

import "plantstore/conformance/internal/plan"

// List gives every lifecycle.
func Scenarios() []plan.Mutator {
	return []plan.Mutator{
		created, added, replaced, partReplaced, patched, deleted, deletedAbove, unlistedScenario, repeated, neverGivenScenario, carriedOverScenario, tagged, staleTag, others,
		refusedScenario, drawn, head, paged, filteredScenario, filteredTogether, ordered, jsonPatchedScenario, dated, staleDate, done, located, filled, siblings, leftOut,
		belowOtherScenario, changedBelowScenario, listedBelowScenario, replacedAgainScenario, readOnlyKeptScenario, matchAnyScenario, createOnlyScenario, matched, newestFirstScenario, long, likeGiven,
		afterDone, inState, inUse, scoped, sentAgain, inOtherState,
	}
}
