package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// security reads the alternatives that this suite can send. It returns false if
// there is none.
func (l *loader) security(name string, op *Operation) (bool, error) {
	list, at := l.securityOf(op.Pointer)
	if one := l.faults.at[list]; one != nil {
		return false, one
	}
	if list == nil || len(list.Items) == 0 {
		return true, nil
	}
	var why []string
	var wrong error
	for i, alt := range list.Items {
		schemes, missing, err := l.alternative(at+"/"+strconv.Itoa(i), alt)
		switch {
		case err != nil && wrong == nil:
			wrong = err
		case err != nil:
		case missing != "":
			why = append(why, missing)
		default:
			op.Security = append(op.Security, schemes)
			continue
		}
	}
	if len(op.Security) == 0 && wrong != nil && !slices.ContainsFunc(list.Items, l.undefined) {
		return false, wrong
	}
	if len(op.Security) == 0 && wrong != nil {
		// A slip of the document costs what needs the credential, not the operation.
		l.skip(shown(name)+": no credential is sent, and none is judged", wrong)
		op.Undefined = true
		return true, nil
	}
	if len(op.Security) == 0 {
		l.omit(strings.Join(slices.Compact(why), ", "))
		return false, nil
	}
	for _, what := range why {
		l.leaveOut("%s: one security alternative is never sent: %s", name, what)
	}
	if wrong != nil {
		l.skip(shown(name)+": one security alternative is never sent", wrong)
	}
	op.choose()
	return true, nil
}

// undefined reports whether an alternative names a scheme that the document does not define.
func (l *loader) undefined(alt *jsontree.Value) bool {
	return slices.ContainsFunc(alt.Members, func(m jsontree.Member) bool {
		_, v := l.resolve("/components/securitySchemes/" + jsontree.EscapePointer(m.Name))
		return v == nil
	})
}

// securityOf returns the security of an operation: its own, else that of the
// document.
func (l *loader) securityOf(operation string) (list *jsontree.Value, pointer string) {
	if list = l.root.At(operation + "/security"); list != nil {
		return list, operation + "/security"
	}
	return l.root.Get("security"), "/security"
}

// alternative reads the schemes that are needed together. Missing says why they
// cannot be sent.
func (l *loader) alternative(at string, alt *jsontree.Value) (list []*Scheme, missing string, err error) {
	if err := l.unsound(at); err != nil {
		return nil, "", err
	}
	list = []*Scheme{}
	for _, m := range alt.Members {
		s, err := l.scheme(at, m.Name)
		if err != nil {
			return nil, "", err
		}
		if kind := s.kind(); kind != "" {
			return nil, "security scheme " + s.Name + " (" + kind + ") is not supported", nil
		}
		if s.bearer() && slices.ContainsFunc(list, (*Scheme).bearer) {
			continue // one token serves both
		}
		list = append(list, s)
	}
	for i, s := range list {
		for _, other := range list[:i] {
			in, name := s.Place()
			if i, n := other.Place(); in != "" && i == in && sameName(in, n, name) {
				return nil, "security schemes " + other.Name + " and " + s.Name + " need the same " + in + " " + name, nil
			}
		}
	}
	return list, "", nil
}

func sameName(in, a, b string) bool { return a == b || in == "header" && strings.EqualFold(a, b) }

// kind names a scheme that cannot be sent; it is empty for the others.
func (s *Scheme) kind() string {
	switch s.Type {
	case "oauth2", "openIdConnect", "mutualTLS":
		return ""
	case "http":
		if s.HTTP == "bearer" || s.HTTP == "basic" {
			return ""
		}
		return "http " + s.HTTP
	case "apiKey":
		if s.In != "" {
			return ""
		}
	}
	return "type " + s.Type
}

func (l *loader) scheme(at, name string) (*Scheme, error) {
	pointer, v := l.resolve("/components/securitySchemes/" + jsontree.EscapePointer(name))
	if v == nil {
		return nil, bad(at, "security scheme %q is not defined: add it to components/securitySchemes", jsontree.Cut(name, 200))
	}
	if err := l.unsound(pointer); err != nil {
		return nil, err
	}
	if err := sendable(pointer, v); err != nil {
		return nil, err
	}
	s := &Scheme{Name: name, Slug: Slug(name), Pointer: pointer, Type: v.TextAt("/type")}
	switch s.Type {
	case "http":
		s.HTTP = strings.ToLower(v.TextAt("/scheme"))
	case "apiKey":
		if in := v.TextAt("/in"); in == "header" || in == "query" || in == "cookie" {
			s.In, s.Field = in, v.TextAt("/name")
		}
	}
	s.Given = !s.Certificate()
	return s, nil
}

// isKey reports whether a parameter is the credential of a scheme that the operation
// lists too, as many documents have it.
func (l *loader) isKey(operation string, p *Parameter) bool {
	list, _ := l.securityOf(operation)
	if list == nil {
		return false
	}
	for _, alt := range list.Items {
		for _, m := range alt.Members {
			_, v := l.resolve("/components/securitySchemes/" + jsontree.EscapePointer(m.Name))
			if v.TextAt("/type") == "apiKey" && v.TextAt("/in") == p.In && sameName(p.In, v.TextAt("/name"), p.Name) {
				return true
			}
		}
	}
	return false
}

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

// said returns what the document says of what a pointer names.
func (c *Contract) said(pointer string) hints.Text {
	return hints.Text{Place: pointer, Said: prose(c.follow(c.root.At(pointer)))}
}

// NeverBack returns the sentence that says of what a pointer names that no answer has it, or nil.
func (c *Contract) NeverBack(pointer string) *report.Evidence {
	return hints.NeverBack(c.said(pointer))
}

// CountsAll returns the sentence that says of what a pointer names that it counts the resources of all
// pages, or nil.
func (c *Contract) CountsAll(pointer string) *report.Evidence {
	return hints.CountsAll(c.said(pointer))
}

// KeepsSecrets returns such a sentence if there is one about each writeOnly member in the body of
// an operation.
func (c *Contract) KeepsSecrets(op *Operation) *report.Evidence {
	var out *report.Evidence
	for _, m := range op.writeOnly() {
		if out = c.NeverBack(m.Schema.Pointer); out == nil {
			return nil
		}
	}
	return out
}
