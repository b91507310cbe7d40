// Package schema says what values the schemas of a document have: exactly, for a judge, and flattened,
// for generators. It classifies bytes by them: what a server must accept, may refuse or must refuse.
//
// It knows nothing of operations. A Document is given its root, and names for its places.
package schema

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// Schema is a schema with its references resolved and its allOf merged, for
// generators. The exact judge uses the compiled original.
type Schema struct {
	Name    string // name of the component it is, or was merged from last; may be empty
	Pointer string
	Types   []string // allowed JSON types; nil means any
	Format  string

	Properties []*Property // in document order
	Closed     bool        // additionalProperties: false
	Extra      *Schema     // additionalProperties, when a schema
	Patterns   []Keyed     // patternProperties
	Names      *Schema     // propertyNames
	Dependent  []Dependent // dependentRequired
	Depending  []Depending // dependentSchemas
	// Unevaluated and Uncovered are unevaluatedProperties and unevaluatedItems.
	Unevaluated *Schema
	Uncovered   *Schema
	MinProps    *int
	MaxProps    *int

	Items    *Schema
	Prefix   []*Schema
	Contains *Schema
	MinItems *int
	MaxItems *int
	// MinContains and MaxContains bound how many items match Contains.
	MinContains *int
	MaxContains *int
	Unique      bool

	Enum      []*jsontree.Value
	Const     *jsontree.Value
	Default   *jsontree.Value
	Minimum   string // number texts; empty means none
	Maximum   string
	Above     string // exclusiveMinimum
	Below     string // exclusiveMaximum
	Multiple  string // multipleOf
	MinLength *int
	MaxLength *int
	Pattern   string
	// Patterned are all patterns, where there are several.
	Patterned []string
	// Past says that a date lies in the past, as the name of its member tells. It is a guess:
	// the document may allow others.
	Past bool
	// Code is the kind of the texts, if a name, an example or a keyword tells of one, and Told
	// another one that a sentence tells of: requests get such texts, and nothing is judged by it.
	Code, Told *hints.Code

	AnyOf []*Schema
	OneOf []*Schema
	// Merged are the alternatives of this schema that were merged into it.
	Merged     []Merged
	Not        *Schema
	Conditions []Condition

	ReadOnly  bool
	WriteOnly bool
	Never     bool // the schema false
	MayNull   bool // null is neither required nor forbidden: see looseNull

	// Sequences are the names of members of which a sentence says that the first comes before
	// the second.
	Sequences [][2]string

	// Beside is another schema that the value has to keep: in Contains it is Items, whose keywords are
	// merged into it too.
	Beside *Schema
	// Source says where each keyword stands.
	Source Sources
	// Recursive reports whether the walk was cut although the document continues.
	Recursive bool
	// needs are the members that a value must have; only flatten asks.
	needs map[string]bool
}

// Property is a member of an object.
type Property struct {
	Name     string
	Schema   *Schema
	Required bool
	// Need is the JSON pointer of the "required" list that names it.
	Need string
	// Resource is the kind of thing whose id the member has, if its name says no more than that:
	// project for {"project": 7}.
	Resource string
}

// Keyed is a pattern and the schema of what matches it.
type Keyed struct {
	Pattern string
	Schema  *Schema
}

// Dependent is one row of dependentRequired.
type Dependent struct {
	Name  string
	Needs []string
}

// Condition is if with then and else; the last two may be nil.
type Condition struct{ If, Then, Else *Schema }

// Parts are then and else, without what is nil.
func (c Condition) Parts() []*Schema {
	return slices.DeleteFunc([]*Schema{c.Then, c.Else}, func(s *Schema) bool { return s == nil })
}

// Depending is one row of dependentSchemas: the schema of an object that has the
// member.
type Depending struct {
	Name   string
	Schema *Schema
}

// Property returns the member of that name, or nil.
func (s *Schema) Property(name string) *Property {
	for _, p := range s.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// MinContained is how many items of an array have to match Contains.
func (s *Schema) MinContained() int {
	switch {
	case s.Contains == nil:
		return 0
	case s.MinContains != nil:
		return *s.MinContains
	}
	return 1
}

// Item returns the schema of a plain value for the item at a position: behind
// those of Prefix come as many as Contains needs, then others. It is nil if any
// value will do.
func (s *Schema) Item(at int) *Schema {
	switch {
	case at < len(s.Prefix):
		return s.Prefix[at]
	case at < len(s.Prefix)+s.MinContained():
		return s.Contains
	}
	return s.Items
}

// At returns the schema of the value at a pointer, or nil if it has none of its own.
func (s *Schema) At(pointer string) *Schema {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		name, _ := jsontree.UnescapePointer(token)
		switch {
		case pointer == "" || s == nil:
			return s
		case s.Type() == "array":
			s = s.Item(0)
		case s.Property(name) == nil:
			return nil
		default:
			s = s.Property(name).Schema
		}
	}
	return s
}

// Phrase returns the name of a component with its article, such as "an Error". It
// is empty if the schema has none.
func (s *Schema) Phrase() string {
	switch {
	case s.Name == "":
		return ""
	case strings.ContainsRune("AEIOaeio", rune(s.Name[0])):
		return "an " + s.Name
	}
	return "a " + s.Name
}

