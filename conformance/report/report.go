// Package report is what a run says, as plain versioned data: every output
// format prints a Report and adds no judgement of its own.
package report

import "time"

// Version is the version of the JSON form. A member may be added without
// raising it; a member that changes its meaning or goes raises it.
const Version = 1

// Report is one run against one target.
type Report struct {
	Version  int       `json:"version"`
	Tool     string    `json:"tool"`
	Header   Header    `json:"header"`
	Facts    []Fact    `json:"facts"`
	Results  []Result  `json:"results"`
	Observed []Observe `json:"observed"`
	// Second is nil where nobody else was asked.
	Second  *SecondOpinion `json:"second_opinion,omitempty"`
	Summary Summary        `json:"summary"`
	Times   Times          `json:"times"`
}

// Header is known before the first request is sent.
type Header struct {
	Target   string `json:"target"`
	Embedded bool   `json:"embedded"`
	Document string `json:"document"` // title, version and file
	Digest   string `json:"digest"`   // SHA-256 of the document, hexadecimal
	Seed     uint64 `json:"seed"`
	Draws    int    `json:"draws"` // random cases of each drawing class
	// Epoch says which set of fresh ids and names this run sends; it grows when
	// the target refuses values that an earlier run stored.
	Epoch int `json:"epoch"`
	// Requirements and Cases are the planned numbers, Stores the most resources
	// that the target may keep afterwards.
	Requirements int `json:"requirements"`
	Cases        int `json:"cases"`
	Stores       int `json:"stores"`
	// NamedCases tells that every request named its case, so that a target could
	// tell what it was asked: such a run is for debugging.
	NamedCases bool `json:"named_cases,omitzero"`
	// FailOn is the lowest level that gates: must or should.
	FailOn string `json:"fail_on,omitempty"`
	// Selection is what --only and --skip left; empty when everything runs.
	Selection []string `json:"selection,omitempty"`
	// Values are those that the target was said to take: --value.
	Values []string `json:"values,omitempty"`
	// LeftOut names what the document holds and this suite does not test.
	LeftOut []string `json:"left_out,omitempty"`
}

// Partial tells whether a selection was made: the verdict then covers less than
// the contract.
func (h Header) Partial() bool { return len(h.Selection) > 0 }

// Fact is something learned about the target before the cases ran.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Observe is an open point with what the target does there. It is never judged.
type Observe struct {
	Requirement string `json:"requirement"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	// Seen lists what was observed, most frequent first, each with a count:
	// "duplicate id: 200 Plant" (3).
	Seen []Seen `json:"seen"`
}

// Seen is one observation and how many exchanges showed it.
type Seen struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	// Kinds are the places and kinds of value that showed it: "name/empty".
	Kinds []string `json:"kinds,omitempty"`
}

// Times are the only members that differ between two runs with the same seed
// against the same target state.
type Times struct {
	Began   time.Time     `json:"began"`
	Took    time.Duration `json:"took_ns"`
	First   time.Duration `json:"first_request_ns"`
	Median  time.Duration `json:"median_answer_ns"`
	Slowest time.Duration `json:"slowest_answer_ns"`
	Limits  Limits        `json:"limits,omitzero"`
}

// Limits tells how the target held the run back: answers that were none, for they
// asked for patience (429, or 503 with Retry-After).
type Limits struct {
	Answers int           `json:"limited_answers"`
	Waited  time.Duration `json:"waited_ns"`
	// Rate is the number of requests a second that the run was paced to in the end;
	// 0 where nothing was learned about a rate.
	Rate int `json:"rate,omitzero"`
	// Unavailable counts answers 503 without Retry-After. They are judged.
	Unavailable int `json:"unavailable,omitzero"`
}
