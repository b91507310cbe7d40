package report

import (
	"strings"
)

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

// Replay is what became of the failures of a report when they were sent again.
type Replay struct {
	Target   string     `json:"target"`
	Failures []Replayed `json:"failures"`
}

// ReplayOutcome says what became of a failure.
type ReplayOutcome string

// The outcomes. Changed says that the requirement of the failure holds now, and that the
// same requests break another one. NotTried says nothing of the target.
const (
	Fixed      ReplayOutcome = "FIXED"
	StillFails ReplayOutcome = "STILL FAILS"
	Changed    ReplayOutcome = "CHANGED"
	NotTried   ReplayOutcome = "NOT TRIED"
)

// Replayed is one failure of a report, and what became of it.
type Replayed struct {
	N           int           `json:"n"` // as in Failure
	Requirement string        `json:"requirement"`
	Level       Level         `json:"level"`
	Case        string        `json:"case"`
	Place       *Place        `json:"clause_place,omitempty"`
	Sent        string        `json:"sent"`
	Was         string        `json:"was"` // the answer in the report
	Outcome     ReplayOutcome `json:"outcome"`
	// Fails is the requirement that fails now, with its level and the answer. It is empty
	// if none does.
	Fails      string `json:"fails,omitempty"`
	FailsLevel Level  `json:"fails_level,omitempty"`
	Got        string `json:"got,omitempty"`
	// Reason says why the failure was not tried.
	Reason string `json:"reason,omitempty"`
	// Known reports whether the file of known failures of that run had the failure. Such a
	// failure does not gate.
	Known bool `json:"known,omitzero"`
	// Gates reports whether what fails now makes a target not conformant.
	Gates bool `json:"gates,omitzero"`
}

// Gates reports whether any failure still makes the target not conformant.
func (r *Replay) Gates() bool {
	for _, f := range r.Failures {
		if f.Gates {
			return true
		}
	}
	return false
}

// Count returns how many failures came to an outcome.
func (r *Replay) Count(o ReplayOutcome) int {
	n := 0
	for _, f := range r.Failures {
		if f.Outcome == o {
			n++
		}
	}
	return n
}

// Reach says how the operations of a document get a request that a target accepts.
type Reach struct {
	Version  int    `json:"version"`
	Target   string `json:"target"`
	Document string `json:"document"`
	Reached  int    `json:"reached"`
	// Operations are all of the document, those that are not asked too.
	Operations int   `json:"operations"`
	Ways       []Way `json:"ways"`
	// Ended says why nothing more was asked: an operation turned all others off, or the target knows no path.
	Ended string `json:"ended,omitempty"`
	// Reasons say what the ways do not, one sentence each.
	Reasons []string `json:"reasons,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
}

// Way is how one operation is reached, or why it is not.
type Way struct {
	Operation string `json:"operation"` // operationId, or the slug
	Reached   bool   `json:"reached"`
	// Sources are the places whose values must be known. One that is not known has
	// neither From nor Value.
	Sources []Source `json:"sources,omitempty"`
	// After are the operations that come first, about the same thing.
	After []string `json:"after,omitempty"`
	// Reason says why the operation is not reached, and Help what would help.
	Reason string `json:"reason,omitempty"`
	Help   string `json:"help,omitempty"`
	// Off says that other operations are refused after this one, and how that was undone.
	Off string `json:"off,omitempty"`
	// Aside says why the operation is not to be reached.
	Aside string `json:"aside,omitempty"`
}

// Source is where the value of one place comes from.
type Source struct {
	Place string `json:"place"` // "path/id", "/owner"
	// Kind is named, given, link, producer, list, example or any value.
	Kind string `json:"kind,omitempty"`
	// From is an exchange, such as createUser#/id, and Value a value in JSON.
	From  string `json:"from,omitempty"`
	Value string `json:"value,omitempty"`
	// Optional reports whether a request may do without it.
	Optional bool `json:"optional,omitzero"`
}

// String is the way in one line.
func (w Way) String() string {
	switch {
	case w.Aside != "":
		return w.Operation + " not tried: " + w.Aside
	case !w.Reached && w.Help != "":
		return w.Operation + " not reached: " + w.Reason + ": " + w.Help
	case !w.Reached:
		return w.Operation + " not reached: " + w.Reason
	}
	var from []string
	for _, s := range w.Sources {
		switch {
		case s.From != "":
			from = append(from, s.From)
		case s.Value != "":
			from = append(from, s.Kind+" "+s.Value)
		case s.Kind != "":
			from = append(from, s.Kind)
		}
	}
	line := w.Operation + " <- nothing needed"
	if len(from) > 0 {
		line = w.Operation + " <- " + strings.Join(from, ", ")
	}
	if len(w.After) > 0 {
		line += " after " + strings.Join(w.After, ", ")
	}
	if w.Off != "" {
		line += " (" + w.Off + ")"
	}
	return line
}