// Optional returns the members that a request may leave out.
func (s *Schema) Optional() []*Property {
	var out []*Property
	for _, p := range s.Properties {
		if !p.Required && !p.Schema.ReadOnly {
			out = append(out, p)
		}
	}
	return out
}

// Allows reports whether a JSON type is allowed; integer counts as number.
func (s *Schema) Allows(kind string) bool {
	if s.Types == nil {
		return true
	}
	for _, t := range s.Types {
		if t == kind || t == "integer" && kind == "number" {
			return true
		}
	}
	return false
}

// Type returns the type that generators use: the first that is not null.
func (s *Schema) Type() string {
	for _, t := range s.Types {
		if t != "null" {
			return t
		}
	}
	switch {
	case len(s.Types) > 0:
		return "null"
	case len(s.Properties) > 0, s.MinProps != nil || s.MaxProps != nil, len(s.Patterns) > 0 || s.Names != nil:
		return "object"
	case s.Items != nil || s.Prefix != nil, s.MinItems != nil || s.MaxItems != nil || s.Unique:
		return "array"
	case s.MinLength != nil || s.MaxLength != nil || s.Pattern != "":
		return "string"
	case s.Minimum != "" || s.Maximum != "" || s.Above != "" || s.Below != "" || s.Multiple != "":
		return "number"
	}
	return ""
}

// AnyText reports whether the schema takes texts of any form, only their length may be
// bounded.
func (s *Schema) AnyText() bool {
	return s.Enum == nil && s.Const == nil && s.Pattern == "" && s.Format == "" && s.Code == nil
}

// manyNumbers is the largest value of a member whose numbers tell requests apart.
const manyNumbers = "1000000"

// AnyNumber reports whether the schema takes so many whole numbers that each request can have one of
// its own.
func (s *Schema) AnyNumber() bool {
	below := func(maximum string) bool { return maximum != "" && jsontree.Compare(maximum, manyNumbers) < 0 }
	_, maximum, _ := FormatRange(s.Format)
	number := s.Type() == "integer" || s.Type() == "number"
	return number && s.Enum == nil && s.Const == nil && s.Multiple == "" && !below(s.Maximum) && !below(s.Below) && !below(maximum)
}

// Whole reports whether integers are the only numbers allowed.
func (s *Schema) Whole() bool {
	if s.Types == nil {
		return false
	}
	for _, t := range s.Types {
		if t == "number" {
			return false
		}
	}
	return true
}

// Kind is the kind of the texts that requests get, or nil. One that only a sentence tells of is tried
// where plain texts are refused: what a document says in words changes nothing else.
func (s *Schema) Kind(told bool) *hints.Code {
	if told {
		return s.Drawn()
	}
	return s.Code
}

// Drawn is the kind that a name or a sentence tells of, or nil.
func (s *Schema) Drawn() *hints.Code { return cmp.Or(s.Told, s.Code) }

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

// Common returns a schema of objects with the members that every alternative has, each with
// the same type. It is the schema itself if that has members of its own, or alternatives that
// have none.
func (s *Schema) Common() *Schema {
	list := slices.Concat(s.OneOf, s.AnyOf)
	if len(s.Properties) > 0 || len(list) == 0 || len(s.OneOf) > 0 && len(s.AnyOf) > 0 {
		return s
	}
	common := slices.Clone(list[0].Properties)
	for _, other := range list[1:] {
		common = slices.DeleteFunc(common, func(p *Property) bool {
			q := other.Property(p.Name)
			return q == nil || p.Schema == nil || q.Schema == nil || q.Schema.Type() != p.Schema.Type()
		})
	}
	if len(common) == 0 {
		return s
	}
	return &Schema{Pointer: s.Pointer, Types: []string{"object"}, Properties: common}
}

// Sources says where the keywords of a schema stand that references and allOf were
// merged into. A large document has a hundred thousand of them and few are asked for,
// so the pointer of one is put together on demand.
type Sources struct {
	list []source
	more bool // keywords that nobody asks for: a hostile schema may have any number
}

// source is a keyword and the JSON pointer of the schema that it stands in.
type source struct{ keyword, schema string }

// Of returns the JSON pointer of a keyword that a validator checks or that says how a
// string is encoded. It is empty if the schema does not have it.
func (s Sources) Of(keyword string) string {
	if i := s.index(keyword); i >= 0 {
		return s.list[i].schema + "/" + jsontree.EscapePointer(keyword)
	}
	return ""
}

// Has reports whether the schema has such a keyword.
func (s Sources) Has(keyword string) bool { return s.index(keyword) >= 0 }

// Empty reports whether the schema has no keyword at all.
func (s Sources) Empty() bool { return len(s.list) == 0 && !s.more }

func (s Sources) index(keyword string) int {
	return slices.IndexFunc(s.list, func(k source) bool { return k.keyword == keyword })
}

// set records where a keyword stands; the last place counts.
func (s *Sources) set(keyword, schema string) {
	if _, judged := judging[keyword]; !judged && keyword != "contentMediaType" && keyword != "contentEncoding" {
		s.more = true
	} else if i := s.index(keyword); i >= 0 {
		s.list[i].schema = schema
	} else {
		s.list = append(s.list, source{keyword, schema})
	}
}

// Without returns a copy that does not have a keyword.
func (s Sources) Without(keyword string) Sources {
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(k source) bool { return k.keyword == keyword })
	return s
}
