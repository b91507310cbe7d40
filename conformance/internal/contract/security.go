package contract

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

func itoa(i int) string { return strconv.Itoa(i) }

// security chooses the first alternative that this suite can send: one bearer,
// basic or header key scheme. It returns false if there is none.
func (l *loader) security(name string, op *Operation) (bool, error) {
	list, at := l.root.At(op.Pointer+"/security"), op.Pointer+"/security"
	if list == nil {
		list, at = l.root.Get("security"), "/security"
	}
	if one := l.faults.at[list]; one != nil {
		return false, one
	}
	if list == nil || len(list.Items) == 0 {
		return true, nil
	}
	var why []string
	for i, alt := range list.Items {
		if err := l.unsound(at + "/" + itoa(i)); err != nil {
			return false, err
		}
		if len(alt.Members) == 0 {
			op.SchemeOptional = true
			continue
		}
		if len(alt.Members) > 1 {
			why = append(why, "several schemes at once are not supported yet")
			continue
		}
		s, err := l.scheme(at+"/"+itoa(i), alt.Members[0].Name)
		if err != nil {
			return false, err
		}
		if s.HTTP == "bearer" || s.HTTP == "basic" || s.Header != "" {
			if op.Scheme == nil {
				op.Scheme = s
			} else {
				l.leaveOut("%s: security scheme %s is never sent", name, s.Name)
			}
			continue
		}
		why = append(why, "security scheme "+s.Name+" is not supported yet")
	}
	if op.Scheme == nil && !op.SchemeOptional {
		l.omit(name, "", strings.Join(why, ", "))
		return false, nil
	}
	return true, nil
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
		if text(v, "/in") == "header" {
			s.Header = text(v, "/name")
		}
	}
	return s, nil
}
