package report

// Listing is the plan: the requirements and what would be sent.
type Listing struct {
	Version  int    `json:"version"`
	Document string `json:"document"`
	// Servers are the URLs of the document's servers, with the defaults of variables.
	Servers      []string       `json:"servers,omitempty"`
	Requirements []ListingEntry `json:"requirements"`
	// Mutators are those that make the cases, in the order of the catalogues.
	Mutators []ListedMutator `json:"mutators,omitempty"`
	Cases    int             `json:"cases"`
	// Estimated reports whether the cases are not counted, because there are many
	// operations: Cases then is what the effort allows, and each entry has 0.
	Estimated bool     `json:"estimated,omitzero"`
	LeftOut   []string `json:"left_out,omitempty"`
}

// ListingEntry is one requirement and the number of its planned cases.
type ListingEntry struct {
	Requirement string `json:"requirement"`
	Level       Level  `json:"level"`
	Sentence    string `json:"sentence"`
	Clause      string `json:"clause"`
	Rule        string `json:"rule"`
	Cases       int    `json:"cases"`
	// Sent names the mutators of the cases that can test it, those that test the fewest
	// requirements first. Only a listing has it, and only if the cases are counted.
	Sent []string `json:"sent,omitempty"`
}

// ListedMutator is a mutator and what it tries, in one sentence.
type ListedMutator struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Operations are the operations of a document that a run tries, as method and path.
type Operations struct {
	Tried   []string `json:"tried"`
	LeftOut []string `json:"left_out,omitempty"`
}

// Explanation is one requirement in full, or a class or a case: then Class is
// set and nothing else.
type Explanation struct {
	ListingEntry
	Doc  string `json:"doc"`  // what is checked
	File string `json:"file"` // of the rule, in the repository of the suite
	// Classes are the classes of cases that can test it. Judged is the planned number.
	Classes []ClassCount `json:"classes"`
	Example string       `json:"example"` // a request, as curl or as text
	Fix     string       `json:"fix"`     // how to fix a server that fails it
	// Class is set if the id names a class or a case.
	Class *ClassExplanation `json:"class,omitempty"`
}

// ClassExplanation is a class of cases, or one case of it, in full.
type ClassExplanation struct {
	ID        string `json:"id"`        // as it was asked for
	Class     string `json:"class"`     // the class, the same as ID unless that is a case
	Operation string `json:"operation"` // "POST /plants"
	Cases     int    `json:"cases"`     // of the whole class
	Steps     int    `json:"steps"`     // requests of one case
	Mutator   string `json:"mutator"`   // the entry of the catalogue that makes it
	Doc       string `json:"doc"`       // what that entry tries and why
	File      string `json:"file"`      // of that entry, in the repository of the suite
	Place     string `json:"place,omitempty"`
	Kind      string `json:"kind"`
	Expected  string `json:"expected"` // what the server has to do with the last request
	// Requirements are those that the cases can fail, with the number of cases.
	Requirements []ListingEntry `json:"requirements"`
	Example      string         `json:"example"` // the last request, as curl or as text
}

// Transcript is what a replay sent and received.
type Transcript struct {
	Case     string   `json:"case"`
	Steps    []Step   `json:"steps"`
	Failures []Result `json:"failures"` // requirements that the replay failed
	Reason   string   `json:"reason,omitempty"`
}

// Coverage says which valid and invalid cases are planned for each schema keyword.
type Coverage struct {
	Version  int               `json:"version"`
	Keywords []KeywordCoverage `json:"keywords"`
}

// KeywordCoverage is one keyword, in the versions of OpenAPI that share a plan.
type KeywordCoverage struct {
	Keyword  string       `json:"keyword"`
	Dialects []string     `json:"dialects"`
	Valid    SideCoverage `json:"valid"`
	Invalid  SideCoverage `json:"invalid"`
	// Why says why Valid or Invalid has no case.
	Why string `json:"why,omitempty"`
}

// SideCoverage is the valid or the invalid cases of a keyword.
type SideCoverage struct {
	Cases int    `json:"cases"`
	What  string `json:"what,omitempty"`
}
