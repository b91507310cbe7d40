package serialize

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
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
func kindsOf(s *schema.Schema, depth int) kinds {
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
	for _, branches := range [][]*schema.Schema{s.AnyOf, s.OneOf} {
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
func among(s *schema.Schema, k kinds, depth int) []*schema.Schema {
	if s == nil || depth > deepest {
		return nil
	}
	out := []*schema.Schema{s}
	for _, branches := range [][]*schema.Schema{s.AnyOf, s.OneOf} {
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
func either(list []*schema.Schema) *schema.Schema {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &schema.Schema{AnyOf: list}
}

// Item returns the schema of item i of an array, nil if it has none.
func Item(s *schema.Schema, i int) *schema.Schema {
	var list []*schema.Schema
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
func prefixed(s *schema.Schema) int {
	n := 0
	for _, b := range among(s, isArray, 0) {
		n = max(n, len(b.Prefix))
	}
	return n
}

// Member returns the schema of a member of an object, nil if it has none, and whether
// a property names it.
func Member(s *schema.Schema, name string) (*schema.Schema, bool) {
	var own, other []*schema.Schema
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
func Names(s *schema.Schema) []string {
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
func Holds(s *schema.Schema) (single, list, object bool) {
	k := kindsOf(s, 0)
	return k&(scalars|isNull) != 0, k&isArray != 0, k&isObject != 0
}

// open reports whether an object may have members that no property names; free
// reports whether the schema says something of them.
func open(s *schema.Schema) (open, free bool) {
	if s == nil {
		return true, true
	}
	free = s.Extra != nil || len(s.Patterns) > 0 || s.Names != nil || len(s.Properties) == 0 && len(s.AnyOf)+len(s.OneOf) == 0
	return !s.Closed && (s.Unevaluated == nil || !s.Unevaluated.Never), free && !s.Closed
}

// takesOthers reports whether an object that is spread over pairs has those that no
// property names: its schema says that it may have them, and one that it names is sent, if
// it names any.
func takesOthers(s *schema.Schema, sent func(name string) bool) bool {
	if isOpen, _ := open(s); !isOpen {
		return false
	}
	names := Names(s)
	says := func(b *schema.Schema) bool {
		return b.Extra != nil || len(b.Patterns) > 0 || b.Names != nil || b.MinProps != nil && *b.MinProps > len(names) ||
			b.Source.Has("additionalProperties") && !b.Closed
	}
	return len(names) == 0 || slices.ContainsFunc(names, sent) && slices.ContainsFunc(among(s, isObject, 0), says)
}

// flat is a value whose parts are texts: one, a list, or a list with names.
type flat struct {
	kind  jsontree.Kind // String, Array or Object
	texts []string
	names []string
}

// flatten returns the texts of a value. No style can write anything deeper.
func flatten(v *jsontree.Value) (flat, error) {
	if v == nil {
		return flat{}, errors.New("no value: give one")
	}
	if v.Raw == "" && (v.Kind == jsontree.Array || v.Kind == jsontree.Object) {
		out := flat{kind: v.Kind}
		for _, item := range v.Items {
			text, err := Scalar(item)
			if err != nil {
				return flat{}, err
			}
			out.texts = append(out.texts, text)
		}
		for _, m := range v.Members {
			text, err := Scalar(m.Value)
			if err != nil {
				return flat{}, fmt.Errorf("member %q: %w", m.Name, err)
			}
			out.names, out.texts = append(out.names, m.Name), append(out.texts, text)
		}
		return out, nil
	}
	text, err := Scalar(v)
	return flat{kind: jsontree.String, texts: []string{text}}, err
}

// Scalar returns the text of a string, number or boolean. Any other value has none.
func Scalar(v *jsontree.Value) (string, error) {
	switch {
	case v == nil:
	case v.Raw != "":
		return v.Raw, nil
	case v.Kind == jsontree.Bool && v.Bool:
		return "true", nil
	case v.Kind == jsontree.Bool:
		return "false", nil
	case v.Kind == jsontree.Number || v.Kind == jsontree.String:
		return v.Text, nil
	case v.Kind != jsontree.Null:
		return "", fmt.Errorf("an %s inside has no text: send a flat value", v.Kind)
	}
	return "", errors.New("null has no text: leave it out")
}

// empty reports whether the value writes nothing.
func (f flat) empty() bool { return len(f.texts) == 0 }

// join writes the parts with a separator between them. The names stand before
// their values, as parts of their own or, exploded, with "=".
func (f flat) join(separator string, explode bool, esc func(string) string) string {
	var parts []string
	for i, text := range f.texts {
		switch {
		case f.kind == jsontree.Object && explode:
			parts = append(parts, esc(f.names[i])+"="+esc(text))
		case f.kind == jsontree.Object:
			parts = append(parts, esc(f.names[i]), esc(text))
		default:
			parts = append(parts, esc(text))
		}
	}
	return strings.Join(parts, separator)
}

// each is join for pairs of their own: the name of the parameter with each item,
// or, for an object, the names of its members.
func (f flat) each(name string, esc func(string) string) []string {
	var out []string
	for i, text := range f.texts {
		if f.kind == jsontree.Object {
			name = esc(f.names[i])
		}
		out = append(out, name+"="+esc(text))
	}
	return out
}

// refuse returns an error if a part has one of the characters: there is no way to
// write them in this style.
func (f flat) refuse(p *openapi.Parameter, chars string) error {
	if f.kind == jsontree.String {
		return nil
	}
	for _, list := range [][]string{f.texts, f.names} {
		for _, text := range list {
			if i := strings.IndexAny(text, chars); i >= 0 {
				return fmt.Errorf("style %s has no form for %q inside: choose another value", p.Style, text[i:i+1])
			}
		}
	}
	return nil
}

// content returns the text of a parameter with content, as one string.
func content(p *openapi.Parameter, v *jsontree.Value) (*jsontree.Value, error) {
	if p.Media == "" || v == nil {
		return v, nil
	}
	if openapi.IsJSON(p.Media) {
		style := jsontree.Style{}
		if p.In == "header" {
			style.Escape = jsontree.ASCII
		}
		return jsontree.NewString(string(v.EmitStyle(style))), nil
	}
	text, err := Scalar(v)
	return jsontree.NewString(text), err
}
