package openapi

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

func itoa(i int) string { return strconv.Itoa(i) }

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
		schemes, missing, err := l.alternative(at+"/"+itoa(i), alt)
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
	if len(op.Security) == 0 && wrong != nil {
		return false, wrong
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
	s := &Scheme{Name: name, Slug: Slug(name), Pointer: pointer, Type: text(v, "/type")}
	switch s.Type {
	case "http":
		s.HTTP = strings.ToLower(text(v, "/scheme"))
	case "apiKey":
		if in := text(v, "/in"); in == "header" || in == "query" || in == "cookie" {
			s.In, s.Field = in, text(v, "/name")
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
			if text(v, "/type") == "apiKey" && text(v, "/in") == p.In && sameName(p.In, text(v, "/name"), p.Name) {
				return true
			}
		}
	}
	return false
}
