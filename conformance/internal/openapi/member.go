package openapi

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// Member is a part of a request that has a name: a member of the body or a
// parameter. Its path is a JSON pointer for the body ("/name"), and begins with the
// section for a parameter ("query/limit").
type Member struct {
	*Property
	Path string
}

// Members returns the members of the request: those of the body in document order,
// and the parameters.
func (o *Operation) Members() []Member {
	var out []Member
	if o.Body != nil {
		for _, p := range o.Body.Shape.Schema.Properties {
			out = append(out, Member{p, "/" + jsontree.EscapePointer(p.Name)})
		}
	}
	if o.Params != nil {
		for _, in := range o.Params.Schema.Properties {
			for _, p := range in.Schema.Properties {
				out = append(out, Member{p, in.Name + "/" + jsontree.EscapePointer(p.Name)})
			}
		}
	}
	return out
}

// HasMember reports whether a path is that of one of the members.
func (o *Operation) HasMember(path string) bool {
	section, token, nested := strings.Cut(path, "/")
	name, valid := jsontree.UnescapePointer(token)
	if !nested || !valid || jsontree.EscapePointer(name) != token {
		return false
	}
	var s *Schema
	switch {
	case section == "" && o.Body != nil:
		s = o.Body.Shape.Schema
	case section != "" && o.Params != nil:
		if in := o.Params.Schema.Property(section); in != nil {
			s = in.Schema
		}
	}
	return s != nil && s.Property(name) != nil
}

// Optional returns the members that a request may leave out.
func (o *Operation) Optional() []Member {
	var out []Member
	for _, m := range o.Members() {
		if !m.Required && !m.Schema.ReadOnly {
			out = append(out, m)
		}
	}
	return out
}

// At returns the value at a path of the request: of the body or of a parameter. It
// is nil if there is none.
func (r *Reading) At(path string) *jsontree.Value {
	if r != nil && path != "" && !strings.HasPrefix(path, "/") {
		return r.Values.At("/" + path)
	}
	return r.Root().At(path)
}

// Defaulted returns the optional members of the body that have a default, and that a
// documented success in JSON has too.
func (o *Operation) Defaulted() []Member {
	var out []Member
	if o.Body == nil {
		return nil
	}
	for _, m := range o.Optional() {
		if strings.HasPrefix(m.Path, "/") && m.Schema.Default != nil && !m.Schema.WriteOnly && o.answers(m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// answers reports whether a documented success has a member of this name.
func (o *Operation) answers(name string) bool {
	for _, r := range o.Documented(2) {
		for _, m := range r.Media {
			if m.Shape != nil && m.Shape.Schema.Property(name) != nil {
				return true
			}
		}
	}
	return false
}
