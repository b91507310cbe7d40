// Package checks is the list of checks: the rules, which judge exchanges, and the
// scenarios, which make, read, change and delete a resource so that the last request
// shows what became of it. A rule and its scenario stand in one file.
package checks

import (
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// Scenarios gives every scenario.
func Scenarios() []plan.Mutator {
	return []plan.Mutator{
		created, added, replaced, partReplaced, patched, deleted, deletedAbove, unlistedScenario, repeated, neverGivenScenario, carriedOverScenario, tagged, staleTag, others,
		refusedScenario, drawn, head, paged, filteredScenario, filteredTogether, ordered, jsonPatchedScenario, dated, staleDate, done, located, filled, siblings, leftOut,
		belowOtherScenario, changedBelowScenario, listedBelowScenario, replacedAgainScenario, readOnlyKeptScenario, matchAnyScenario, createOnlyScenario, matched, newestFirstScenario, long, likeGiven,
		afterDone, inState, inUse, scoped, sentAgain, inOtherState,
	}
}

// List returns every rule.
func Rules() []requirement.Rule {
	return []requirement.Rule{
		answered, framing,
		optional, accepted, someAccepted, undocumentedRule, acceptsCredential, acceptsAlternative,
		refusesEmpty, refusesSyntax, refusesSchema, refusesMedia,
		refusesCredential, credentialRefusal, challenge,
		successStatus, refusalStatus, refusalListed, mediaType, answerJSON, answerForm, answerSchema, answerHeader, answerHeaderSchema, uniqueNames, strictFraming, retryAfter, writeOnly, writeOnlyEchoed, defaultApplied,
		belongs, echo, echoExact, echoMayRefuse,
		createdReadable, storedCreated, storedAdded, storedReplaced, replacedWhole, replacedMembers, replacedAgain, readOnlyKept, writeOnlyKept, storedPatched, patchLeavesRest, storedDone, jsonPatched, refusedUnchanged, gone, unlisted, siblingsKept, neverGiven, putMissing, putCreates, carriedOver,
		belowOther, changedBelow, listedBelow, newestFirst,
		pageLimit, pagesDisjoint, pagesComplete, filtered, sorted, total,
		etagChanges, strongETag, putTag, ifNoneMatch, notModified, notModifiedFields, modified, ifMatch, matchAny, createOnly, madeOnce, stateRefused, matchExisting, matchListed, matchWeak, notModifiedSince, modifiedSince, unmodifiedSince, headLikeGet, othersKept, othersUnchanged, othersUnlisted,
		observe, unobservable,
	}
}

// Names returns the names of the rules.
func Names() []string {
	var out []string
	for _, r := range Rules() {
		out = append(out, r.Name)
	}
	return out
}
