// Package conformance judges whether a server keeps the contract that an
// OpenAPI document states. It knows OpenAPI, not plants.
//
// The pipeline, one way, no stage hands anything back:
//
//	OpenAPI document (+ requirements file) -> Contract -> Requirements ->
//	Plan of Cases -> Exchanges -> Verdicts -> Report -> formats
//
// The words:
//
//   - target: the base URL of the implementation under test
//   - requirement: one normative sentence, with an id, a level and a clause
//   - clause: section of the specification, JSON pointer, or RFC section
//   - open point: what the specification marks "not shown": observed, never judged
//   - rule: the code that judges requirements of one kind
//   - plain, edge: values that every implementation must take, and values that
//     some rightly refuse
//   - mild request: the plainest valid request, the base of every case
//   - mutator: turns a mild request into one that breaks exactly one named thing
//   - credential: what a request carries to authenticate
//   - class: all cases that try the same thing
//   - case: one thing to try, with an id and a seed of its own
//   - exchange: one HTTP request and its response, to the byte
//   - control: a mild request sent beside a doubtful exchange
//   - verdict: inapplicable, pass, inconclusive, fail, error
//   - fault, variant: a deliberate deviation of the reference server; an
//     unusual but conforming behaviour of it
package conformance
