package report

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
