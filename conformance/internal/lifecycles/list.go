// Package lifecycles is the catalogue of cases about the life of one thing: it is made,
// read, changed and deleted, and the last request shows what became of it. Each entry
// has a file named after it, which list.go lists.
package lifecycles

import "plantstore/conformance/internal/plan"

// List gives every lifecycle.
func List() []plan.Mutator {
	return []plan.Mutator{
		created, added, replaced, partReplaced, patched, deleted, deletedAbove, unlisted, repeated, neverGiven, carriedOver, tagged, staleTag, others,
		refused, drawn, head, paged, filtered, filteredTogether, ordered, jsonPatched, dated, staleDate, done, located, filled, siblings, leftOut,
		belowOther, changedBelow, listedBelow, replacedAgain, readOnlyKept, matchAny, createOnly, matched, newestFirst, long, likeGiven,
		afterDone, inState, inUse, scoped, sentAgain, inOtherState,
	}
}
