package report

import (
	"time"
)

// Diff is what changed from one report to another.
type Diff struct {
	Version int      `json:"version"`
	Old     DiffSide `json:"old"`
	New     DiffSide `json:"new"`
	// Differ says in which settings the runs differ, so that a change may come from
	// these and not from the target: "seed 1, then 7".
	Differ []string `json:"settings_differ,omitempty"`
	// Findings are those of either run by their ids: new ones first.
	Findings []FindingChange `json:"findings"`
	// NewlyFailing failed in the new run and not in the old one. NoLongerTried has a
	// verdict in the old run, and none, or one that says nothing, in the new run.
	NewlyFailing  []Change `json:"newly_failing"`
	NoLongerTried []Change `json:"no_longer_tried"`
	Fixed         []Change `json:"fixed"`
	StillFailing  []Change `json:"still_failing"`
	// Observed are the open points where the target answers in another way.
	Observed []ObservedChange `json:"observed"`
	// Latency has the percentiles of the times of answers that differ by more than noise: at
	// least twice, and by 10 ms. It is empty if a run had less than 100 answers.
	Latency []LatencyChange `json:"latency,omitempty"`
	// Worse reports whether a change gates: see Change.Gates.
	Worse bool `json:"worse"`
}

// LatencyChange is a percentile of the times of answers. It is never judged.
type LatencyChange struct {
	Percentile string        `json:"percentile"` // p50 or p90
	Was        time.Duration `json:"was_ns"`
	Is         time.Duration `json:"is_ns"`
}

// FindingChange is what became of a finding. Findings with one id are one.
type FindingChange struct {
	ID       string   `json:"id"`
	Category Category `json:"category"`
	Sentence string   `json:"sentence"` // in the new report, if that has it
	// Change is new, gone, not tried or same.
	Change string `json:"change"`
	Known  bool   `json:"known,omitzero"` // to the file of known failures of the last report that has it
}

// DiffSide is what identifies one of the two runs.
type DiffSide struct {
	Tool     string  `json:"tool"`
	Target   string  `json:"target"`
	Document string  `json:"document"`
	Digest   string  `json:"digest"`
	Verdict  Outcome `json:"verdict"`
}

// Change is one requirement in both reports.
type Change struct {
	Requirement string `json:"requirement"`
	Level       Level  `json:"level"` // in the new report, if it has the requirement
	Sentence    string `json:"sentence"`
	// Was and Is are the verdicts; empty where the report does not have the requirement.
	Was Verdict `json:"was,omitempty"`
	Is  Verdict `json:"is,omitempty"`
	// Reason says why the new report has no verdict.
	Reason string `json:"reason,omitempty"`
	// WasGot and Got are the answers in the first failure of each report.
	WasGot string `json:"was_got,omitempty"`
	Got    string `json:"got,omitempty"`
	Sent   string `json:"sent,omitempty"`   // in the first failure of the new report, else of the old one
	Replay string `json:"replay,omitempty"` // likewise
	// Known is the reason in the file of known failures of the new run, if it has the
	// failure. Such a change does not gate.
	Known string `json:"known,omitempty"`
	// Gates reports whether the change makes the new run worse: a MUST, or a SHOULD if
	// the new run had --fail-on should, fails newly or is no longer tried.
	Gates bool `json:"gates,omitzero"`
}

// ObservedChange is one open point that the target treats in another way.
type ObservedChange struct {
	Requirement string         `json:"requirement"`
	Sentence    string         `json:"sentence"`
	Changes     []AnswerChange `json:"changes"`
}

// AnswerChange is what the same kinds of request got in either run.
type AnswerChange struct {
	Was   []string `json:"was"`
	Is    []string `json:"is"`
	Kinds []string `json:"kinds,omitempty"` // as in Seen
}

// Matrix puts the reports of several implementations of one document side by side: a
// column for each implementation, a row for each requirement and for each open point.
type Matrix struct {
	Version  int    `json:"version"`
	Document string `json:"document"`
	Digest   string `json:"digest"` // SHA-256 of the document, hexadecimal
	// Differ says in which settings the runs differ, so that a difference may come from
	// these and not from the implementations: "seed 1 in a and b, 7 in c".
	Differ          []string         `json:"settings_differ,omitempty"`
	Implementations []Implementation `json:"implementations"`
	// Findings are those of any implementation, the worst first.
	Findings []MatrixFinding `json:"findings"`
	// Requirements are in the order of the catalogue.
	Requirements []MatrixRow   `json:"requirements"`
	Observed     []MatrixPoint `json:"observed"`
}

