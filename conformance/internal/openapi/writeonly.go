package openapi

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// WriteOnly lists the places of the body that only clients set, such as /password, at most
// some objects deep.
func (o *Operation) WriteOnly() []string {
	var out []string
	for _, m := range o.writeOnly() {
		out = append(out, m.Path)
	}
	return out
}

// writeOnly lists the members of those places.
func (o *Operation) writeOnly() []Member {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	return writeOnly(o.Body.Shape.Schema, "", mostWriteOnly)
}

// mostWriteOnly is how many objects deep WriteOnly looks.
const mostWriteOnly = 3

func writeOnly(s *Schema, at string, depth int) []Member {
	if s == nil || depth == 0 {
		return nil
	}
	var out []Member
	for _, p := range s.Properties {
		place := at + "/" + jsontree.EscapePointer(p.Name)
		if p.Schema.WriteOnly {
			out = append(out, Member{p, place})
			continue
		}
		out = append(out, writeOnly(p.Schema, place, depth-1)...)
	}
	return out
}

// Leaves reports whether a value may have something at a place although the schema does not
// speak of it there: the object is open. What the schema names or forbids is for others.
func (s *Schema) Leaves(place string) bool {
	name, below, deeper := strings.Cut(strings.TrimPrefix(place, "/"), "/")
	plain, _ := jsontree.UnescapePointer(name) // it was escaped
	if s == nil {
		return true
	}
	for _, alternative := range append(append([]*Schema{}, s.OneOf...), s.AnyOf...) {
		if !alternative.Leaves(place) {
			return false
		}
	}
	if p := s.Property(plain); p != nil {
		return deeper && p.Schema.Leaves("/"+below)
	}
	return !s.Closed && s.Extra == nil && len(s.Patterns) == 0
}
