package report

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
	// Requirements are in the order of the catalogue.
	Requirements []MatrixRow   `json:"requirements"`
	Observed     []MatrixPoint `json:"observed"`
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
