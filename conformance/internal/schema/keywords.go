package schema

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// holders are the keywords whose value is a schema, with the field that keeps it.
var holders = map[string]struct {
	of    func(*Schema) **Schema
	spare bool // a value can do without it
}{
	"propertyNames":         {of: func(s *Schema) **Schema { return &s.Names }},
	"unevaluatedProperties": {of: func(s *Schema) **Schema { return &s.Unevaluated }},
	"unevaluatedItems":      {of: func(s *Schema) **Schema { return &s.Uncovered }},
	"items":                 {of: func(s *Schema) **Schema { return &s.Items }},
	"contains":              {of: func(s *Schema) **Schema { return &s.Contains }},
	"not":                   {func(s *Schema) **Schema { return &s.Not }, true},
}

// schemaLists are the keywords that hold a list of schemas.
var schemaLists = map[string]struct {
	of  func(*Schema) *[]*Schema
	any bool // one of them makes a value
}{
	"prefixItems": {of: func(s *Schema) *[]*Schema { return &s.Prefix }},
	"anyOf":       {func(s *Schema) *[]*Schema { return &s.AnyOf }, true},
	"oneOf":       {func(s *Schema) *[]*Schema { return &s.OneOf }, true},
}

// numberBounds are the keywords that bound a number; side is 1 for a lower bound.
var numberBounds = map[string]struct {
	of   func(*Schema) *string
	side int
}{
	"minimum":          {func(s *Schema) *string { return &s.Minimum }, 1},
	"maximum":          {func(s *Schema) *string { return &s.Maximum }, -1},
	"exclusiveMinimum": {func(s *Schema) *string { return &s.Above }, 1},
	"exclusiveMaximum": {func(s *Schema) *string { return &s.Below }, -1},
}

// countBounds are the keywords that bound a count; side is 1 for a lower bound.
var countBounds = map[string]struct {
	of   func(*Schema) **int
	side int
}{
	"minLength":     {func(s *Schema) **int { return &s.MinLength }, 1},
	"maxLength":     {func(s *Schema) **int { return &s.MaxLength }, -1},
	"minItems":      {func(s *Schema) **int { return &s.MinItems }, 1},
	"maxItems":      {func(s *Schema) **int { return &s.MaxItems }, -1},
	"minContains":   {func(s *Schema) **int { return &s.MinContains }, 1},
	"maxContains":   {func(s *Schema) **int { return &s.MaxContains }, -1},
	"minProperties": {func(s *Schema) **int { return &s.MinProps }, 1},
	"maxProperties": {func(s *Schema) **int { return &s.MaxProps }, -1},
}

// keyword adds one keyword of the node at pointer to s.
func (f *flattener) keyword(s *Schema, pointer, name string, v *jsontree.Value) {
	if (name == "oneOf" || name == "anyOf") && f.alternative(s, pointer, name, v) {
		return
	}
	if name != "properties" && name != "required" {
		s.Source.set(name, pointer)
	}
	if one, ok := holders[name]; ok {
		if !one.spare || !f.lean() {
			*one.of(s) = f.schema(pointer + "/" + name)
		}
		return
	}
	if list, ok := schemaLists[name]; ok {
		needed := len(v.Items)
		if list.any {
			needed = 1
		}
		*list.of(s) = f.list(pointer+"/"+name, v, needed)
		return
	}
	switch {
	case name == "if":
		f.condition(s, pointer)
	case name == "enum":
		s.Enum = f.listed(pointer+"/enum", v.Items)
	case v.Kind == jsontree.Number && len(v.Text) > maxDigits:
		f.leave(fmt.Sprintf("a number of more than %d characters is not tried (%s/%s)", maxDigits, pointer, jsontree.EscapePointer(name)))
	default:
		f.members(s, pointer, name, v)
		s.simple(name, v)
	}
}

// condition takes if with then and else. A schema has as many as the parts of its allOf.
func (f *flattener) condition(s *Schema, pointer string) {
	if f.lean() {
		return
	}
	part := func(name string) *Schema {
		if f.root.At(pointer+"/"+name) == nil {
			return nil
		}
		if name != "if" {
			f.parts = append(f.parts, pointer+"/"+name)
		}
		return f.schema(pointer + "/" + name)
	}
	c := Condition{If: part("if"), Then: part("then"), Else: part("else")}
	s.Conditions = append(s.Conditions, c)
}

// members takes the keywords that name members and say what they are.
func (f *flattener) members(s *Schema, pointer, name string, v *jsontree.Value) {
	switch name {
	case "properties":
		f.properties(s, pointer+"/properties", v)
	case "required":
		f.required(s, pointer+"/required", v)
	case "additionalProperties":
		s.Closed = s.Closed || v.Kind == jsontree.Bool && !v.Bool
		if v.Kind == jsontree.Object && (s.Extra != nil || !f.lean()) {
			s.Extra = f.schema(pointer + "/additionalProperties")
		}
	case "patternProperties":
		for _, m := range v.Members {
			s.Patterns = append(s.Patterns, Keyed{m.Name, f.schema(pointer + "/patternProperties/" + jsontree.EscapePointer(m.Name))})
		}
	case "dependentSchemas":
		for _, m := range v.Members {
			s.Depending = append(s.Depending, Depending{m.Name, f.schema(pointer + "/dependentSchemas/" + jsontree.EscapePointer(m.Name))})
		}
	}
}

