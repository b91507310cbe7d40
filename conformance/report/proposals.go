package report

import "strings"

// Proposals are the lines that a requirements file may have, for the user to accept.
type Proposals struct {
	Version  int    `json:"version"`
	Document string `json:"document"`
	// Target is empty if nothing was observed.
	Target string `json:"target,omitempty"`
	// Lines are in the order of the document.
	Lines []Proposal `json:"lines"`
	// Reasons say why something was not observed, one sentence each.
	Reasons []string `json:"reasons,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
}

// Proposal is one line about an operation.
type Proposal struct {
	Operation string `json:"operation"` // method and path
	// Key and Value are the line: "keepsRest: true".
	Key   string `json:"key"`
	Value string `json:"value"`
	// Says is what the line requires, a sentence each.
	Says []string `json:"says"`
	// Evidence is what suggests the line. Its places are lines of the document. Without any, it
	// is the structure of the document at Place.
	Evidence []Evidence `json:"evidence,omitempty"`
	Place    string     `json:"place"`
	// Observed begins with holds, does not hold or not observed. It is empty without a target.
	Observed string `json:"observed,omitempty"`
}

// AcceptedAt begins the clause of a requirement that is a MUST by a line of the requirements file.
const AcceptedAt = "accepted at "

// The beginnings of what was observed.
const (
	Holds       = "holds"
	DoesNotHold = "does not hold"
	NotObserved = "not observed"
)

// Shown reports whether it was observed that the line is true, or that it is not.
func (p Proposal) Shown() bool {
	return strings.HasPrefix(p.Observed, Holds) || strings.HasPrefix(p.Observed, DoesNotHold)
}
