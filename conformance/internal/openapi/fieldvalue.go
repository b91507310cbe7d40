package openapi

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

// Read reads the lines of a header field and judges their value. It returns nil
// if the document has no schema.
//
// A field is text, so its value is what the schema takes it for: a number, true or
// false, a list with commas, otherwise a string. If no reading keeps the schema, the
// first is judged.
func (h *Header) Read(lines []string) *Reading {
	if h.Shape == nil || len(lines) == 0 {
		return nil
	}
	if strings.EqualFold(h.Name, "Set-Cookie") && !h.Shape.Schema.Allows("array") {
		// Its lines cannot be joined (RFC 9110, 5.3): each is a value.
		r := h.read(lines[0])
		for _, line := range lines[1:] {
			if r.Kind == MustAccept {
				r = h.read(line)
			}
		}
		return r
	}
	return h.read(strings.Join(lines, ", "))
}

func (h *Header) read(text string) *Reading {
	text = utf8Text(text)
	if h.Media != "" {
		return h.Shape.Read([]byte(text))
	}
	f := fieldReader{shape: h.Shape, explode: h.Explode}
	return h.Shape.Read(f.value(h.Shape.Schema, text, 0).Emit())
}

// Write returns a value as the text of the field.
func (h *Header) Write(v *jsontree.Value) string {
	if h.Media != "" {
		return v.String()
	}
	var parts []string
	switch v.Kind {
	case jsontree.Array:
		for _, item := range v.Items {
			parts = append(parts, scalarText(item))
		}
	case jsontree.Object:
		between := ","
		if h.Explode {
			between = "="
		}
		for _, m := range v.Members {
			parts = append(parts, m.Name+between+scalarText(m.Value))
		}
	default:
		return scalarText(v)
	}
	return strings.Join(parts, ",")
}

func scalarText(v *jsontree.Value) string {
	if v.Kind == jsontree.String {
		return v.Text
	}
	return v.String()
}

// utf8Text returns the text of a field. Bytes that are not UTF-8 are ISO 8859-1, as
// they were in earlier HTTP (RFC 9110, 5.5).
func utf8Text(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

// fieldReader reads text in style simple (RFC 6570, 3.2.2).
type fieldReader struct {
	shape   *Shape
	explode bool
}

const fieldDepth = 4

// value returns the first reading of a text that keeps the schema, else the first.
func (f fieldReader) value(s *Schema, text string, depth int) *jsontree.Value {
	all := f.readings(s, text, depth)
	for _, v := range all {
		if s == nil || s.Pointer == "" || f.shape.Matches(s, v) {
			return v
		}
	}
	return all[0]
}

// readings returns what a text may stand for. A string is the last and always
// possible.
func (f fieldReader) readings(s *Schema, text string, depth int) []*jsontree.Value {
	var out []*jsontree.Value
	if s != nil && depth < fieldDepth {
		if doc, err := jsontree.Parse([]byte(text)); err == nil && (s.Allows("number") || s.Allows("integer")) &&
			doc.Root.Kind == jsontree.Number && strings.TrimSpace(text) == text {
			out = append(out, doc.Root)
		}
		if s.Allows("boolean") && (text == "true" || text == "false") {
			out = append(out, jsontree.NewBool(text == "true"))
		}
		if s.Allows("null") && (text == "" || text == "null") {
			out = append(out, jsontree.NewNull())
		}
		if kind := s.Type(); kind == "array" || s.Types != nil && s.Allows("array") {
			out = append(out, f.array(s, text, depth))
			if text == "" {
				out = append(out, jsontree.NewArray())
			}
		}
		if kind := s.Type(); kind == "object" || s.Types != nil && s.Allows("object") {
			if v := f.object(s, text, depth); v != nil {
				out = append(out, v)
			}
		}
		for _, alt := range [][]*Schema{s.OneOf, s.AnyOf} {
			for _, one := range alt {
				out = append(out, f.value(one, text, depth+1))
			}
		}
	}
	if plain, err := url.PathUnescape(text); err == nil && plain != text && utf8.ValidString(plain) {
		// Some servers escape as in a path. 3.0 and 3.1 do not say.
		return append(out, jsontree.NewString(text), jsontree.NewString(plain))
	}
	return append(out, jsontree.NewString(text))
}

// array reads items between commas, with or without blanks (RFC 9110, 5.6.1).
func (f fieldReader) array(s *Schema, text string, depth int) *jsontree.Value {
	out := jsontree.NewArray()
	for i, item := range strings.Split(text, ",") {
		sub := s.Items
		if i < len(s.Prefix) {
			sub = s.Prefix[i]
		}
		out.Items = append(out.Items, f.value(sub, strings.Trim(item, " \t"), depth+1))
	}
	return out
}

// object reads "name,value" pairs or, exploded, "name=value". It returns nil if the
// text is neither.
func (f fieldReader) object(s *Schema, text string, depth int) *jsontree.Value {
	out := jsontree.NewObject()
	parts := strings.Split(text, ",")
	for i := 0; i < len(parts); i++ {
		name, value, found := strings.Cut(strings.Trim(parts[i], " \t"), "=")
		if !f.explode {
			if i++; i == len(parts) {
				return nil
			}
			name, value, found = strings.Trim(parts[i-1], " \t"), strings.Trim(parts[i], " \t"), true
		}
		if !found {
			return nil
		}
		sub := s.Extra
		if p := s.Property(name); p != nil {
			sub = p.Schema
		}
		out.Members = append(out.Members, jsontree.Member{Name: name, Value: f.value(sub, value, depth+1)})
	}
	return out
}
