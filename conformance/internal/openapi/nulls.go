package openapi

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// unclearNull is the reason of a null that a nullable may or may not allow.
const unclearNull = "null where nullable is unclear"

// openNull returns the first of the schemas of a place that leaves null open; nil for none.
func openNull(s *Schema, way []string, depth int) *Schema {
	if s == nil || depth > mustAcceptDepth*4 {
		return nil
	}
	if len(way) == 0 && s.MayNull {
		return s
	}
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		if found := openNull(one, way, depth+1); found != nil {
			return found
		}
	}
	if len(way) == 0 {
		return nil
	}
	name, _ := jsontree.UnescapePointer(way[0])
	if p := s.Property(name); p != nil {
		return openNull(p.Schema, way[1:], depth+1)
	}
	return cmp.Or(openNull(s.Items, way[1:], depth+1), openNull(s.Extra, way[1:], depth+1))
}

// mayNull reports whether null at a place is left open, or may be: the walk did not come
// there, and the document leaves some nulls open.
func (s *Shape) mayNull(pointer string) bool {
	way := strings.Split(pointer, "/")[1:]
	return openNull(s.Schema, way, 0) != nil || s.Cut && s.compiler.openNulls && !leads(s.Schema, way, 0)
}

// leads reports whether the walk came to a place.
func leads(s *Schema, way []string, depth int) bool {
	if s == nil || depth > mustAcceptDepth*4 {
		return false
	}
	if len(way) == 0 {
		return !s.Recursive
	}
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		if leads(one, way, depth+1) {
			return true
		}
	}
	name, _ := jsontree.UnescapePointer(way[0])
	if p := s.Property(name); p != nil {
		return leads(p.Schema, way[1:], depth+1)
	}
	return leads(s.Items, way[1:], depth+1) || leads(s.Extra, way[1:], depth+1)
}

// withoutNulls forgives all violations if none is left when every null that is left open gets
// another value. A keyword around such a null, such as anyOf, does not say that the null is why.
func (s *Shape) withoutNulls(r *Reading) {
	s.forgiveChanged(r, unclearNull, func(pointer string, v *jsontree.Value) bool {
		if v.Kind != jsontree.Null {
			return false
		}
		open := openNull(s.Schema, strings.Split(pointer, "/")[1:], 0)
		if open != nil {
			*v = *standIn(open, 0)
		}
		return open != nil
	})
}

// standIn returns a value of a schema other than null, as far as that is easily found.
func standIn(s *Schema, depth int) *jsontree.Value {
	switch {
	case s == nil || depth > mustAcceptDepth:
		return jsontree.NewString("")
	case s.Const != nil:
		return s.Const.Clone()
	case len(s.Enum) > 0:
		return s.Enum[0].Clone()
	case s.Default != nil && s.Default.Kind != jsontree.Null:
		return s.Default.Clone()
	case len(s.OneOf) > 0 && len(s.Properties) == 0:
		return standIn(s.OneOf[0], depth+1)
	case len(s.AnyOf) > 0 && len(s.Properties) == 0:
		return standIn(s.AnyOf[0], depth+1)
	}
	switch s.Type() {
	case "boolean":
		return jsontree.NewBool(false)
	case "integer", "number":
		return jsontree.NewNumber(cmp.Or(s.Minimum, s.Maximum, "1"))
	case "array":
		v := jsontree.NewArray()
		for s.MinItems != nil && len(v.Items) < min(*s.MinItems, mustAcceptDepth) {
			v.Items = append(v.Items, standIn(s.Item(len(v.Items)), depth+1))
		}
		return v
	case "string":
		length := 0
		if s.MinLength != nil {
			length = min(*s.MinLength, 1<<10)
		}
		return jsontree.NewString(strings.Repeat("x", length))
	}
	v := jsontree.NewObject()
	for _, p := range s.Properties {
		if p.Required {
			v.Set(p.Name, standIn(p.Schema, depth+1))
		}
	}
	return v
}

// unclearNulls names, once, that the document leaves null open.
func (l *loader) unclearNulls() {
	n := 0
	for todo := []*jsontree.Value{l.js.roots[Requests]}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.Get(looseNull) != nil {
			n++
		}
		todo = append(todo, v.Items...)
		for _, m := range v.Members {
			todo = append(todo, m.Value)
		}
	}
	l.js.openNulls = n > 0
	if n > 0 {
		l.leaveOut("null is neither required nor forbidden where nullable has no type beside it, or an enum without null: %d schemas of the document", n)
	}
}
