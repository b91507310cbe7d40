package serialize

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

const (
	urlencoded = "application/x-www-form-urlencoded"
	multipart  = "multipart/form-data"
	binary     = "application/octet-stream"
	text       = "text/plain"
)

// Supports reports whether Write and Read know the media type, which may be a range
// such as "image/*". They do not know types with a structure of their own. Texts and
// images are one value.
func SupportsForm(media string) bool {
	media = bare(media)
	kind, sub, ok := strings.Cut(media, "/")
	switch {
	case !ok || sub == "" || openapi.IsJSON(media):
		return false
	case media == urlencoded || media == multipart:
		return true
	case kind == "multipart" || kind == "message" || kind == "*" || sub == "*" && kind == "application", media == "text/xml":
		return false
	case slices.Contains([]string{"text", "image", "audio", "video", "font"}, kind):
		return true
	}
	words := strings.FieldsFunc(sub, func(c rune) bool { return c == '+' || c == '.' || c == '-' })
	return !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(structured(), word) })
}

// structured are the words in the names of media types that hold trees or records.
func structured() []string {
	return []string{"json", "json5", "jsonl", "ndjson", "seq", "xml", "yaml", "cbor", "msgpack", "messagepack", "bson", "protobuf", "proto", "grpc", "thrift", "avro", "graphql", "toml", "soap"}
}

