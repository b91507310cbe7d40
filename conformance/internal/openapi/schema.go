package openapi

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// Spellings outside a format that common readers accept: a UUID in another form, a
// date-time without seconds or offset or with a blank, a date that a simple expression takes
// (a first digit of 0 or 1 for the month, 0 to 3 for the day, 0 to 2 for the hour), a time stamp
// as a number, an email address with characters outside ASCII (RFC 6531, 3.3 adds them to
// RFC 5321). A server may accept or refuse them, and so it may white space around a text, which
// forms and readers of mail take away: a format by itself asks a server that checks it for no more
// than a "best effort" (JSON Schema 2020-12, validation, 7.2.1), and where it is email, not
// idn-email, some still read both by one grammar. A pattern beside the format leaves no such room:
// what it does not match is refused.
var (
	looseUUID  = regexp.MustCompile(`^(?i)(urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$`)
	looseTime  = regexp.MustCompile(`^\d{4}-(\d{2})-(\d{2})(?:[Tt _](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$`)
	looseClock = regexp.MustCompile(`^(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$`)
	timeStamp  = regexp.MustCompile(`^-?\d{1,18}(\.\d+)?$`)
	wideEmail  = regexp.MustCompile(`^[^\x00-\x20\x7f()<>\[\]:;@\\,."]+(\.[^\x00-\x20\x7f()<>\[\]:;@\\,."]+)*@([A-Za-z0-9-]|[^\x00-\x7f])+(\.([A-Za-z0-9-]|[^\x00-\x7f])+)*$`)
)

// loose reports whether a text is one of these spellings of a format.
func loose(format, text string) bool {
	switch format {
	case "uuid":
		return looseUUID.MatchString(text)
	case "email":
		return wideEmail.MatchString(text) && strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0
	case "date-time", "date", "time":
	default:
		return false
	}
	if timeStamp.MatchString(text) {
		return true
	}
	if m := looseTime.FindStringSubmatch(text); m != nil {
		return inRange(m[1], 0, 19) && inRange(m[2], 0, 39) && inRange(m[3], 0, 29) && inRange(m[4], 0, 59) && inRange(m[5], 0, 60)
	}
	m := looseClock.FindStringSubmatch(text)
	return m != nil && inRange(m[1], 0, 29) && inRange(m[2], 0, 59) && inRange(m[3], 0, 60)
}

// inRange reports whether a number is in a range. An empty text is in every range.
func inRange(digits string, low, high int) bool {
	n, err := strconv.Atoi(digits)
	return digits == "" || err == nil && n >= low && n <= high
}

// Find returns the operation with that name: an operationId, a slug, or a method and
// a path as in "GET /users/{id}". It is nil if there is none.
func (c *Contract) Find(name string) *Operation {
	for _, is := range []func(*Operation) bool{
		func(op *Operation) bool { return op.ID == name && name != "" },
		func(op *Operation) bool { return op.Slug == name },
		func(op *Operation) bool {
			method, path, found := strings.Cut(name, " ")
			return found && strings.EqualFold(method, op.Method) && strings.TrimSpace(path) == op.Path
		},
	} {
		for _, op := range c.Operations {
			if is(op) {
				return op
			}
		}
	}
	return nil
}

// Names returns the names by which Find knows the operations.
func (c *Contract) Names() []string {
	var out []string
	for _, op := range c.Operations {
		if op.ID != "" {
			out = append(out, op.ID)
		}
		out = append(out, op.Slug, op.Method+" "+op.Path)
	}
	return out
}

// Name is the name of an operation for people: its operationId, or its slug. Behind that
// of a further one is what is different in it.
func (o *Operation) Name() string {
	if o.IsAdditional() {
		return o.first.Name() + " (" + o.Differs() + ")"
	}
	if o.ID != "" {
		return o.ID
	}
	return o.Slug
}
