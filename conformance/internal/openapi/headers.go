package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Header is a documented header field of an answer. Its style is simple (OpenAPI
// 3.1, 4.8.21).
type Header struct {
	Name     string
	Pointer  string // of the header object
	Required bool
	// Explode says how the members of an object are written.
	Explode bool
	// Media is the media type of a header with content instead of a schema.
	Media string
	// Shape is nil if the document has no schema.
	Shape *Shape
}

// headers reads the documented header fields of an answer.
func (l *loader) headers(name, response string) []*Header {
	v := l.root.At(response + "/headers")
	if v == nil {
		return nil
	}
	var out []*Header
	for _, m := range v.Members {
		if strings.EqualFold(m.Name, "Content-Type") {
			continue // it is ignored (OpenAPI 3.1, 4.8.17): content documents it
		}
		if framingField(m.Name) {
			l.leaveOut("%s: answer header %s is not judged: HTTP decides when it is there", name, shown(m.Name))
			continue
		}
		pointer, h := l.resolve(response + "/headers/" + jsontree.EscapePointer(m.Name))
		if h == nil {
			continue
		}
		one, err := l.header(name, m.Name, pointer, h)
		if err != nil {
			l.skip(name+": answer header "+shown(m.Name)+" is not judged", err)
			continue
		}
		out = append(out, one)
	}
	return out
}

func (l *loader) header(operation, name, pointer string, h *jsontree.Value) (*Header, error) {
	one := &Header{Name: name, Pointer: pointer}
	one.Required = isTrue(h.Get("required"))
	one.Explode = isTrue(h.Get("explode"))
	at := pointer + "/schema"
	if content := h.Get("content"); content != nil && len(content.Members) > 0 {
		one.Media = content.Members[0].Name
		at = pointer + "/content/" + jsontree.EscapePointer(one.Media) + "/schema"
		if !IsJSON(one.Media) {
			l.leaveOut("%s: the value of answer header %s is not judged: it is %s", operation, shown(name), shown(one.Media))
			return one, nil
		}
	}
	var err error
	if one.Shape, err = l.shape(Answers, at); err != nil || one.Shape == nil {
		return one, err
	}
	refers := oneField(name, "Location", "Content-Location")
	if ownSyntax(name) && !(one.Shape.Schema.Format == "uri-reference" && refers) {
		// A format would contradict HTTP, which says what such a field looks like. But what
		// is not even a reference is no URI either.
		if one.Shape.Schema.Format != "uri" || !refers {
			one.Shape.Schema.Source = one.Shape.Schema.Source.without("format")
		}
		one.Shape.exact, err = l.js.compileUnder(formless, Answers, one.Shape.pointer)
	}
	return one, err
}

func isTrue(v *jsontree.Value) bool { return v != nil && v.Kind == jsontree.Bool && v.Bool }

// framingField reports whether the connection decides about a field, so that a
// document cannot ask for it (RFC 9110, 7.6.1 and 8.6; RFC 9112, 6; RFC 9110, 8.4).
func framingField(name string) bool {
	return oneField(name, "Content-Length", "Transfer-Encoding", "Content-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Proxy-Connection")
}

// ownSyntax reports whether HTTP says what the value of a field looks like, such as
// a date of its own form or a relative reference (RFC 9110, 5.6.7, 8.7, 8.8, 10.2).
func ownSyntax(name string) bool {
	return oneField(name, "Date", "Expires", "Last-Modified", "Retry-After", "Sunset", "Deprecation", "Location", "Content-Location", "ETag", "Link")
}

// oneField reports whether a name is one of some header fields.
func oneField(name string, fields ...string) bool {
	return slices.ContainsFunc(fields, func(one string) bool { return strings.EqualFold(one, name) })
}
