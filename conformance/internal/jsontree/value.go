// Package jsontree holds JSON as an ordered tree with exact numbers: it parses
// strictly (RFC 8259) and emits any bytes, well formed or not.
//
// Member order, duplicate names, the spelling of numbers, lone surrogates and
// invalid UTF-8 all survive parsing, so that a judge can tell what was on the
// wire. Nothing here recurses: nesting is bounded by memory and a stated limit,
// never by the stack.
package jsontree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

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

// Texts are the text of a string, or those of the items of an array.
func (v *Value) Texts() []string {
	if v.Kind == String {
		return []string{v.Text}
	}
	if len(v.Items) == 0 {
		return nil
	}
	out := make([]string, len(v.Items))
	for i, item := range v.Items {
		out[i] = item.Text
	}
	return out
}

// Set replaces the first member of that name in place, or appends one. It does
// nothing if v is no object, or if there is no value.
func (v *Value) Set(name string, val *Value) {
	if val == nil {
		return
	}
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

// Walk calls f for v and everything below it, parents first, in order. The
// pointer is relative to v (RFC 6901) and cut, with an ellipsis, at 4096 bytes.
// f may change what lies below the value it is given.
func (v *Value) Walk(f func(pointer string, v *Value)) {
	if v == nil {
		return
	}
	type level struct {
		v       *Value
		pointer string
		next    int
	}
	f("", v)
	stack := []level{{v: v}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		var c *Value
		var token string
		switch {
		case top.v.Kind == Array && top.next < len(top.v.Items):
			c, token = top.v.Items[top.next], strconv.Itoa(top.next)
		case top.v.Kind == Object && top.next < len(top.v.Members):
			c, token = top.v.Members[top.next].Value, top.v.Members[top.next].Name
		default:
			stack = stack[:len(stack)-1]
			continue
		}
		top.next++
		if c == nil {
			continue
		}
		p := child(top.pointer, token)
		f(p, c)
		if c.Kind == Array || c.Kind == Object {
			stack = append(stack, level{v: c, pointer: p})
		}
	}
}

// Shallow gives a copy that shares what the value holds.
func (v *Value) Shallow() *Value {
	out := *v
	out.Items, out.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	return &out
}

// Clone copies v and everything below it.
func (v *Value) Clone() *Value {
	if v == nil {
		return nil
	}
	root := new(Value)
	*root = *v
	todo := []*Value{root}
	copied := func(from *Value) *Value {
		if from == nil {
			return nil
		}
		to := new(Value)
		*to = *from
		if from.Items != nil || from.Members != nil {
			todo = append(todo, to)
		}
		return to
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c.Items != nil {
			items := make([]*Value, len(c.Items))
			for i, from := range c.Items {
				items[i] = copied(from)
			}
			c.Items = items
		}
		if c.Members != nil {
			members := make([]Member, len(c.Members))
			for i, m := range c.Members {
				members[i] = Member{Name: m.Name, Raw: m.Raw, Value: copied(m.Value)}
			}
			c.Members = members
		}
	}
	return root
}

// Native gives v as map[string]any, []any, string, json.Number, bool and nil,
// as schema validators want it. The last of duplicate names wins. Numbers
// beyond 1000 digits or 10^±1000 become stand-ins of the same sign, wholeness
// and, as far as any bound reaches, magnitude, so that rationals stay small.
// Lone surrogates in strings become U+FFFD, so that lengths count them as one.
func (v *Value) Native() any { return v.NativeTo(DefaultDepth + 1) }

// NativeTo is Native with containers below a depth left out as nil: schemas that
// a person wrote do not look there, and a tree of 100,000 levels costs memory.
func (v *Value) NativeTo(depth int) any {
	type level struct {
		v    *Value
		list []any
		dict map[string]any
		next int
	}
	var stack []level
	made := func(v *Value) any {
		if v == nil || len(stack) > depth && (v.Kind == Array || v.Kind == Object) {
			return nil
		}
		switch v.Kind {
		case Bool:
			return v.Bool
		case Number:
			return json.Number(standIn(v.Text))
		case String:
			return replaceSurrogates(v.Text)
		case Array:
			l := make([]any, len(v.Items))
			stack = append(stack, level{v: v, list: l})
			return l
		case Object:
			d := make(map[string]any, len(v.Members))
			stack = append(stack, level{v: v, dict: d})
			return d
		}
		return nil
	}
	root := made(v)
	for len(stack) > 0 {
		i := len(stack) - 1
		top := stack[i]
		if top.next == top.v.size() {
			stack = stack[:i]
			continue
		}
		stack[i].next++
		if top.list != nil {
			top.list[top.next] = made(top.v.Items[top.next])
		} else {
			m := &top.v.Members[top.next]
			top.dict[m.Name] = made(m.Value)
		}
	}
	return root
}

func replaceSurrogates(s string) string {
	if strings.IndexByte(s, 0xED) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if _, ok := surrogate(s[i:]); ok {
			out = append(out, "\uFFFD"...)
			i += 3
			continue
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}
