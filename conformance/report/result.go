package report

import (
	"cmp"
	"slices"
	"strings"
)

// Verdict is what can be said of one requirement (ISO 9646, OASIS test
// assertions).
type Verdict string

// The verdicts. Error is a bug in the suite, never a failure of the target.
const (
	Inapplicable Verdict = "inapplicable"
	Pass         Verdict = "pass"
	Inconclusive Verdict = "inconclusive"
	Fail         Verdict = "fail"
	Error        Verdict = "error"
)

// Level is how binding a requirement is (RFC 2119).
type Level string

// The levels. Suspected marks what rests on evidence alone, such as a sentence or a name.
// Open marks an open point: observed, not judged.
const (
	Must      Level = "MUST"
	Should    Level = "SHOULD"
	May       Level = "MAY"
	Suspected Level = "SUSPECTED"
	Open      Level = "OPEN"
)

// Levels lists the levels, the most binding first.
func Levels() []Level { return []Level{Must, Should, May, Suspected, Open} }

// Gate says which failures make a target not conformant: the lowest level of them, Must, Should or
// Suspected; or categories, separated by commas; or both. Empty means Must.
type Gate = Level

// Gates reports whether a failure of the level makes a target not conformant.
func (l Level) Gates(failOn Gate) bool {
	for _, word := range words(failOn) {
		switch low := Level(strings.ToUpper(word)); {
		case low != Must && low != Should && low != Suspected: // a category
		case l == Must, l == Should && low != Must, l == Suspected && low == Suspected:
			return true
		}
	}
	return false
}

// words are those of a gate. The category of what is suspected is that level.
func words(failOn Gate) []string {
	return strings.Split(strings.ToLower(cmp.Or(string(failOn), string(Must))), ",")
}

// Gates reports whether the failures of a requirement make a target not conformant.
func (r *Result) Gates(failOn Gate) bool {
	return r.Level.Gates(failOn) || slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Known == nil && f.Flaw.Category.Gates(failOn) })
}

// Gates reports whether a failure of the category makes a target not conformant, whatever its
// level is.
func (c Category) Gates(failOn Gate) bool {
	return c != Guessed && c != "" && slices.Contains(words(failOn), string(c))
}

// Evidence is what a description or a name suggests. It is a guess: nothing is required
// because of it alone.
type Evidence struct {
	// Fact says what is suggested, Place where: a JSON pointer into the document.
	Fact  string `json:"fact"`
	Place string `json:"place,omitempty"`
	// Quote is the sentence, or the name, as the document has it.
	Quote string `json:"quote,omitempty"`
}

// Result is the verdict on one requirement.
type Result struct {
	Requirement string `json:"requirement"`
	Level       Level  `json:"level"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	// Evidence is what a requirement of the level Suspected rests on.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Place is where the clause stands. It is nil if the requirement did not fail, or if
	// the clause is not in a file: in a document from a server, or in an RFC.
	Place *Place `json:"clause_place,omitempty"`
	// Fix says how to fix a server that fails the requirement. It is empty if it did not fail.
	Fix string `json:"fix,omitempty"`
	// Operation is the one that the requirement belongs to: "POST /plants".
	Operation string  `json:"operation,omitempty"`
	Verdict   Verdict `json:"verdict"`
	// Reason says why a verdict is inconclusive, inapplicable or error.
	Reason string `json:"reason,omitempty"`
	Cases  Cases  `json:"cases"`
	// Known is set if the file of known failures has this failure, or the one that
	// suppresses this requirement. It does not fail the run then, and is never a pass.
	Known *Known `json:"known,omitempty"`
	// Failures has one entry for each way in which the requirement failed, worst
	// first.
	Failures []Failure `json:"failures,omitempty"`
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"` // path with slashes, below or beside what --spec names
	Line int    `json:"line"` // from 1
}

// Cases counts the cases of one requirement.
type Cases struct {
	Planned int `json:"planned"`
	Judged  int `json:"judged"`
	Failed  int `json:"failed"`
	// Suppressed is the number of cases in which this requirement was suppressed,
	// because a more basic one failed.
	Suppressed int `json:"suppressed"`
	// NotTried is the number of cases that were not sent, or that had no answer to
	// judge.
	NotTried int `json:"not_tried"`
}