// MatrixFinding is one finding.
type MatrixFinding struct {
	ID       string   `json:"id"`
	Category Category `json:"category"`
	Sentence string   `json:"sentence"` // in the first report that has it
	// Failed counts the requirements of it that each implementation fails, in the order of
	// Implementations.
	Failed []int `json:"failed"`
}

// Implementation is one column of a matrix.
type Implementation struct {
	Name    string  `json:"name"`
	Target  string  `json:"target"`
	Tool    string  `json:"tool"`
	Verdict Outcome `json:"verdict"`
	// Partial says that the run covered only a part of the contract.
	Partial bool `json:"partial,omitzero"`
	// NamedCases says that the implementation could have answered by the ids of the cases,
	// and Traced that it could have by trace ids that are made of them.
	NamedCases bool `json:"named_cases,omitzero"`
	Traced     bool `json:"traced,omitzero"`
	// FailOn is the lowest level whose failure gated the run: must or should.
	FailOn string `json:"fail_on,omitempty"`
	// Judged is the number of cases that were judged.
	Judged int `json:"judged_cases"`
	// Levels counts the verdicts of each level that has one, MUST first.
	Levels []LevelCount `json:"levels"`
}

// LevelCount counts the requirements of one level by their verdicts.
type LevelCount struct {
	Level  Level `json:"level"`
	Failed int   `json:"failed"`
	Known  int   `json:"known_failures,omitzero"` // not in Failed
	Passed int   `json:"passed"`
	// Undecided counts those without a verdict on the implementation: inconclusive,
	// error, or not in the report.
	Undecided    int `json:"undecided"`
	Inapplicable int `json:"inapplicable"`
}

// MatrixRow is one requirement.
type MatrixRow struct {
	Requirement string `json:"requirement"`
	Level       Level  `json:"level"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	Operation   string `json:"operation,omitempty"`
	// Cells has the verdict of each implementation, in the order of Implementations.
	Cells []MatrixCell `json:"cells"`
}

// MatrixCell is the verdict on one requirement for one implementation.
type MatrixCell struct {
	// Verdict is empty if the report does not have the requirement.
	Verdict Verdict `json:"verdict,omitempty"`
	// Known says that the failure is expected.
	Known bool `json:"known,omitzero"`
	// Reason says why a verdict is neither pass nor fail.
	Reason string `json:"reason,omitempty"`
	// Sent and Got are those of the first failure.
	Sent string `json:"sent,omitempty"`
	Got  string `json:"got,omitempty"`
}

// MatrixPoint is one open point. It is observed, and never judged.
type MatrixPoint struct {
	Requirement string `json:"requirement"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	// Answers are those that any implementation gave; that of the most implementations
	// is first.
	Answers []MatrixAnswer `json:"answers"`
}

// MatrixAnswer is one answer to an open point.
type MatrixAnswer struct {
	What string `json:"what"`
	// Counts says how many exchanges showed it, in the order of Implementations.
	Counts []int `json:"counts"`
}

// TargetDiff is where two targets answer the same requests differently.
type TargetDiff struct {
	Version int      `json:"version"`
	A       DiffSide `json:"a"`
	B       DiffSide `json:"b"`
	// Differ says in which settings the runs differ, such as the dataset generation. Their
	// requests then have other fresh values.
	Differ []string `json:"settings_differ,omitempty"`
	// Verdicts are the requirements with different verdicts, those that gate first. Of a
	// Change, Was is that of A and Is that of B.
	Verdicts []Change `json:"verdicts"`
	// Answers are the classes of cases with different answers: those of another class of
	// status first.
	Answers []AnswersDiffer `json:"answers"`
	// Observed are the open points that the two treat differently.
	Observed []ObservedChange `json:"observed"`
	// Gates reports whether a requirement that makes a run fail has different verdicts.
	Gates bool `json:"gates"`
}

// AnswersDiffer is how often the requests of a class were answered differently in one way.
type AnswersDiffer struct {
	Class    string `json:"class"`
	Case     string `json:"case"` // the first one
	A        string `json:"a"`
	B        string `json:"b"`
	Requests int    `json:"requests"`
	// Status reports whether one is a success and the other a refusal, or one is a server
	// error or no answer.
	Status bool `json:"status,omitzero"`
}