// bare returns a media type without parameters, in lower case.
func bare(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// concrete returns a media type to send: the first of a list, and one of a range.
func concrete(media string) string {
	media, _, _ = strings.Cut(media, ",")
	media = strings.TrimSpace(media)
	switch kind, sub, _ := strings.Cut(bare(media), "/"); {
	case sub != "*":
		return media
	case kind == "image":
		return "image/png"
	case kind == "text":
		return text
	case kind == "audio" || kind == "video":
		return kind + "/mp4"
	}
	return binary
}

// Usual reports whether Write gives these bytes such a content type: with a boundary for
// parts, with a charset for a text that is not ASCII.
func Usual(media, contentType string, body []byte) bool {
	_, params, _ := strings.Cut(contentType, ";")
	name, value, _ := strings.Cut(strings.TrimSpace(params), "=")
	switch {
	case bare(media) == multipart:
		return strings.HasPrefix(contentType, concrete(media)+";") && name == "boundary" && value != "" && !strings.Contains(value, ";")
	case contentType == media, contentType == concrete(media):
		return true
	case !strings.HasPrefix(contentType, concrete(media)+";"):
		return false
	}
	return IsText(media) && params == " charset=utf-8" && !ascii(string(body))
}

// ContentType returns the content type of the documented media type that goes with
// the bytes of a body, whatever the request says.
func ContentType(media string, body []byte) string {
	if bare(media) != multipart {
		return concrete(media)
	}
	line, _, _ := bytes.Cut(body, []byte("\r\n"))
	boundary, _ := bytes.CutPrefix(line, []byte("--"))
	return multipart + "; boundary=" + string(boundary)
}

// Matches reports whether a content type is one of a list of media types and ranges,
// apart from parameters.
func MatchesMedia(list, contentType string) bool {
	have := bare(contentType)
	for one := range strings.SplitSeq(list, ",") {
		kind, sub, _ := strings.Cut(bare(one), "/")
		if have == kind+"/"+sub || kind == "*" || sub == "*" && strings.HasPrefix(have, kind+"/") {
			return true
		}
	}
	return false
}

// odd returns why a server may misread a content type, or an empty string.
func odd(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	switch charset := strings.ToLower(params["charset"]); {
	case err != nil:
		return "content type with a bad parameter"
	case charset != "" && charset != "utf-8" && charset != "us-ascii":
		return "charset " + charset
	}
	return ""
}

// Write returns the bytes of a body and the value of its Content-Type. Encoding says
// how the properties of a form are written; the others have the default of their type.
// A member that the schema does not name is written like one without a schema. The
// content type is also returned with an error, for a body that is written by other
// means.
func WriteFormBody(media string, of *schema.Schema, encoding map[string]openapi.Encoding, v *jsontree.Value) (body []byte, contentType string, err error) {
	contentType = concrete(media)
	switch bare(media) {
	case urlencoded:
		contentType = urlencoded
	case multipart:
		contentType = multipart + "; boundary=" + boundaryStem
	}
	switch {
	case !SupportsForm(media):
		return nil, contentType, fmt.Errorf("cannot write a body of %s: remove the media type", media)
	case v == nil:
		return nil, contentType, errors.New("a body without a value: give one")
	}
	switch bare(media) {
	case urlencoded:
		body, err = writePairs(of, encoding, v)
		return body, contentType, err
	case multipart:
		body, boundary, err := writeParts(of, encoding, v)
		return body, multipart + "; boundary=" + boundary, err
	}
	if !IsText(media) {
		if v.Kind != jsontree.String || v.Raw != "" {
			return nil, contentType, fmt.Errorf("cannot write a value of type %s as %s: send a string with the bytes", v.Kind, media)
		}
		return []byte(v.Text), contentType, nil
	}
	content, err := Scalar(v)
	if err != nil {
		return nil, contentType, fmt.Errorf("cannot write a body of %s: %w", media, err)
	}
	if bare(contentType) == contentType && !ascii(content) {
		contentType += "; charset=utf-8"
	}
	return []byte(content), contentType, nil
}

// IsText reports whether a body of a media type is a text, and no bytes of any kind.
func IsText(media string) bool { return MatchesMedia("text/*", media) }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// writePairs writes a form as pairs of names and values.
func writePairs(of *schema.Schema, encoding map[string]openapi.Encoding, v *jsontree.Value) ([]byte, error) {
	if v.Kind != jsontree.Object {
		return nil, fmt.Errorf("cannot write a value of type %s as a form: send an object", v.Kind)
	}
	list := make([]*openapi.Parameter, 0, len(v.Members))
	values := jsontree.NewObject()
	for _, m := range v.Members {
		p := field(of, encoding, m.Name)
		// Without a schema, the value itself says how it is written.
		set := p.Media != "" || encoding[m.Name].Style != ""
		if p.Schema == nil && !set && m.Value != nil && m.Value.Kind == jsontree.Object {
			p.Media = "application/json"
		}
		list = append(list, p)
		if !set && m.Value != nil && m.Value.Kind == jsontree.Array {
			items, err := jsonItems(m.Value)
			if err != nil {
				return nil, fmt.Errorf("property %q: %w", m.Name, err)
			}
			m.Value = items
		}
		values.Members = append(values.Members, m)
	}
	out, err := WriteForm(list, values)
	return []byte(out), err
}

// jsonItems returns an array with its objects as JSON texts.
func jsonItems(v *jsontree.Value) (*jsontree.Value, error) {
	out := jsontree.NewArray()
	for _, item := range v.Items {
		switch {
		case item != nil && item.Kind == jsontree.Object:
			item = jsontree.NewString(string(item.Emit()))
		case item != nil && item.Kind == jsontree.Array:
			return nil, errors.New("an array inside an array has no text: send a flat one")
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// field returns a property as a parameter of a query (OpenAPI 3.1, 4.8.15.1). An
// object whose encoding is not given is one JSON text.
func field(of *schema.Schema, encoding map[string]openapi.Encoding, name string) *openapi.Parameter {
	s, _ := Member(of, name)
	p := &openapi.Parameter{Name: name, In: "query", Style: "form", Explode: true, Schema: s}
	switch e := encoding[name]; {
	case openapi.IsJSON(concrete(e.Media)):
		p.Media = "application/json"
	case e.Style != "":
		p.Style, p.Explode, p.AllowReserved = e.Style, e.Explode, e.AllowReserved
	case objectAlone(s):
		p.Media = "application/json"
	}
	return p
}

func objectAlone(s *schema.Schema) bool {
	single, list, object := Holds(s)
	return object && !single && !list
}

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
	return !encoded && (isBinary(s) || !IsText(media) && !openapi.IsJSON(media))
}
