package openapi

import (
	"cmp"
	"slices"
	"strings"
)

// Scheme is a security scheme of the document.
type Scheme struct {
	Name    string // its key in components/securitySchemes
	Slug    string
	Pointer string
	Type    string // http, apiKey, oauth2, openIdConnect, mutualTLS
	HTTP    string // bearer, basic: for type http, lower case
	// In and Field say where a key is: in the header field, the query parameter or
	// the cookie of that name.
	In, Field string
	// Given reports whether the user gave a credential for it.
	Given bool
	// Shared reports whether that credential is the one for all schemes without one of
	// their own. It may be meant for another scheme.
	Shared bool
	// Other reports whether the user gave the credential of another principal for it.
	Other bool
	// Header is the name of the header in which the user gave the credential for every
	// request; empty if the suite sends it.
	Header string
}

// Place returns where the suite writes a credential of the scheme: in the header, query or
// cookie, and the name there. Both are empty if it writes none.
func (s *Scheme) Place() (in, name string) {
	if s.OnConnection() {
		return "", ""
	}
	return s.Documented()
}

// Documented is Place, whoever writes the credential.
func (s *Scheme) Documented() (in, name string) {
	switch s.Type {
	case "apiKey":
		return s.In, s.Field
	case "mutualTLS":
		return "", ""
	}
	return "header", "Authorization"
}

// OnConnection reports whether every request has the credential: it belongs to the
// connection, or is in a header of the user.
func (s *Scheme) OnConnection() bool { return s.Certificate() || s.Header != "" }

// Certificate reports whether the credential is a client certificate.
func (s *Scheme) Certificate() bool { return s.Type == "mutualTLS" }

// Secured reports whether a request without a credential has to be refused, and can
// be sent. It cannot if the client certificate of the connection is enough, or if a header
// of the user may hold a credential.
func (o *Operation) Secured() bool { return o.Header == "" && o.Demands() }

// Demands reports whether the document demands that a request without a credential is refused.
func (o *Operation) Demands() bool {
	return !o.Unasked && len(o.Security) > 0 && !slices.ContainsFunc(o.Security, open)
}

// open reports whether a request satisfies an alternative without carrying anything.
func open(alt []*Scheme) bool {
	return !slices.ContainsFunc(alt, func(s *Scheme) bool { return !s.Certificate() || !s.Given })
}

// HasOther reports whether requests of an operation can be sent by another principal, who
// differs in a credential that the operation needs.
func (o *Operation) HasOther() bool {
	return o.Secured() && slices.ContainsFunc(o.Security[o.Chosen], func(s *Scheme) bool { return s.Other })
}

// Given reports whether the user gave all credentials of an alternative.
func Given(alt []*Scheme) bool {
	return !slices.ContainsFunc(alt, func(s *Scheme) bool { return !s.Given })
}

// Tried reports whether requests use an alternative: the chosen one, and others whose
// credentials were given by name.
func (o *Operation) Tried(i int) bool {
	return Given(o.Security[i]) && (i == o.Chosen || sure(o.Security[i]))
}

// sure reports whether each credential of an alternative was given by name.
func sure(alt []*Scheme) bool {
	return !slices.ContainsFunc(alt, func(s *Scheme) bool { return s.Shared })
}

// Schemes returns the schemes whose credentials requests of an operation carry, each
// once: those of the chosen alternative, then those of the others that are tried.
func (o *Operation) Schemes() []*Scheme {
	var out []*Scheme
	seen := map[string]bool{}
	add := func(i int) {
		for _, s := range o.Security[i] {
			if o.Tried(i) && !s.OnConnection() && !seen[s.Name] {
				seen[s.Name] = true
				out = append(out, s)
			}
		}
	}
	if o.Security != nil {
		add(o.Chosen)
	}
	for i := range o.Security {
		add(i)
	}
	return out
}

// Carries reports whether a credential of some alternative is at a place: in the
// header, query or cookie, with that name or, if it is empty, with any.
func (o *Operation) Carries(in, name string) bool {
	for _, alt := range o.Security {
		for _, s := range alt {
			if i, n := s.Place(); i == in && (name == "" || sameName(in, n, name)) {
				return true
			}
		}
	}
	return false
}

// Label names an alternative in ids.
func Label(alt []*Scheme) string {
	var names []string
	for _, s := range alt {
		names = append(names, s.Slug)
	}
	return cmp.Or(strings.Join(names, "-and-"), "none")
}

// bearer reports whether the credential is a bearer token.
func (s *Scheme) bearer() bool {
	return s.Type == "oauth2" || s.Type == "openIdConnect" || s.Type == "http" && s.HTTP == "bearer"
}
