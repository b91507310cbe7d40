package contract

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
)

// unclearNull is the reason of a null that a nullable may or may not allow.
const unclearNull = "null where nullable is unclear"

// mayNull reports whether one of the schemas of a place leaves null open.
func mayNull(s *Schema, way []string, depth int) bool {
	if s == nil || depth > mustAcceptDepth*4 {
		return false
	}
	if len(way) == 0 && s.MayNull {
		return true
	}
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf} {
		if slices.ContainsFunc(list, func(one *Schema) bool { return mayNull(one, way, depth+1) }) {
			return true
		}
	}
	if len(way) == 0 {
		return false
	}
	name, _ := jsontree.UnescapePointer(way[0])
	if p := s.Property(name); p != nil {
		return mayNull(p.Schema, way[1:], depth+1)
	}
	return mayNull(s.Items, way[1:], depth+1) || mayNull(s.Extra, way[1:], depth+1)
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
	if n > 0 {
		l.leaveOut("null is neither required nor forbidden where nullable has no type beside it, or an enum without null: %d schemas of the document", n)
	}
}
