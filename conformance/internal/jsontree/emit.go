package jsontree

// Style is the spelling of everything in a text that carries no meaning. The
// zero Style is compact. Nothing is checked: a Style may spoil the text.
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
