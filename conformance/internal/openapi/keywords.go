package openapi

import (
	"fmt"
	"strconv"

	"plantstore/conformance/internal/jsontree"
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
	case v.Kind == jsontree.Number && len(v.Text) > mostDigits:
		f.leave(fmt.Sprintf("a number of more than %d characters is not tried (%s/%s)", mostDigits, pointer, jsontree.EscapePointer(name)))
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
		s.Types = narrow(s.Types, texts(v))
	case "format":
		s.Format = v.Text
	case "contentEncoding":
		s.encoded(v.Text)
	case "dependentRequired":
		for _, m := range v.Members {
			s.Dependent = append(s.Dependent, Dependent{m.Name, texts(m.Value)})
		}
	case "const":
		s.Const = v
	case "default":
		s.Default = v
	case "multipleOf":
		s.Multiple = v.Text
	case "pattern":
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