// inDigits spells a whole number without a fraction or an exponent: documents that Python wrote
// have a maximum of 120.0 for an integer, which a server need not take so.
func inDigits(text string) string {
	if n, whole := jsontree.Int64(text); whole {
		return strconv.FormatInt(n, 10)
	}
	return text
}

// simple takes the keywords that hold no schema.
func (s *Schema) simple(name string, v *jsontree.Value) {
	if b, ok := numberBounds[name]; ok && v.Kind == jsontree.Number {
		*b.of(s) = tighter(*b.of(s), inDigits(v.Text), b.side)
	}
	if b, ok := countBounds[name]; ok {
		*b.of(s) = bound(*b.of(s), v, b.side)
	}
	switch name {
	case "type":
		s.Types = narrow(s.Types, v.Texts())
	case "format":
		s.Format = v.Text
	case "contentEncoding":
		s.encoded(v.Text)
	case "dependentRequired":
		for _, m := range v.Members {
			s.Dependent = append(s.Dependent, Dependent{m.Name, m.Value.Texts()})
		}
	case "const":
		s.Const = v
	case "default":
		s.Default = v
	case "multipleOf":
		s.Multiple = common(s.Multiple, v.Text)
	case "pattern":
		if s.Pattern != "" && s.Pattern != v.Text {
			s.Patterned = append(s.Patterned, s.Pattern, v.Text)
		}
		s.Pattern = v.Text
	case "uniqueItems":
		s.Unique = s.Unique || v.Bool
	case looseNull:
		s.MayNull = true
	case "readOnly":
		s.ReadOnly = v.Bool
	case "writeOnly":
		s.WriteOnly = v.Bool
	}
}

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

// tighter returns the narrower of two number bounds; side is 1 for a lower bound.
func tighter(old, text string, side int) string {
	if old == "" || jsontree.Compare(text, old) == side {
		return text
	}
	return old
}

// common returns the smallest number that is a multiple of two numbers.
func common(old, text string) string {
	a, known := jsontree.Rat(old)
	b, ok := jsontree.Rat(text)
	if !known || !ok || a.Sign() <= 0 || b.Sign() <= 0 {
		return text
	}
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	shared := new(big.Int).GCD(nil, nil, x, y)
	out := new(big.Rat).SetFrac(x.Div(x.Mul(x, y), shared), new(big.Int).Mul(a.Denom(), b.Denom()))
	if digits, exact := out.FloatPrec(); exact {
		return out.FloatString(digits)
	}
	return text
}

func bound(old *int, v *jsontree.Value, side int) *int {
	n, ok := jsontree.Int64(v.Text)
	if !ok || n > 1<<30 {
		return old
	}
	if old != nil && (int(n)-*old)*side <= 0 {
		return old
	}
	i := int(n)
	return &i
}

// narrow intersects two type lists, as allOf does; integer is a kind of number.
func narrow(a, b []string) []string {
	if a == nil {
		return b
	}
	out := []string{}
	for _, t := range a {
		for _, u := range b {
			switch {
			case t == u:
				out = append(out, t)
			case t == "integer" && u == "number" || t == "number" && u == "integer":
				out = append(out, "integer")
			}
		}
	}
	return out
}

// annotations are the keywords that judge nothing, of each version and of OpenAPI.
var annotations = []string{"$ref", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$schema", "$vocabulary", "$comment", "$recursiveRef", "$recursiveAnchor", "id",
	"title", "description", "default", "deprecated", "readOnly", "writeOnly", "example", "examples", "contentEncoding", "contentMediaType", "contentSchema",
	"nullable", "discriminator", "xml", "externalDocs", "collectionFormat", "definitions", "dependencies", "additionalItems", "divisibleBy", "extends", "disallow"}

// Keywords returns the keywords that judge a value.
func Keywords() []string { return slices.Sorted(maps.Keys(judging)) }

// Unknown calls f for each member of a schema, and of those in it, that is no keyword and no
// extension, with its pointer below the schema.
func Unknown(v *jsontree.Value, f func(pointer, name string)) { unknown(v, "", f) }

func unknown(v *jsontree.Value, at string, f func(pointer, name string)) {
	if v == nil || v.Kind != jsontree.Object {
		return
	}
	for _, m := range v.Members {
		below, judges := judging[m.Name]
		here := at + "/" + jsontree.EscapePointer(m.Name)
		switch {
		case !judges && !slices.Contains(annotations, m.Name) && !strings.HasPrefix(m.Name, "x-"):
			f(here, m.Name)
		case below == oneSchema:
			unknown(m.Value, here, f)
		case below == keyed || below == listed:
			for _, part := range m.Value.Members {
				unknown(part.Value, here+"/"+jsontree.EscapePointer(part.Name), f)
			}
			for i, item := range m.Value.Items {
				unknown(item, here+"/"+strconv.Itoa(i), f)
			}
		}
	}
}
