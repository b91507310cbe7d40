// Package requirement holds what is required of a target: requirements derived from
// the document, and the requirements file that gives them their sentences.
package requirement

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
)

// Requirement is one normative sentence. It is data: the rule named by Rule
// judges it with Args.
type Requirement struct {
	ID       string
	Sentence string
	Level    report.Level
	Clause   Clause
	Rule     string
	Args     Args
	// Evidence is what a requirement of the level Suspected rests on.
	Evidence []report.Evidence
	// Free reports whether the requirement is about one of several answers that the
	// target may choose from, or about the items of a list, which may be empty. If it
	// never chooses this one, there is nothing to judge.
	Free bool
	// Op is the operation that the requirement belongs to. Body is the body that it is
	// about; nil if it is about every request of the operation.
	Op   *openapi.Operation
	Body *openapi.Body
	// Also are the bodies of other alternatives that the same is asked of.
	Also []*openapi.Body
}

// Clause is what a requirement rests on; at least one member is set.
type Clause struct {
	Section string // of the service specification
	Pointer string // JSON pointer into the document
	RFC     string // "RFC 9110, 15.6"
}

// String joins the members as reports show them.
func (c Clause) String() string {
	var parts []string
	if c.Section != "" {
		parts = append(parts, c.Section)
	}
	if c.RFC != "" {
		parts = append(parts, c.RFC)
	}
	switch {
	case strings.Contains(c.Pointer, "#") && c.Pointer[0] != '/':
		parts = append(parts, c.Pointer) // of another file
	case c.Pointer != "":
		parts = append(parts, "#"+c.Pointer)
	}
	return strings.Join(parts, "; ")
}

// Args are the particulars of a rule; which of them a rule reads is in its Doc.
type Args struct {
	// Key is the place, keyword and member of the rules about schemas.
	Key openapi.Key
	// Statuses are the documented statuses that a rule about answers covers.
	Statuses []string
	// Media is the documented media type of the answer; empty for any.
	Media string
	// Header is the header field of the answer that a rule is about.
	Header string
	// Kind chooses between the forms of a rule.
	Kind string
	// Scheme is the name of the security scheme that a rule about credentials judges,
	// if the operation has several.
	Scheme string
	// From and To are JSON pointers into the request and the answer.
	From, To string
	// Classes are patterns of class slugs, for open points.
	Classes []string
	// Others are the paths that other requirements of the rule are about. One about the
	// request as a whole takes all that is left.
	Others map[string]bool
	// Beyond are the places and keywords that other requirements of the rule are about. One
	// that has them takes all that is left.
	Beyond []openapi.Key
}

// Set is the requirements of one document.
type Set struct {
	// List is in order of derivation, the added ones last.
	List []*Requirement
}

// Find returns the requirement with that id, or nil.
func (s *Set) Find(id string) *Requirement {
	for _, r := range s.List {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// IDs lists all ids in order.
func (s *Set) IDs() []string {
	out := make([]string, len(s.List))
	for i, r := range s.List {
		out[i] = r.ID
	}
	return out
}

// OfOthers reports whether only requests of another principal test the requirement.
func (r *Requirement) OfOthers() bool { return strings.HasPrefix(r.Rule, "others-") }

// About reports whether the requirement is about the requests of an operation, or of
// its copy for a further media type.
func (r *Requirement) About(op *openapi.Operation) bool {
	return r.Op == op.First() && (r.Body == nil || r.Body == op.Body || slices.Contains(r.Also, op.Body))
}
