package report

// saying is what a failure of a rule means to a maintainer.
type saying struct {
	rule     string
	category Category
	// sentence follows the operations: "POST /things: a change is not kept".
	sentence string
}

// Says returns the usual category of a rule's failures, and a sentence in the words of a
// maintainer; empty for a rule that is not known.
func Says(rule string) (Category, string) {
	for _, s := range sayings() {
		if s.rule == rule {
			return s.category, s.sentence
		}
	}
	return "", ""
}

// sayings lists a row for each rule.
func sayings() []saying {
	return []saying{
		{"answered", Crash, "a request gets no answer, or a server error"},
		{"framing", Answer, "the answer is not well-formed HTTP"},
		{"strict-framing", Answer, "the framing of the answer is ambiguous"},

		{"refuses-credential", Security, "a request without the right credential is answered like one with it"},
		{"belongs", Security, "an answer holds the data of another request"},
		{"others-kept", Security, "another principal reaches what is not theirs"},
		{"others-unchanged", Security, "another principal changes what is not theirs"},
		{"others-unlisted", Security, "a list shows another principal what is not theirs"},
		{"write-only", Security, "an answer shows a member that is writeOnly"},
		{"write-only-echoed", Security, "an answer repeats the value of a member that is writeOnly"},
		{"write-only-kept", Security, "reading shows the value of a member that is writeOnly"},
		{"below-other", Security, "what belongs to one parent is found below another"},
		{"changed-below", Security, "what belongs to one parent is changed below another"},
		{"listed-below", Security, "a list shows what belongs to another parent"},

		{"created-readable", Loss, "what was created cannot be read"},
		{"stored-created", Loss, "reading gives other values than those that were created"},
		{"stored-added", Loss, "an item that was added is not in the list"},
		{"stored-replaced", Loss, "reading gives other values than those of the PUT"},
		{"replaced-whole", Loss, "a PUT keeps a value that it leaves out"},
		{"replaced-members", Loss, "a PUT does not store exactly what it sends"},
		{"replaced-again", Loss, "the same PUT sent twice gives another result"},
		{"stored-patched", Loss, "reading gives other values than those of the PATCH"},
		{"patch-leaves-rest", Loss, "a PATCH changes members that it does not name"},
		{"json-patched", Loss, "a JSON Patch is not applied as it says"},
		{"stored-done", Loss, "the state that an action answers with is not stored"},
		{"read-only-kept", Loss, "a client can change a member that is readOnly"},
		{"refused-unchanged", Loss, "a refused request changes what is stored"},
		{"gone", Loss, "a deleted thing can still be read or changed"},
		{"unlisted", Loss, "a deleted thing is still in the list"},
		{"siblings-kept", Loss, "deleting one thing takes another away"},
		{"carried-over", Loss, "a new thing has a value of another one"},
		{"made-once", Loss, "a request sent again with its idempotency key makes a second thing"},
		{"create-only", Loss, "If-None-Match: * replaces what exists"},
		{"if-match", Loss, "a write with an old ETag is carried out, so an update is lost"},
		{"unmodified-since", Loss, "a write with an old time is carried out, so an update is lost"},
		{"match-any", Loss, "If-Match: * creates again what was deleted"},
		{"match-weak", Loss, "a weak ETag in If-Match is taken for the current one"},
		{"echo", Answer, "the answer does not have the value that was sent"},
		{"echo-exact", Answer, "the answer changes the characters of the value that was sent"},
		{"echo-may-refuse", Answer, "an unusual value is accepted, and changed"},

		{"success-status", Answer, "a success has a status that is not documented"},
		{"refusal-status", Answer, "a refusal has a status that is not documented"},
		{"refusal-listed", Protocol, "a refusal has a status that the document does not list"},
		{"credential-refusal", Answer, "a wrong credential is not refused with a client error"},
		{"challenge", Answer, "the refusal of a credential does not say how to sign in"},
		{"media-type", Answer, "the answer has a media type that is not documented"},
		{"answer-json", Answer, "the answer is not JSON in UTF-8"},
		{"answer-form", Answer, "the answer is not what its media type says"},
		{"answer-schema", Answer, "the answer breaks its schema"},
		{"answer-header", Answer, "the answer lacks a header field that is documented"},
		{"answer-header-schema", Answer, "a header field of the answer breaks its schema"},
		{"unique-names", Answer, "the answer has one member name twice"},
		{"default-applied", Answer, "a documented default is not applied"},
		{"never-given", Answer, "an identifier that was never given leads to a success"},
		{"put-missing", Answer, "a PUT of a thing that does not exist is not answered as documented"},
		{"put-creates", Answer, "a PUT does not say whether it created or replaced"},
		{"newest-first", Answer, "the newest items do not come first"},
		{"page-limit", Answer, "a page has more items than the limit"},
		{"pages-disjoint", Answer, "two pages have an item in common"},
		{"pages-complete", Answer, "the pages lack items of the list"},
		{"filtered", Answer, "a filter gives other items than it names"},
		{"sorted", Answer, "a list is not in the order that was asked for"},
		{"total", Answer, "the total is not the number of items"},
		{"etag-changes", Answer, "the ETag stays when the thing changes"},
		{"strong-etag", Answer, "the strong ETag stays when a read changes"},
		{"put-tag", Answer, "a PUT is answered with an old ETag"},
		{"if-none-match", Answer, "If-None-Match with the current ETag is not answered with 304"},
		{"not-modified", Answer, "If-None-Match with the current ETag is not answered with 304"},
		{"not-modified-fields", Answer, "a 304 lacks fields that a cache needs"},
		{"modified", Answer, "a changed thing is answered with 304"},
		{"not-modified-since", Answer, "If-Modified-Since of an unchanged thing is not answered with 304"},
		{"modified-since", Answer, "a changed thing is answered with 304"},
		{"head-like-get", Answer, "HEAD is not answered like GET"},

		{"optional", Refusal, "a request without an optional member is refused"},
		{"accepted", Refusal, "a valid request is refused"},
		{"some-accepted", Refusal, "no valid value of a member is accepted"},
		{"undocumented-rule", Guessed, "values are refused by a rule that no schema states"},
		{"accepts-credential", Refusal, "the right credential is refused when it is written in another valid way"},
		{"accepts-alternative", Refusal, "a documented alternative of the credentials is refused"},
		{"match-existing", Refusal, "If-Match: * is refused although the thing exists"},
		{"match-listed", Refusal, "If-Match with the current ETag among others is refused"},

		{"refuses-empty", Leniency, "a missing body is accepted where one is required"},
		{"refuses-syntax", Leniency, "a body that is not JSON is accepted"},
		{"refuses-schema", Leniency, "a value that the schema forbids is accepted"},
		{"refuses-media", Leniency, "a body of a media type that is not documented is accepted"},
		{"state-refused", Leniency, "an action is carried out in a state that forbids it"},

		{"observe", Protocol, "what was seen is not judged"},
		{"unobservable", Protocol, "what no request can show is not judged"},
	}
}
