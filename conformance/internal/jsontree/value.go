// Package jsontree holds JSON as an ordered tree with exact numbers: it parses
// strictly (RFC 8259) and emits any bytes, well formed or not.
//
// Member order, duplicate names, the spelling of numbers, lone surrogates and
// invalid UTF-8 all survive parsing, so that a judge can tell what was on the
// wire. Nothing here recurses: nesting is bounded by memory and a stated limit,
// never by the stack.
package jsontree

import "strconv"

// Kind is the JSON type of a value (RFC 8259, section 3).
type Kind uint8

// The six JSON types.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String gives the name that JSON Schema uses for the type.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is one JSON value. Only the fields of its kind are meaningful.
type Value struct {
	Kind Kind
	Bool bool
	// Mark lets a reader find the place of the value again. Parse sets it to the
	// byte offset of the value plus 1; 0 means that the place is not known.
	Mark uint32
	// Text of a String is the decoded text: a lone surrogate as three bytes of
	// WTF-8, invalid bytes as they came. Text of a Number is its exact spelling.
	Text string
	// Raw, if not empty, is emitted instead of the value: any bytes at all.
	// Parse leaves it empty; Equal and Native do not look at it.
	Raw     string
	Items   []*Value
	Members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name string
	// Raw, if not empty, is emitted instead of the quoted name, quotes included.
	Raw   string
	Value *Value
}

// NewNull makes a null.
func NewNull() *Value { return &Value{} }

// NewBool makes true or false.
func NewBool(b bool) *Value { return &Value{Kind: Bool, Bool: b} }

// NewString makes a string of the decoded text.
func NewString(text string) *Value { return &Value{Kind: String, Text: text} }

// NewNumber makes a number spelled exactly as given; the spelling is not checked.
func NewNumber(text string) *Value { return &Value{Kind: Number, Text: text} }

// NewInt makes a number in plain decimal digits.
func NewInt(n int64) *Value { return NewNumber(strconv.FormatInt(n, 10)) }

// NewArray makes an array of the items, in order.
func NewArray(items ...*Value) *Value { return &Value{Kind: Array, Items: items} }

// NewObject makes an object of the members, in order; duplicates are kept.
func NewObject(members ...Member) *Value { return &Value{Kind: Object, Members: members} }

// NewRaw makes a value that is emitted as the given bytes.
func NewRaw(raw string) *Value { return &Value{Raw: raw} }

// M makes a member.
func M(name string, value *Value) Member { return Member{Name: name, Value: value} }

// Get gives the first member of that name; nil if v is no object or has none.
func (v *Value) Get(name string) *Value {
	if i := v.index(name); i >= 0 {
		return v.Members[i].Value
	}
	return nil
}

// Set replaces the first member of that name in place, or appends one. It does
// nothing if v is no object.
func (v *Value) Set(name string, val *Value) {
	if i := v.index(name); i >= 0 {
		v.Members[i].Value = val
	} else if v != nil && v.Kind == Object {
		v.Members = append(v.Members, M(name, val))
	}
}

// Remove takes out every member of that name and reports whether there was one.
func (v *Value) Remove(name string) bool {
	if v.index(name) < 0 {
		return false
	}
	kept := make([]Member, 0, len(v.Members)-1)
	for _, m := range v.Members {
		if m.Name != name {
			kept = append(kept, m)
		}
	}
	v.Members = kept
	return true
}

func (v *Value) index(name string) int {
	if v == nil || v.Kind != Object {
		return -1
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Size is about how many bytes the value takes without escapes and white space.
func (v *Value) Size() int {
	n := 0
	for list := []*Value{v}; len(list) > 0; {
		top := list[len(list)-1]
		list = list[:len(list)-1]
		if top == nil {
			continue
		}
		n += 2 + max(len(top.Text), len(top.Raw), 2)
		list = append(list, top.Items...)
		for i := range top.Members {
			n += 4 + max(len(top.Members[i].Name), len(top.Members[i].Raw))
			list = append(list, top.Members[i].Value)
		}
	}
	return n
}
