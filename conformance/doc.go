// Package conformance tests whether a server keeps the contract in an OpenAPI
// document. It knows OpenAPI and nothing about plants.
//
// [Run] tests a target and returns a report. [List] and [Explain] describe what
// would be sent, without a network. [Replay] and [ReplayFailure] send one case
// again, and [ReplayReport] all failures of a report. [Merge] joins the reports of
// shards. [Config] says what to test and how.
//
// # How it works
//
// Data flows in one direction:
//
//	OpenAPI document (+ requirements file) -> Contract -> Requirements ->
//	Plan of Cases -> Exchanges -> Verdicts -> Report -> formats
//
// ARCHITECTURE.md follows one case through the packages.
//
// # Words
//
// These words have one meaning everywhere: in the code, the flags, the reports
// and the documentation. They are listed in the order in which a reader meets
// them.
//
//   - target: the base URL of the implementation under test. It can have a path
//     prefix.
//   - requirement: one normative sentence. It has an id, a level (MUST, SHOULD or
//     MAY) and a clause.
//   - clause: where a requirement comes from: a section of the specification, a
//     JSON pointer into the document, or a section of an RFC.
//   - open point: something that the specification leaves open. It is observed and
//     reported, and never judged.
//   - rule: the code that judges requirements of one kind. Its role says what it
//     is about: acceptance, refusal, credential, echo or belonging.
//   - operation, parameter, media type, schema, security scheme, link: as in
//     OpenAPI.
//   - must-accept value: a value that every implementation has to accept.
//   - may-refuse value: a valid value that an implementation may refuse for good
//     reasons, such as an empty name. Both answers are correct.
//   - baseline request: the simplest valid request. Every case starts from it, and
//     everything that is not under test is as in the baseline request.
//   - mutator: changes exactly one thing in a baseline request.
//   - way, reach: how an operation gets a value that names something which exists,
//     and finding one that the target accepts.
//   - credential: what a request carries to authenticate. It can be valid, absent,
//     malformed or wrong.
//   - place, kind: where in a request a mutator makes its change, such as a member
//     or the body as a whole, and what the change is.
//   - family: the group of mutators in an id: valid, may-refuse, invalid, not-json,
//     credential or sequence.
//   - class: all cases that test the same thing: one mutator, one place and one
//     kind of value. Explain tells which file makes it.
//   - case: one thing to try, of one step or of several in sequence or in parallel.
//     It has its own seed, and the id
//     operation/family/mutator/place/kind/draw. A sequence has no place.
//   - draw: a random case of a class. The number of draws per class is set by
//     Config.Draws.
//   - effort: how many requests an operation gets: smoke, gate, full or deep.
//   - plan: all cases of a run, in order.
//   - selection: the requirements and cases that --only and --skip leave. A run
//     with a selection is partial.
//   - shard: one of several parts of a plan, for runs side by side. Merge joins the
//     reports of all shards.
//   - exchange: one HTTP request and its response, byte for byte.
//   - expectation: what the server has to do with a request: accept it, refuse it,
//     either of the two, or give any answer. What a class says of its requests is
//     checked against their bytes before anything is judged.
//   - dataset generation: which part of the value space a run uses for its ids and
//     names. If the target refuses values because an earlier run stored them, the
//     run uses the next generation.
//   - run number: which run against the same stored data this is. It keeps the
//     values of two runs apart.
//   - control: a baseline request that is sent next to a doubtful exchange, to find
//     out whether the target is still alive.
//   - recheck: a second look at a failure that may have another cause than the
//     request, such as a value that was used before.
//   - retry: sending a case again, with fresh values. The retry id tells it apart
//     from the first attempt.
//   - response form: what a response looks like, apart from values that change with
//     every request. Two refusals with the same form have the same cause.
//   - verdict: inapplicable, pass, inconclusive, fail or error. An error is a bug in
//     the suite, never a failure of the target.
//   - violation: what breaks a requirement in one exchange.
//   - attribution: which requirement a failure is reported under.
//   - suppressed: said of a failure that follows from a more basic one on the same
//     exchange. It is not reported again.
//   - stable, unstable: whether a failure happened again when its case was sent
//     again at the end of the run.
//   - second opinion: what libopenapi-validator says about an answer. It is asked
//     after the verdicts and changes none of them.
//   - fault: one deliberate error of the reference server. The suite must find it.
//   - variant: one unusual but conforming behavior of the reference server. The
//     suite must pass it.
package conformance
