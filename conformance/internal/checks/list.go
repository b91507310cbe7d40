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
		belowOtherScenario, changedBelowScenario, listedBelowScenario, replacedAgainScenario, readOnlyKeptScenario, matchAnyScenario, createOnlyScenario, matched, newestFirstScenario, long, falsy, likeGiven,
		afterDone, inState, inUse, scoped, sentAgain, inOtherState, ranged,
		listedAsReadScenario, refusedMadeScenario,
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
		storedAdded, newestFirst, othersUnlisted, othersUnchanged, othersKept, siblingsKept, listedBelow, belowOther, changedBelow, madeOnce, stateRefused, headLikeGet,
		createdReadable, storedCreated, storedAsSent, carriedOver, storedReplaced, replacedMembers, replacedAgain, readOnlyKept, writeOnlyKept, replacedWhole, storedPatched, patchLeavesRest, storedDone, jsonPatched, refusedUnchanged, refusedNotMade, listedAsRead,
		etagChanges, strongETag, putTag, ifNoneMatch, notModified, notModifiedFields, modified, notModifiedSince, modifiedSince, neverGiven, gone, goneStatus,
		ifMatch, matchListed, matchExisting, matchWeak, matchAny, unmodifiedSince, putMissing, putCreates, createOnly, unlisted,
		pageLimit, pagesDisjoint, pagesComplete, filtered, sorted, total, partialContent,
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
