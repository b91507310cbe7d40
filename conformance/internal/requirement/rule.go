package requirement

import (
	"fmt"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// Rank orders reasons: on one exchange only the most basic failing requirement
// is reported.
type Rank uint8

// The ranks, most basic first.
const (
	Answered Rank = iota
	Framing
	Class
	Status
	MediaType
	JSON
	Schema
	Echo
	Advice
	Observed
)

// Rule judges requirements of one kind.
type Rule struct {
	Name string
	Rank Rank
	// Doc says what the rule judges and which Args it reads.
	Doc string
	// Mend tells how to mend a server that fails; %s stands for Args.
	Mend string
	// Check judges one exchange.
	Check func(p *Pass) Outcome
	// Some is set where one passing exchange is enough: the requirement fails
	// only if every judged exchange fails.
	Some bool
}

// Outcome is what a rule says of one exchange.
type Outcome struct {
	Verdict report.Verdict
	// Expected and Got are the halves of the sentence of a failure; for an open
	// point Got is what was observed.
	Expected, Got string
	// Signature tells one way of failing from another: shrinking keeps it.
	Signature string
}

// The outcomes without a sentence.
var (
	None   = Outcome{Verdict: report.Inapplicable}
	Passed = Outcome{Verdict: report.Pass}
)

// Failed makes a failing outcome; the signature is what came, without values.
func Failed(signature, expected, got string) Outcome {
	return Outcome{Verdict: report.Fail, Expected: expected, Got: got, Signature: signature}
}

// Pass is what a rule may look at: one requirement, one exchange.
type Pass struct {
	Requirement *Requirement
	Op          *contract.Operation
	Exchange    *exchange.Exchange
	Sent        *Sent
	Got         *Got
	// Needs are the optional members without which the target takes no request.
	Needs map[string]bool
	// Whose tells which request sent a value at a path of its body.
	Whose func(path, value string) Whose
	// Class is the class of the case.
	Class string
	// Hide takes credentials out of what the target sent; nil changes nothing.
	Hide func(string) string
}

// Shorten makes a text of the target fit a sentence of so many bytes. What is
// secret is taken out before.
func (p *Pass) Shorten(s string, n int) string {
	if p.Hide != nil {
		s = p.Hide(s)
	}
	return jsontree.Cut(s, n)
}

// Whose sorts the values of an answer by who sent them.
type Whose uint8

// The owners. Only values that one request alone carries have one.
const (
	Nobodys Whose = iota // nobody, or several requests
	Own                  // this very request
	Kins                 // another one with the same numbers, perhaps of the same resource
	Others               // another one
)

// Credential sorts what a request carries to authenticate.
type Credential uint8

// The credentials.
const (
	CredentialValid   Credential = iota // or none is needed
	CredentialAbsent                    // no credential at all
	CredentialScheme                    // another scheme, or no scheme
	CredentialToken                     // malformed or wrong
	CredentialCase                      // right, the scheme in another case
	CredentialBlanks                    // right, several blanks behind the scheme
	CredentialUnclear                   // right beside something else: either answer
)

// Sent is what the final bytes of a request are.
type Sent struct {
	// Body is nil where the operation takes none.
	Body *contract.Reading
	// Transport lists what differs from a mild request outside body and
	// credential: any 4xx, 417, 501 and 505 are then accepted too.
	Transport []string
	// Negotiated is set where the head asks for another answer than the usual
	// one, or for another method: what a success looks like is then free.
	Negotiated bool
	// Cut is set where the bytes do not come in one piece.
	Cut        bool
	Credential Credential
	// CredentialTransport is set for a credential over 1 kB or with characters
	// outside VCHAR: its refusal may come from below the application.
	CredentialTransport bool
	// CredentialLong is set for one over 1 kB: any answer but a success refuses it.
	CredentialLong bool
	// Stored is set where the request asks for a stored answer alone
	// (only-if-cached): 504 says that there is none (RFC 9111, 5.2.1.7).
	Stored bool
	// Reused is set where a value of this request was sent before in its case.
	Reused bool
}

// Duty is what a server owes a request.
type Duty uint8

// The duties. A body that cannot be decided is owed either.
const (
	Accept           Duty = iota // success
	Either                       // success, or a refusal of a documented form
	Refuse                       // a refusal of a documented form
	RefuseAnyhow                 // any 4xx, 501, 505: the head is not mild, the body must be refused
	RefuseCredential             // any 4xx; anything but a success for a long credential
	Anything                     // success or any 4xx, 417, 501, 505
)

// Duty sorts the request.
func (s *Sent) Duty() Duty {
	switch s.Credential {
	case CredentialAbsent, CredentialScheme, CredentialToken:
		return RefuseCredential
	case CredentialCase, CredentialBlanks, CredentialUnclear:
		return Anything
	}
	flawed := s.Body != nil && (s.Body.Kind == contract.Invalid || s.Body.Kind == contract.NotJSON)
	switch {
	case len(s.Transport) > 0 && flawed && !s.Negotiated:
		return RefuseAnyhow
	case len(s.Transport) > 0:
		return Anything
	case s.Body == nil || s.Body.Kind == contract.Plain && !s.Reused:
		return Accept
	case s.Body.Kind == contract.Plain || s.Body.Kind == contract.Edge || s.Body.Kind == contract.Undecided:
		return Either
	}
	return Refuse
}

// Refusable tells whether a status of the server's errors (5xx) is a refusal
// that the request allows: of what its head asks for, or of a long credential.
func (s *Sent) Refusable(status int) bool {
	switch {
	case s.CredentialLong && s.Duty() == RefuseCredential:
		return true
	case status == 504:
		return s.Stored
	case status == 501 || status == 505:
		return len(s.Transport) > 0 || s.Duty() == Anything
	}
	return false
}

// Refuses tells whether a body must be refused.
func (d Duty) Refuses() bool { return d == Refuse || d == RefuseAnyhow }

// Plain tells whether every implementation must take the request.
func (s *Sent) Plain() bool { return s.Duty() == Accept }

// Got is what an answer is. It is nil where there is none.
type Got struct {
	Status int
	// Media is the content type without parameters, lower case.
	Media string
	// Documented is the documented answer for the status, Form the documented
	// media type that matches; nil where there is none.
	Documented *contract.Response
	Form       *contract.Media
	// Reading is the body by the exact judge; nil where no shape applies.
	Reading *contract.Reading
}

// Success tells whether the answer is 2xx.
func (g *Got) Success() bool { return g != nil && g.Status/100 == 2 }

// Refusal tells whether the answer is 4xx.
func (g *Got) Refusal() bool { return g != nil && g.Status/100 == 4 }

// Validate refuses a bad catalogue of rules.
func Validate(rules []Rule) error {
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case r.Name == "" || r.Doc == "" || r.Check == nil:
			return fmt.Errorf("rule %q lacks a name, a doc or a check", r.Name)
		case r.Rank < Observed && r.Mend == "":
			return fmt.Errorf("rule %q says nothing about mending", r.Name)
		case seen[r.Name]:
			return fmt.Errorf("rule %q is listed twice", r.Name)
		}
		seen[r.Name] = true
	}
	return nil
}
