package report

// Verdict is what can be said of one requirement (ISO 9646, OASIS test
// assertions).
type Verdict string

// The verdicts. Error is a fault of the suite, never the target's.
const (
	Inapplicable Verdict = "inapplicable"
	Pass         Verdict = "pass"
	Inconclusive Verdict = "inconclusive"
	Fail         Verdict = "fail"
	Error        Verdict = "error"
)

// Level is how binding a requirement is (RFC 2119).
type Level string

// The levels. Open marks an open point: observed, not judged.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
	Open   Level = "OPEN"
)

// Result is the verdict on one requirement.
type Result struct {
	Requirement string  `json:"requirement"`
	Level       Level   `json:"level"`
	Sentence    string  `json:"sentence"`
	Clause      string  `json:"clause"`
	Verdict     Verdict `json:"verdict"`
	// Reason says why a verdict is inconclusive, inapplicable or error.
	Reason string `json:"reason,omitempty"`
	Cases  Cases  `json:"cases"`
	// Failures holds one entry for a requirement that failed in one way, more
	// where it failed in ways that have nothing in common; worst first.
	Failures []Failure `json:"failures,omitempty"`
}

// Cases counts the cases of one requirement.
type Cases struct {
	Planned int `json:"planned"`
	Judged  int `json:"judged"`
	Failed  int `json:"failed"`
	// Masked cases failed a more basic requirement first.
	Masked int `json:"masked"`
	// NotTried cases were not sent, or had no answer that could be judged.
	NotTried int `json:"not_tried"`
}

// Failure is one way in which a requirement failed, with its smallest example.
type Failure struct {
	// N numbers the failures of a report from 1: replay takes it.
	N     int    `json:"n"`
	Case  string `json:"case"`
	Class string `json:"class"`
	// Stable tells whether a second try, after all cases, failed again.
	Stable bool `json:"stable"`
	// NotTriedAgain says why there was no second try; whether the failure is
	// stable is then not known, and Stable is false.
	NotTriedAgain string `json:"not_tried_again,omitempty"`
	// Minimal tells whether no single removal keeps the failure; false when the
	// budget of requests was spent before that was known.
	Minimal bool `json:"minimal"`
	// Sent is the difference from the mild request, Expected and Got the
	// sentence halves behind it.
	Sent     string `json:"sent"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
	// Common is what the failed cases share and no passed one has; may be empty.
	Common string `json:"common,omitempty"`
	// Classes are the classes that failed in this way, with counts.
	Classes []ClassCount `json:"classes"`
	Steps   []Step       `json:"steps"`
	// Curl repeats a failure of one request; empty where curl cannot.
	Curl   string `json:"curl,omitempty"`
	Replay string `json:"replay"`
}

// ClassCount says how many of a class's judged cases failed.
type ClassCount struct {
	Class  string `json:"class"`
	Failed int    `json:"failed"`
	Judged int    `json:"judged"`
}

// Step is one exchange of a failure. The token is written as the placeholder
// $CONFORMANCE_TOKEN.
type Step struct {
	// Connection numbers the connections of a sequence from 1.
	Connection int  `json:"connection"`
	Parallel   bool `json:"parallel,omitzero"`
	Await      bool `json:"await_continue,omitzero"`
	// Cuts are the places in the body before which the sender paused.
	Cuts     []int `json:"cuts,omitempty"`
	Request  Bytes `json:"request"`
	Response Bytes `json:"response"`
	// Failure says what went wrong on the wire where there is no response.
	Failure string `json:"failure,omitempty"`
}

// Summary is the end of a report.
type Summary struct {
	Verdict Outcome `json:"verdict"`
	Partial bool    `json:"partial"`
	// Reasons say why a run is incomplete, one sentence each.
	Reasons   []string `json:"reasons,omitempty"`
	Exchanges int      `json:"exchanges"`
	Passed    int      `json:"passed"`
	Failed    int      `json:"failed"`   // MUST
	Warned    int      `json:"warnings"` // SHOULD
	Unsettled int      `json:"inconclusive"`
	Errors    int      `json:"errors"`
	Unneeded  int      `json:"inapplicable"`
}

// Outcome is the verdict on the target.
type Outcome string

// The outcomes, with the exit codes 0, 1 and 3.
const (
	Conformant    Outcome = "conformant"
	NotConformant Outcome = "not conformant"
	Incomplete    Outcome = "incomplete"
)
