package request

import "plantstore/conformance/internal/contract"

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
