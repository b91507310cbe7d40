package jsontree

import (
	"slices"
	"strings"
)

// Style is the spelling of everything in a text that carries no meaning. The
// zero Style is compact. Nothing is checked: a Style may corrupt the text.
type Style struct {
	Before, After string // around the whole text
	Colon         string // the whole text between name and value; ":" if empty
	Comma         string // the whole text between two items; "," if empty
	Open, Close   string // behind the opening and before the closing bracket
	Indent        string // if not empty, a line for each item, indented by this for each level
	Escape        EscapeMode
}

// Emit writes v compactly, with minimal escapes. Raw parts are written as they
// are; a nil value is null.
func (v *Value) Emit() []byte { return v.EmitStyle(Style{}) }

// EmitStyle writes v in the style.
func (v *Value) EmitStyle(s Style) []byte { return v.Append(make([]byte, 0, usualSize), s) }

// usualSize holds most bodies without growing.
const usualSize = 64

// String is Emit as a string, for messages.
func (v *Value) String() string { return string(v.Emit()) }

// Append writes v in the style behind b.
func (v *Value) Append(b []byte, s Style) []byte {
	if s.Colon == "" {
		s.Colon = ":"
		if s.Indent != "" {
			s.Colon = ": "
		}
	}
	if s.Comma == "" {
		s.Comma = ","
	}
	type level struct {
		v    *Value
		next int
	}
	var few [4]level
	stack := few[:0]
	b = append(b, s.Before...)
	for {
		if open := v.opens(); open != 0 {
			b = append(append(b, open), s.Open...)
			stack = append(stack, level{v: v})
		} else {
			b = v.appendScalar(b, s.Escape)
		}
		// Close what is complete, then go on with the next item.
		for {
			if len(stack) == 0 {
				return append(b, s.After...)
			}
			top := &stack[len(stack)-1]
			if top.next < top.v.size() {
				break
			}
			if top.next > 0 {
				b = s.newLine(b, len(stack)-1)
			}
			b = append(b, s.Close...)
			if top.v.Kind == Array {
				b = append(b, ']')
			} else {
				b = append(b, '}')
			}
			stack = stack[:len(stack)-1]
		}
		top := &stack[len(stack)-1]
		if top.next > 0 {
			b = append(b, s.Comma...)
		}
		b = s.newLine(b, len(stack))
		if top.v.Kind == Array {
			v = top.v.Items[top.next]
		} else {
			m := &top.v.Members[top.next]
			if m.Raw != "" {
				b = append(b, m.Raw...)
			} else {
				b = appendQuoted(b, m.Name, s.Escape)
			}
			b = append(b, s.Colon...)
			v = m.Value
		}
		top.next++
	}
}

// opens gives the bracket that v is written with, or 0.
func (v *Value) opens() byte {
	switch {
	case v == nil || v.Raw != "":
		return 0
	case v.Kind == Array:
		return '['
	case v.Kind == Object:
		return '{'
	}
	return 0
}

func (v *Value) size() int {
	if v.Kind == Array {
		return len(v.Items)
	}
	return len(v.Members)
}

func (v *Value) appendScalar(b []byte, mode EscapeMode) []byte {
	switch {
	case v == nil:
		return append(b, "null"...)
	case v.Raw != "":
		return append(b, v.Raw...)
	case v.Kind == Bool && v.Bool:
		return append(b, "true"...)
	case v.Kind == Bool:
		return append(b, "false"...)
	case v.Kind == Number:
		return append(b, v.Text...)
	case v.Kind == String:
		return appendQuoted(b, v.Text, mode)
	}
	return append(b, "null"...)
}

// maxIndent bounds the levels that are indented, else deep trees would grow
// with the square of their depth.
const maxIndent = 64

func (s *Style) newLine(b []byte, depth int) []byte {
	if s.Indent == "" {
		return b
	}
	b = append(b, '\n')
	for range min(depth, maxIndent) {
		b = append(b, s.Indent...)
	}
	return b
}

// Equal compares exactly: numbers by mathematical value, strings and names by
// code units, arrays in order, objects in any order of names; members that
// share a name are compared in their order. Raw is not looked at. nil equals
// only nil.
func Equal(a, b *Value) bool {
	type pair struct{ a, b *Value }
	todo := []pair{{a, b}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a == p.b {
			continue
		}
		if p.a == nil || p.b == nil || p.a.Kind != p.b.Kind {
			return false
		}
		switch p.a.Kind {
		case Bool:
			if p.a.Bool != p.b.Bool {
				return false
			}
		case Number:
			if Compare(p.a.Text, p.b.Text) != 0 {
				return false
			}
		case String:
			if !EqualText(p.a.Text, p.b.Text) {
				return false
			}
		case Array:
			if len(p.a.Items) != len(p.b.Items) {
				return false
			}
			for i := range p.a.Items {
				todo = append(todo, pair{p.a.Items[i], p.b.Items[i]})
			}
		case Object:
			x, y := p.a.Members, p.b.Members
			if len(x) != len(y) {
				return false
			}
			if !sameNames(x, y) {
				if x, y = byName(x), byName(y); !sameNames(x, y) {
					return false
				}
			}
			for i := range x {
				todo = append(todo, pair{x[i].Value, y[i].Value})
			}
		}
	}
	return true
}

// EqualText compares decoded strings by code units, so that a pair of
// surrogates in WTF-8 equals the character it stands for (RFC 8259, section 8.3).
func EqualText(a, b string) bool { return a == b || codeUnits(a) == codeUnits(b) }

func sameNames(x, y []Member) bool {
	for i := range x {
		if !EqualText(x[i].Name, y[i].Name) {
			return false
		}
	}
	return true
}

func byName(ms []Member) []Member {
	out := slices.Clone(ms)
	for i := range out {
		out[i].Name = codeUnits(out[i].Name)
	}
	slices.SortStableFunc(out, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// codeUnits joins surrogate pairs spelled in WTF-8; almost no text has any.
func codeUnits(s string) string {
	if strings.IndexByte(s, 0xED) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if high, ok := surrogate(s[i:]); ok && isHigh(high) {
			if low, ok := surrogate(s[i+3:]); ok && isLow(low) {
				out = appendWTF8(out, joinSurrogates(high, low))
				i += 6
				continue
			}
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}
