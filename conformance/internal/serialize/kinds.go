package serialize

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// kinds is the set of JSON types that a schema allows.
type kinds uint8

const (
	isText kinds = 1 << iota
	isNumber
	isWhole // integers, also where other numbers are not allowed
	isBool
	isNull
	isArray
	isObject

	scalars = isText | isNumber | isWhole | isBool
	anyKind = scalars | isNull | isArray | isObject
)

// deepest bounds how many alternatives inside alternatives are followed.
const deepest = 8

// kindsOf collects the types that any branch of a schema allows.
func kindsOf(s *openapi.Schema, depth int) kinds {
	if s == nil || depth > deepest {
		return anyKind
	}
	out := anyKind
	if s.Types != nil {
		out = 0
		for _, t := range s.Types {
			out |= typeKinds(t)
		}
	}
	if s.Const != nil {
		out &= valueKinds(s.Const)
	}
	if s.Enum != nil {
		listed := kinds(0)
		for _, v := range s.Enum {
			listed |= valueKinds(v)
		}
		out &= listed
	}
	for _, branches := range [][]*openapi.Schema{s.AnyOf, s.OneOf} {
		if len(branches) > 0 {
			some := kinds(0)
			for _, b := range branches {
				some |= kindsOf(b, depth+1)
			}
			out &= some
		}
	}
	if out == anyKind { // keywords of arrays or objects say what is meant
		switch s.Type() {
		case "array":
			return isArray
		case "object":
			return isObject
		}
	}
	return out
}

func typeKinds(name string) kinds {
	switch name {
	case "string":
		return isText
	case "number":
		return isNumber | isWhole
	case "integer":
		return isWhole
	case "boolean":
		return isBool
	case "array":
		return isArray
	case "object":
		return isObject
	case "null":
		return isNull
	}
	return 0
}

func valueKinds(v *jsontree.Value) kinds {
	if v.Kind == jsontree.Number {
		if jsontree.IsInteger(v.Text) {
			return isWhole
		}
		return isNumber | isWhole
	}
	return typeKinds(v.Kind.String())
}

// among returns the schema, and the branches that allow the kind.
func among(s *openapi.Schema, k kinds, depth int) []*openapi.Schema {
	if s == nil || depth > deepest {
		return nil
	}
	out := []*openapi.Schema{s}
	for _, branches := range [][]*openapi.Schema{s.AnyOf, s.OneOf} {
		for _, b := range branches {
			if kindsOf(b, depth+1)&k != 0 {
				out = append(out, among(b, k, depth+1)...)
			}
		}
	}
	return out
}

// either returns a schema that allows what any of the list allows, nil for an empty
// list.
func either(list []*openapi.Schema) *openapi.Schema {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &openapi.Schema{AnyOf: list}
}

// Item returns the schema of item i of an array, nil if it has none.
func Item(s *openapi.Schema, i int) *openapi.Schema {
	var list []*openapi.Schema
	for _, b := range among(s, isArray, 0) {
		switch {
		case i < len(b.Prefix):
			list = append(list, b.Prefix[i])
		case b.Items != nil:
			list = append(list, b.Items)
		}
	}
	return either(list)
}

// prefixed returns how many items of an array have a schema of their own.
func prefixed(s *openapi.Schema) int {
	n := 0
	for _, b := range among(s, isArray, 0) {
		n = max(n, len(b.Prefix))
	}
	return n
}

// Member returns the schema of a member of an object, nil if it has none, and whether
// a property names it.
func Member(s *openapi.Schema, name string) (*openapi.Schema, bool) {
	var own, other []*openapi.Schema
	for _, b := range among(s, isObject, 0) {
		if p := b.Property(name); p != nil {
			own = append(own, p.Schema)
		}
		for _, k := range b.Patterns {
			other = append(other, k.Schema)
		}
		if b.Extra != nil {
			other = append(other, b.Extra)
		}
	}
	if len(own) > 0 {
		return either(own), true
	}
	return either(other), false
}

// Names returns the properties of an object and of its alternatives, in order.
func Names(s *openapi.Schema) []string {
	var out []string
	for _, b := range among(s, isObject, 0) {
		for _, p := range b.Properties {
			if !slices.Contains(out, p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// Holds says which shapes a schema allows for one value.
func Holds(s *openapi.Schema) (single, list, object bool) {
	k := kindsOf(s, 0)
	return k&(scalars|isNull) != 0, k&isArray != 0, k&isObject != 0
}

// open reports whether an object may have members that no property names; free
// reports whether the schema says something of them.
func open(s *openapi.Schema) (open, free bool) {
	if s == nil {
		return true, true
	}
	free = s.Extra != nil || len(s.Patterns) > 0 || s.Names != nil || len(s.Properties) == 0 && len(s.AnyOf)+len(s.OneOf) == 0
	return !s.Closed && (s.Unevaluated == nil || !s.Unevaluated.Never), free && !s.Closed
}

// takesOthers reports whether an object that is spread over pairs has those that no
// property names: its schema says that it may have them, and one that it names is sent, if
// it names any.
func takesOthers(s *openapi.Schema, sent func(name string) bool) bool {
	if isOpen, _ := open(s); !isOpen {
		return false
	}
	names := Names(s)
	says := func(b *openapi.Schema) bool {
		return b.Extra != nil || len(b.Patterns) > 0 || b.Names != nil || b.MinProps != nil && *b.MinProps > len(names) ||
			b.Source.Has("additionalProperties") && !b.Closed
	}
	return len(names) == 0 || slices.ContainsFunc(names, sent) && slices.ContainsFunc(among(s, isObject, 0), says)
}
