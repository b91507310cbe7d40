package report

import "time"

// Diff is what changed from one report to another.
type Diff struct {
	Version int      `json:"version"`
	Old     DiffSide `json:"old"`
	New     DiffSide `json:"new"`
	// Differ says in which settings the runs differ, so that a change may come from
	// these and not from the target: "seed 1, then 7".
	Differ []string `json:"settings_differ,omitempty"`
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
