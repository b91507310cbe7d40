package report

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
