// Package mutate is the list of mutators. Each takes the baseline request of an operation and
// changes one thing, found in the schema. Those of Sequences make cases of several requests:
// repeats, recoveries and interleavings, one after the other or at the same time.
//
// MeasureCoverage counts, for each schema keyword of OpenAPI 3.0 and 3.1, the bodies of a plan
// that keep the keyword and those that break it and nothing else.
package mutate

import (
	"slices"

	"plantstore/conformance/internal/plan"
)

// List gives every mutator: what is valid, what breaks the schema, what is no
// JSON, what may be refused, and credentials.
func List() []plan.Mutator {
	return []plan.Mutator{
		baseline, optionalMembers, memberPairs, memberOrder, whiteSpace, escaping, tcpSegments, fieldNameCase,
		integers, stringValues, characters, stringLengths, randomStrings, boundaryValues, additionalMembers, conditions, arrayItems, laterItems, otherAlternatives,
		missingMembers, invalidInContext, renamedMembers, wrongTypes, numericStrings, numberSpellings, booleanSpellings, numberFormat, keywordViolations, structureViolations, wrappedBody, randomViolations,
		syntaxErrors, truncatedBody, malformedBody, randomSyntaxErrors,
		unusualStrings, unusualNumbers, unknownMembers, duplicateNames, textEncoding, headerFields, undocumentedMedia, headerFieldsInvalidBody, bodySizes, extremeValues,
		credentials, credentialBypass, afterEachRefusal,
		fieldOrder, unknownBesideOptional, connectionFields, credentialInContext, credentialAlternatives, credentialOtherSchemes,
		brokenJSON,
		registeredFields, queries,
		httpVersions,
		bodyBoundaries,
		credentialCrossings, memberKinds,
		pauses,
		textSizes, unknownSizes, longWrongValues, headSizes,
		literalLetters, cutEscapes, tokenSequences, shortTexts, invisibleMarks,
		shapedFields,
		codedAnswers,
		memberPlaceholders,
		pathTexts, repeatedParameters,
	}
}

// List gives every keyword, in the order in which the table shows them.
func Keywords() []Keyword {
	return slices.Concat(values(), numbers(), texts(), memberKeywords(), items(), combined(), formats(), directed())
}

// List gives every sequence.
func Sequences() []plan.Mutator {
	return []plan.Mutator{
		repeats, recoveries, stateLeaks, longRuns, concurrency,
		credentialChanges, credentialRuns, randomInterleavings,
		brokenFraming, pipelining,
		similarRequests,
		halfClosed,
		halfSent, idleConnections,
		refusalRuns, mergedObjects, corruptedRepeats, piecesAgain,
	}
}
