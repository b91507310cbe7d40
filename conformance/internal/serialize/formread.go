package serialize

import (
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Reading is what the bytes of a body say.
type FormReading struct {
	Value *jsontree.Value
	// Reasons say why a server may refuse a value or read it otherwise, with paths
	// such as "/name".
	Reasons []schema.Reason
	// Malformed says why it is no body of the media type.
	Malformed error
	// Ambiguous reports whether servers may read it in different ways. A reason says
	// where.
	Ambiguous bool
}

// Read reads what Write writes, and anything else.
func ReadFormBody(media string, of *schema.Schema, encoding map[string]openapi.Encoding, contentType string, body []byte) *FormReading {
	r := &FormReading{}
	switch {
	case !SupportsForm(media):
		r.Malformed = fmt.Errorf("cannot read a body of %s: remove the media type", media)
		return r
	case contentType == "":
		r.because("", "no content type")
		contentType = concrete(media)
	case !MatchesMedia(media, contentType):
		r.Malformed = fmt.Errorf("content type %s, not %s: send the documented one", jsontree.Cut(contentType, longestFormShown), media)
		return r
	}
	if what := odd(contentType); what != "" {
		r.because("", what)
	}
	switch {
	case bare(media) == urlencoded:
		r.pairs(of, encoding, string(body))
	case bare(media) == multipart:
		_, params, err := mime.ParseMediaType(contentType)
		if err != nil {
			_, params, _ = mime.ParseMediaType(ContentType(media, body)) // the parameter is odd, and the reason is given
		}
		r.multipart(of, encoding, params["boundary"], string(body))
	case isTextMedia(media):
		r.Value = r.text(of, string(body), "")
	default:
		r.Value = jsontree.NewString(string(body))
	}
	return r
}

const longestFormShown = 100

// because adds a reason, once.
func (r *FormReading) because(path, what string) {
	reason := schema.Reason{Path: path, What: what}
	if len(r.Reasons) < maxReasons && !slices.Contains(r.Reasons, reason) {
		r.Reasons = append(r.Reasons, reason)
	}
}

func (r *FormReading) ambiguous(path, what string) {
	r.Ambiguous = true
	r.because(path, what)
}

// text reads a text by its schema.
func (r *FormReading) text(s *schema.Schema, content, path string) *jsontree.Value {
	if strings.HasPrefix(content, "\uFEFF") {
		r.because(path, "byte order mark")
	}
	if !utf8.ValidString(content) {
		r.because(path, "invalid UTF-8")
	}
	v, reasons := Text(s, content)
	for _, what := range reasons {
		r.because(path, what)
	}
	return v
}

func (r *FormReading) json(s *schema.Schema, content, path string) *jsontree.Value {
	v, reasons := JSON(s, content)
	for _, what := range reasons {
		r.because(path, what)
	}
	if s != nil && v != nil && v.Kind == jsontree.String && (s.Type() == "object" || s.Type() == "array") {
		if _, err := jsontree.Parse([]byte(v.Text)); err == nil {
			r.ambiguous(path, "a JSON string that contains JSON") // servers may decode a part twice
		}
	}
	return v
}

// pairs reads a form of names and values.
func (r *FormReading) pairs(of *schema.Schema, encoding map[string]openapi.Encoding, body string) {
	if body == "" {
		r.because("", "an empty form") // which is no body for many readers
	}
	var list []*openapi.Parameter
	for _, name := range Names(of) {
		list = append(list, field(of, encoding, name))
	}
	got := ReadForm(list, body)
	if len(got.Unknown) > 0 {
		for _, path := range got.Unknown {
			name, _ := jsontree.UnescapePointer(path[1:])
			list = append(list, field(of, encoding, name))
		}
		if got = ReadForm(list, body); len(got.Unknown) > 0 {
			r.because("", "many unknown names")
		}
	}
	r.Value, r.Ambiguous = got.Values, got.Ambiguous
	r.Reasons = append(r.Reasons, got.Reasons...)
	for i, m := range r.Value.Members {
		path := "/" + jsontree.EscapePointer(m.Name)
		s, _ := Member(of, m.Name)
		if e := encoding[m.Name]; e.Style != "" || openapi.IsJSON(concrete(e.Media)) {
			continue
		}
		if s == nil && m.Value.Kind == jsontree.String && strings.HasPrefix(m.Value.Text, "{") {
			r.because(path, "a string or JSON")
		}
		if objectAlone(s) { // earlier versions of OpenAPI spread its members over pairs
			r.ambiguous(path, "an object in a form without an encoding")
		}
		if m.Value.Kind == jsontree.Array {
			r.Value.Members[i].Value = r.jsonItems(s, m.Value, path)
		}
	}
}

// jsonItems reads the items of an array that are JSON texts of objects.
func (r *FormReading) jsonItems(s *schema.Schema, v *jsontree.Value, path string) *jsontree.Value {
	out := jsontree.NewArray()
	for i, item := range v.Items {
		if own := Item(s, i); own != nil && objectAlone(own) && item.Kind == jsontree.String {
			r.ambiguous(path, "objects in a form without an encoding")
			item = r.json(own, item.Text, path+"/*")
		}
		out.Items = append(out.Items, item)
	}
	return out
}
