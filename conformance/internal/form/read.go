package form

import (
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/parameter"
)

// Reading is what the bytes of a body say.
type Reading struct {
	Value *jsontree.Value
	// Reasons say why a server may refuse a value or read it otherwise, with paths
	// such as "/name".
	Reasons []contract.Reason
	// Malformed says why it is no body of the media type.
	Malformed error
	// Ambiguous reports whether servers may read it in different ways. A reason says
	// where.
	Ambiguous bool
}

// Read reads what Write writes, and anything else.
func Read(media string, schema *contract.Schema, encoding map[string]contract.Encoding, contentType string, body []byte) *Reading {
	r := &Reading{}
	switch {
	case !Supports(media):
		r.Malformed = fmt.Errorf("cannot read a body of %s: remove the media type", media)
		return r
	case contentType == "":
		r.because("", "no content type")
		contentType = concrete(media)
	case !Matches(media, contentType):
		r.Malformed = fmt.Errorf("content type %s, not %s: send the documented one", jsontree.Cut(contentType, longestShown), media)
		return r
	}
	if what := odd(contentType); what != "" {
		r.because("", what)
	}
	switch {
	case bare(media) == urlencoded:
		r.pairs(schema, encoding, string(body))
	case bare(media) == multipart:
		_, params, err := mime.ParseMediaType(contentType)
		if err != nil {
			_, params, _ = mime.ParseMediaType(ContentType(media, body)) // the parameter is odd, and the reason is given
		}
		r.multipart(schema, encoding, params["boundary"], string(body))
	case isText(media):
		r.Value = r.text(schema, string(body), "")
	default:
		r.Value = jsontree.NewString(string(body))
	}
	return r
}

const (
	longestShown = 100
	mostReasons  = 256
)

// because adds a reason, once.
func (r *Reading) because(path, what string) {
	reason := contract.Reason{Path: path, What: what}
	if len(r.Reasons) < mostReasons && !slices.Contains(r.Reasons, reason) {
		r.Reasons = append(r.Reasons, reason)
	}
}

func (r *Reading) ambiguous(path, what string) {
	r.Ambiguous = true
	r.because(path, what)
}

// text reads a text by its schema.
func (r *Reading) text(s *contract.Schema, content, path string) *jsontree.Value {
	if strings.HasPrefix(content, "\uFEFF") {
		r.because(path, "byte order mark")
	}
	if !utf8.ValidString(content) {
		r.because(path, "invalid UTF-8")
	}
	v, reasons := parameter.Text(s, content)
	for _, what := range reasons {
		r.because(path, what)
	}
	return v
}

func (r *Reading) json(s *contract.Schema, content, path string) *jsontree.Value {
	v, reasons := parameter.JSON(s, content)
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
func (r *Reading) pairs(schema *contract.Schema, encoding map[string]contract.Encoding, body string) {
	if body == "" {
		r.because("", "an empty form") // which is no body for many readers
	}
	var list []*contract.Parameter
	for _, name := range parameter.Names(schema) {
		list = append(list, field(schema, encoding, name))
	}
	got := parameter.ReadForm(list, body)
	if len(got.Unknown) > 0 {
		for _, path := range got.Unknown {
			name, _ := jsontree.UnescapePointer(path[1:])
			list = append(list, field(schema, encoding, name))
		}
		if got = parameter.ReadForm(list, body); len(got.Unknown) > 0 {
			r.because("", "many unknown names")
		}
	}
	r.Value, r.Ambiguous = got.Values, got.Ambiguous
	r.Reasons = append(r.Reasons, got.Reasons...)
	for i, m := range r.Value.Members {
		path := "/" + jsontree.EscapePointer(m.Name)
		s, _ := parameter.Member(schema, m.Name)
		if e := encoding[m.Name]; e.Style != "" || contract.IsJSON(concrete(e.Media)) {
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
func (r *Reading) jsonItems(s *contract.Schema, v *jsontree.Value, path string) *jsontree.Value {
	out := jsontree.NewArray()
	for i, item := range v.Items {
		if own := parameter.Item(s, i); own != nil && objectAlone(own) && item.Kind == jsontree.String {
			r.ambiguous(path, "objects in a form without an encoding")
			item = r.json(own, item.Text, path+"/*")
		}
		out.Items = append(out.Items, item)
	}
	return out
}
