package openapi

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// holder returns the location of the object that has a member whose name propertyNames
// refuses. The library gives the location in a slice that it goes on using: only its length
// can be relied on. An object whose schema has propertyNames goes before others.
func (s *Shape) holder(root *jsontree.Value, depth int, name string) []string {
	var found []string
	sure := false
	var look func(of *Schema, v *jsontree.Value, at []string)
	look = func(of *Schema, v *jsontree.Value, at []string) {
		if len(at) == depth {
			named := of != nil && of.Names != nil
			if v.Get(name) != nil && (found == nil || named && !sure) {
				found, sure = slices.Clone(at), named
			}
			return
		}
		for i, item := range v.Items {
			look(itemAt(of, i), item, append(at, jsontree.NewInt(int64(i)).Text))
		}
		for _, m := range v.Members {
			look(s.memberOf(of, m.Name), m.Value, append(at, m.Name))
		}
	}
	look(s.Schema, root, []string{})
	return found
}

// itemAt returns the schema of an item, or nil.
func itemAt(s *Schema, i int) *Schema {
	switch {
	case s == nil:
		return nil
	case i < len(s.Prefix):
		return s.Prefix[i]
	}
	return s.Items
}

// memberOf returns the schema of a member, or nil.
func (s *Shape) memberOf(of *Schema, name string) *Schema {
	if of == nil {
		return nil
	}
	if p := of.Property(name); p != nil {
		return p.Schema
	}
	for _, k := range of.Patterns {
		if re := s.Pattern(k.Pattern); re != nil && re.Match(name) == pattern.Yes {
			return k.Schema
		}
	}
	return of.Extra
}
