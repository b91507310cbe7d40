package openapi

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// OwnHeader reports whether this suite writes a request field itself, so that a
// document or a user cannot set it. Authorization is not such a field: a document may
// name it for a key.
func OwnHeader(name string) bool {
	return oneField(name, "Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Accept", "User-Agent", "Expect", "Connection",
		"Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade", "X-Conformance-Case")
}

// sendable returns a fault of a scheme whose key cannot be sent in its place.
func sendable(pointer string, scheme *jsontree.Value) error {
	if scheme.TextAt("/type") != "apiKey" {
		return nil
	}
	name, in := scheme.TextAt("/name"), scheme.TextAt("/in")
	switch {
	case name == "":
		return bad(pointer+"/name", "a key needs a name")
	case in == "header" && !exchange.IsToken(name):
		return bad(pointer+"/name", "%s is not a header name (RFC 9110, 5.6.2): use letters, digits and hyphens", shown(name))
	case in == "header" && OwnHeader(name):
		return beyond(pointer+"/name", "header %s is the suite's own: a key needs another one", name)
	case in == "cookie" && !exchange.IsToken(name):
		return bad(pointer+"/name", "%s is not a cookie name (RFC 6265, 4.1.1): use letters, digits and hyphens", shown(name))
	}
	return nil
}

// badPath returns why a path cannot be in a request, which allows "/" and pchars
// (RFC 3986, 3.3), and template expressions (OpenAPI 3.1, 4.8.8).
func badPath(path string) string {
	if !strings.HasPrefix(path, "/") {
		return `does not begin with "/"`
	}
	const others = "/-._~!$&'()*+,;=:@"
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(others, c) >= 0:
		case c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]):
		case c == '{':
			n := strings.IndexAny(path[i+1:], "{}/?#")
			if n < 1 || path[i+1+n] != '}' {
				return "has a brace without its other half"
			}
			i += n + 1
		case c == '}':
			return "has a brace without its other half"
		default:
			return "holds " + shown(string([]rune(path[i:])[:1])) + ", which is not allowed in a path (RFC 3986, 3.3): percent-encode it"
		}
	}
	return ""
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// strange names the members of a path item that OpenAPI does not define. They may be
// meant as methods.
func (l *loader) strange(pointer string) {
	item := l.root.At(pointer)
	_, known := l.methodsOf(item)
	for _, m := range item.Members {
		if slices.Contains(known, "/"+jsontree.EscapePointer(m.Name)) || m.Name == "additionalOperations" && strings.HasPrefix(l.c.OpenAPI, "3.2") || strings.HasPrefix(m.Name, "x-") ||
			slices.Contains([]string{"$ref", "summary", "description", "servers", "parameters"}, m.Name) {
			continue
		}
		l.leaveOut("%s: %s is not a member of a path item: OpenAPI has %s", shown(l.c.Clause(pointer)), shown(m.Name), strings.Join(methods, ", "))
	}
}

// shown returns a name of the document in one line of limited length.
func shown(name string) string { return exchange.Visible([]byte(jsontree.Cut(name, 200))) }

// nearer returns the paths of the document that a request to a template could spell, and that have
// text where the template has an expression.
func (l *loader) nearer(template string) []string {
	if !strings.Contains(template, "{") {
		return nil
	}
	var out []string
	own := strings.Split(template, "/")
	for _, p := range l.root.Get("paths").Members {
		path, _, _ := strings.Cut(p.Name, "#")
		more, segments := false, strings.Split(path, "/")
		if badPath(path) != "" || len(segments) != len(own) || !slices.EqualFunc(segments, own, func(a, b string) bool {
			more = more || literals(a) > literals(b)
			return a == b || strings.Contains(a, "{") || strings.Contains(b, "{")
		}) {
			continue
		}
		if more && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// literals ranks a segment of a path: an expression, one with text beside it, text alone.
func literals(segment string) int {
	switch open, end := strings.IndexByte(segment, '{'), strings.IndexByte(segment, '}'); {
	case open < 0:
		return 2
	case open > 0 || end < len(segment)-1:
		return 1
	}
	return 0
}

// Read reads the lines of a header field and judges their value. It returns nil
// if the document has no schema.
//
// A field is text, so its value is what the schema takes it for: a number, true or
// false, a list with commas, otherwise a string. If no reading keeps the schema, the
// first is judged.
func (h *Header) Read(lines []string) *schema.Reading {
	if h.Shape == nil || len(lines) == 0 {
		return nil
	}
	if strings.EqualFold(h.Name, "Set-Cookie") && !h.Shape.Schema.Allows("array") {
		// Its lines cannot be joined (RFC 9110, 5.3): each is a value.
		r := h.read(lines[0])
		for _, line := range lines[1:] {
			if r.Kind == schema.MustAccept {
				r = h.read(line)
			}
		}
		return r
	}
	return h.read(strings.Join(lines, ", "))
}

func (h *Header) read(text string) *schema.Reading {
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
	shape   *schema.Shape
	explode bool
}

const fieldDepth = 4

// value returns the first reading of a text that keeps the schema, else the first.
func (f fieldReader) value(s *schema.Schema, text string, depth int) *jsontree.Value {
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
func (f fieldReader) readings(s *schema.Schema, text string, depth int) []*jsontree.Value {
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
		for _, alt := range [][]*schema.Schema{s.OneOf, s.AnyOf} {
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
func (f fieldReader) array(s *schema.Schema, text string, depth int) *jsontree.Value {
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
func (f fieldReader) object(s *schema.Schema, text string, depth int) *jsontree.Value {
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