// Failure is one way in which a requirement failed, with its smallest example.
type Failure struct {
	// N numbers the failures of a report from 1, as in replay report.json#N.
	N     int    `json:"n"`
	Case  string `json:"case"`
	Class string `json:"class"`
	// Flaw says of what kind the failure is.
	Flaw Flaw `json:"flaw,omitzero"`
	// Known is the entry of the file of known failures about the finding that it belongs to.
	Known *Known `json:"known,omitempty"`
	// Generation is the dataset generation of its shard, if a merged report has another.
	Generation *int `json:"dataset_generation,omitempty"`
	// Stable reports whether the failure happened again at the end of the run.
	Stable bool `json:"stable"`
	// NotTriedAgain says why the case was not sent again. Stable is then false, and
	// not known.
	NotTriedAgain string `json:"not_tried_again,omitempty"`
	// Cause says what the failure needs besides its last request: another one before it, or
	// several at the same time. It was confirmed by experiments. It is empty if the failure
	// needs nothing, or if that is not known.
	Cause string `json:"cause,omitempty"`
	// Suspects are the requests of which one is the likely cause that the target stopped
	// answering for good, the likeliest first, each with the command that sends it again.
	Suspects []string `json:"suspects,omitempty"`
	// Minimal reports whether the example is the smallest: no part of it can be
	// removed. It is false if the budget of requests was used up before.
	Minimal bool `json:"minimal"`
	// Sent is the difference from the baseline request. Expected and Got say what the
	// answer should have been and what it was.
	Sent     string `json:"sent"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	// Common is what all failed cases share and no passed case has. It may be empty.
	Common string `json:"common,omitempty"`
	// Classes are the classes that failed in this way, with counts.
	Classes []ClassCount `json:"classes"`
	Steps   []Step       `json:"steps"`
	// Story tells a failure that several requests about one thing show: a line for each
	// request, with what was expected of the last one.
	Story []string `json:"story,omitempty"`
	// Curl repeats a failure of one request, or of several about one thing, in a shell
	// with curl and jq. It is empty where they cannot.
	Curl   string `json:"curl,omitempty"`
	Replay string `json:"replay"`
}

// TraceID is that of the last request with a trace context; empty if none has one.
func (f Failure) TraceID() string {
	for _, s := range slices.Backward(f.Steps) {
		if s.TraceID != "" {
			return s.TraceID
		}
	}
	return ""
}

// ClassCount says how many judged cases of a class failed.
type ClassCount struct {
	Class  string `json:"class"`
	Failed int    `json:"failed"`
	Judged int    `json:"judged"`
}

// Step is one exchange of a failure. $CONFORMANCE_TOKEN stands for the token.
type Step struct {
	// Connection numbers the connections of a sequence from 1.
	Connection int `json:"connection"`
	// Case is the case that the request is taken from, if that is not the failure's own.
	Case     string `json:"case,omitempty"`
	Parallel bool   `json:"parallel,omitzero"`
	// IdleMS is how long the sender waited before the step, in milliseconds.
	IdleMS int64 `json:"idle_ms,omitzero"`
	Await  bool  `json:"await_continue,omitzero"`
	// Cuts are the offsets in the body at which the sender paused.
	Cuts     []int `json:"cuts,omitempty"`
	Request  Bytes `json:"request"`
	Response Bytes `json:"response"`
	// TraceID is that of the trace context of the request (W3C Trace Context), as 32
	// hexadecimal digits.
	TraceID string `json:"trace_id,omitempty"`
	// Failure says what went wrong on the connection if there is no response.
	Failure string `json:"failure,omitempty"`
}

// Summary is the end of a report.
type Summary struct {
	Verdict Outcome `json:"verdict"`
	Partial bool    `json:"partial"`
	// Reasons say why a run is incomplete, one sentence each.
	Reasons []string `json:"reasons,omitempty"`
	// Operations are all of the document, without those that the user excluded. Tried were those
	// of which a request was accepted, and Unsupported are those that this version cannot try.
	Operations  int `json:"operations,omitzero"`
	Tried       int `json:"operations_tried,omitzero"`
	Unsupported int `json:"operations_unsupported,omitzero"`

	Exchanges int `json:"exchanges"`
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`   // MUST, without the known ones
	Warned    int `json:"warnings"` // SHOULD, without the known ones
	Suspected int `json:"suspected,omitzero"`
	Known     int `json:"known_failures,omitzero"`
	Unsettled int `json:"inconclusive"`
	Errors    int `json:"errors"`
	Unneeded  int `json:"inapplicable"`
	// LeftOut is how many of the inapplicable ones the effort left without a case.
	LeftOut int `json:"left_out_by_effort,omitzero"`
}

