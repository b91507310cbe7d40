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
	// Differences are in the order of their cases.
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is an answer of which the two say different things.
type Difference struct {
	Case        string `json:"case"`
	Status      int    `json:"status"`
	ContentType string `json:"content_type"`
	// Exact and Second are what each says: "valid", or why not.
	Exact  string `json:"exact"`
	Second string `json:"second"`
	Body   Bytes  `json:"body"`
}
