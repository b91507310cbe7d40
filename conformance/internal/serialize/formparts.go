package serialize

import (
	"bytes"
	"fmt"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// part is one part of a multipart body.
type part struct {
	name     string
	named    bool
	filename bool
	media    string // its Content-Type
	content  string
}

// boundaryStem is the boundary, unless a part holds it.
const boundaryStem = "form-boundary"

// writeParts writes a form as parts (RFC 7578). The items of an array are parts of
// their own with the same name. It returns the boundary too.
func writeParts(of *schema.Schema, encoding map[string]openapi.Encoding, v *jsontree.Value) ([]byte, string, error) {
	if v.Kind != jsontree.Object {
		return nil, boundaryStem, fmt.Errorf("cannot write a value of type %s as a form: send an object", v.Kind)
	}
	var heads, contents []string
	for _, m := range v.Members {
		s, _ := Member(of, m.Name)
		e := encoding[m.Name]
		values := []*jsontree.Value{m.Value}
		if m.Value != nil && m.Value.Kind == jsontree.Array && m.Value.Raw == "" {
			values = m.Value.Items
		}
		for i, value := range values {
			own := s
			if m.Value.Kind == jsontree.Array {
				own = Item(s, i)
			}
			head, content, err := writePart(m.Name, own, e, value)
			if err != nil {
				return nil, boundaryStem, fmt.Errorf("property %q: %w", m.Name, err)
			}
			heads, contents = append(heads, head), append(contents, content)
		}
	}
	boundary := boundaryStem
	for n := 0; strings.Contains(strings.Join(contents, "\n"), boundary); n++ {
		boundary = fmt.Sprintf("%s-%d", boundaryStem, n)
	}
	var b bytes.Buffer
	for i := range heads {
		b.WriteString("--" + boundary + "\r\n" + heads[i] + "\r\n" + contents[i] + "\r\n")
	}
	b.WriteString("--" + boundary + "--\r\n")
	return b.Bytes(), boundary, nil
}

// writePart returns the head and the content of one part.
func writePart(name string, s *schema.Schema, e openapi.Encoding, v *jsontree.Value) (head, content string, err error) {
	if strings.ContainsAny(name, "\"\\\r\n\x00") {
		return "", "", fmt.Errorf("the name of a part cannot hold %q: choose another one", name)
	}
	if e.Media == "" && e.Style != "" && (e.Style != "form" || !e.Explode) {
		return "", "", fmt.Errorf("style %s is not written in a part: give a contentType", e.Style)
	}
	media := mediaOf(s, e, v)
	switch {
	case openapi.IsJSON(media) && v != nil && (e.Media != "" || v.Kind == jsontree.Object):
		content = string(v.Emit())
	default:
		if content, err = Scalar(v); err != nil {
			return "", "", err
		}
	}
	file := isFile(s, media)
	if file && v.Kind != jsontree.String {
		return "", "", fmt.Errorf("a file is no value of type %s: send a string with the bytes", v.Kind)
	}
	head = "Content-Disposition: form-data; name=\"" + name + "\""
	if file {
		head += "; filename=\"file\""
	}
	if head += "\r\n"; media != text {
		head += "Content-Type: " + media + "\r\n"
	}
	for _, h := range e.Headers {
		value, err := fixed(h)
		if err != nil {
			return "", "", err
		}
		if value != "" {
			head += h.Name + ": " + value + "\r\n"
		}
	}
	return head, content, nil
}

// fixed returns the value that the document gives for a header of a part: a tree has no
// place for it. It is empty for an optional header without one.
func fixed(h *openapi.Parameter) (string, error) {
	v := (*jsontree.Value)(nil)
	if h.Schema != nil {
		if v = h.Schema.Const; v == nil && len(h.Schema.Enum) > 0 {
			v = h.Schema.Enum[0]
		}
	}
	switch {
	case v == nil && !h.Required:
		return "", nil
	case v == nil:
		return "", fmt.Errorf("the header %s of a part has no value: give it an enum", h.Name)
	}
	got, err := WriteParameters("", []*openapi.Parameter{h}, jsontree.NewObject(jsontree.M("header", jsontree.NewObject(jsontree.M(h.Name, v)))))
	if err != nil || len(got.Header) == 0 {
		return "", err
	}
	return got.Header[0].Value, nil
}

// mediaOf returns the media type of a part: what the encoding says, else the default
// of its type (OpenAPI 3.1, 4.8.15.1).
func mediaOf(s *schema.Schema, e openapi.Encoding, v *jsontree.Value) string {
	switch {
	case e.Media != "":
		return concrete(e.Media)
	case v != nil && v.Kind == jsontree.Object || v == nil && objectAlone(s):
		return "application/json"
	case isBinary(s):
		return binary
	}
	return text
}

// isBinary reports whether a property holds bytes: OpenAPI 3.0 has a format for it,
// 3.1 keywords.
func isBinary(s *schema.Schema) bool {
	if s == nil {
		return false
	}
	absent := s.Types == nil && s.Type() == "" && s.Enum == nil && s.Const == nil && len(s.AnyOf)+len(s.OneOf) == 0
	return absent || s.Format == "binary" || s.Source.Has("contentMediaType") || s.Source.Has("contentEncoding")
}

// isFile reports whether a part is a file.
func isFile(s *schema.Schema, media string) bool {
	encoded := s != nil && s.Source.Has("contentEncoding")
	return !encoded && (isBinary(s) || !isTextMedia(media) && !openapi.IsJSON(media))
}