// Suppressed begins the reason of a requirement that a more basic failure hid.
const Suppressed = "suppressed by "

// SuppressedBy returns the requirement whose failure hid this one, and reports whether
// there is one.
func (r *Result) SuppressedBy() (id string, found bool) {
	if r.Verdict != Inconclusive {
		return "", false
	}
	return strings.CutPrefix(r.Reason, Suppressed)
}

// OwnFault begins the reason of a run that is incomplete because of a bug in the suite.
const OwnFault = "an error in this suite: "

// OwnFault reports whether a bug in the suite kept a run from being complete.
func (s *Summary) OwnFault() bool {
	return s.Verdict == Incomplete && (s.Errors > 0 || slices.ContainsFunc(s.Reasons, func(why string) bool { return strings.HasPrefix(why, OwnFault) }))
}

// Outcome is the verdict on the target.
type Outcome string

// The outcomes, with the exit codes 0, 1, 3 (4 for a bug in the suite), 0, 0 and 1.
const (
	Conformant    Outcome = "conformant"
	NotConformant Outcome = "not conformant"
	Incomplete    Outcome = "incomplete"
	// OnlyKnown says that nothing fails but what the file of known failures has.
	OnlyKnown Outcome = "only known failures"
	// PassedOver says that what fails is outside the gate of the run.
	PassedOver Outcome = "only failures outside the gate"
	// OutOfDate says that nothing else fails, and that the file has entries that no
	// longer hold.
	OutOfDate Outcome = "known failures out of date"
)

// Known is an entry of the file of known failures, at what it expects to fail.
type Known struct {
	Line    int    `json:"line"`
	Reason  string `json:"reason"`
	Link    string `json:"link,omitempty"`
	Expires string `json:"expires,omitempty"` // the last day on which it holds, as 2006-01-02
}

// KnownFailures is the file of known failures of a run.
type KnownFailures struct {
	File
	Entries int `json:"entries"`
	// OutOfDate are the entries that no longer hold, in the order of the file.
	OutOfDate []OutOfDateEntry `json:"out_of_date,omitempty"`
}

// OutOfDateEntry is an entry that no longer holds.
type OutOfDateEntry struct {
	Line        int    `json:"line"`
	Requirement string `json:"requirement"` // the pattern, or the id of a finding
	// Why says why it does not hold, and Do what to do.
	Why string `json:"why"`
	Do  string `json:"do"`
}

// SecondOpinion compares the exact judge, which decides, with another reader of
// the same document. It was asked after the verdict, once for each distinct
// answer: answers that differ in fresh words alone are one.
type SecondOpinion struct {
	Reader string `json:"reader"`
	// Agreed and Disagreed are numbers of distinct answers, NotAsked the distinct
	// answers that were beyond the bounds of time and memory.
	Agreed    int `json:"agreed"`
	Disagreed int `json:"disagreed"`
	NotAsked  int `json:"not_asked,omitzero"`
	// Reason says why answers were not asked about.
	Reason string `json:"reason,omitempty"`
	// Differences holds an entry for each pair of judgements that differ, in the
	// order of their first cases.
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is what the two say differently, with the first answer that shows
// it.
type Difference struct {
	// Exact and Second are what each says: "valid", or why not.
	Exact  string `json:"exact"`
	Second string `json:"second"`
	// Answers counts the distinct answers of which they say so.
	Answers     int    `json:"answers"`
	Case        string `json:"case"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	Body        Bytes  `json:"body"`
}

// Same reports whether two answers differ in the same way.
func (d Difference) Same(other Difference) bool {
	return d.Exact == other.Exact && d.Second == other.Second && d.Status == other.Status
}
