package report

// Listing is the plan without a network: what would be tried.
type Listing struct {
	Version      int            `json:"version"`
	Document     string         `json:"document"`
	Requirements []ListingEntry `json:"requirements"`
	Cases        int            `json:"cases"`
	LeftOut      []string       `json:"left_out,omitempty"`
}

// ListingEntry is one requirement and the number of its planned cases.
type ListingEntry struct {
	Requirement string `json:"requirement"`
	Level       Level  `json:"level"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	Rule        string `json:"rule"`
	Cases       int    `json:"cases"`
}

// Explanation is one requirement in full.
type Explanation struct {
	ListingEntry
	Doc string `json:"doc"` // what the rule judges
	// Classes are the classes of cases that can fail it, with planned numbers.
	Classes []ClassCount `json:"classes"`
	Example string       `json:"example"` // a request, as curl or as text
	Mend    string       `json:"mend"`    // how to fix a server that fails it
}

// Transcript is what a replay sent and received.
type Transcript struct {
	Case     string   `json:"case"`
	Steps    []Step   `json:"steps"`
	Failures []Result `json:"failures"` // requirements that the replay failed
	Reason   string   `json:"reason,omitempty"`
}

// Coverage says for each schema keyword what is planned on both sides of it.
type Coverage struct {
	Version  int               `json:"version"`
	Keywords []KeywordCoverage `json:"keywords"`
}

// KeywordCoverage is one keyword in the dialects of OpenAPI that share a plan.
type KeywordCoverage struct {
	Keyword  string       `json:"keyword"`
	Dialects []string     `json:"dialects"`
	Valid    SideCoverage `json:"valid"`
	Invalid  SideCoverage `json:"invalid"`
	// Why tells why a side has no case.
	Why string `json:"why,omitempty"`
}

// SideCoverage is what the plan holds on one side of a keyword.
type SideCoverage struct {
	Cases int    `json:"cases"`
	What  string `json:"what,omitempty"`
}
