package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
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

// parts notes which bodies change a part of a resource, and what the document says of the
// whole: in the answer that reads it, and in the bodies that replace and make it.
func (c *Contract) parts() {
	for _, op := range c.Rows() {
		if op.Body == nil || op.Body.Shape == nil || !changesPart(op) {
			continue
		}
		shape := op.Body.Shape
		shape.Part = true
		for _, o := range c.Operations {
			shape.Whole = append(shape.Whole, wholes(op, o)...)
		}
	}
}

// changesPart reports whether members that a request of the operation leaves out stay as
// they are: a PUT that needs none may leave them. Many documents change resources with a POST at their
// own path.
func changesPart(op *Operation) bool {
	return op.Method == http.MethodPatch || op.Method == http.MethodPut && !slices.ContainsFunc(op.Body.Shape.Schema.Properties, func(p *Property) bool { return p.Required }) ||
		op.Method == http.MethodPost && strings.HasSuffix(strings.TrimSuffix(op.Path, "/"), "}")
}

// wholes returns what another operation says of the whole thing that an operation changes.
func wholes(op, o *Operation) []*Schema {
	path, other := strings.TrimSuffix(op.Path, "/"), strings.TrimSuffix(o.Path, "/")
	collection := path
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		collection = path[:i]
	}
	switch {
	case o.Method == http.MethodGet && other == path:
		var out []*Schema
		for _, r := range o.Documented(2) {
			for _, m := range r.Media {
				if m.Shape != nil {
					out = append(out, m.Shape.Schema)
				}
			}
		}
		return out
	case o != op && o.Body != nil && o.Body.Shape != nil && (o.Method == http.MethodPut && other == path || o.Method == http.MethodPost && other == collection):
		return []*Schema{o.Body.Shape.Schema}
	}
	return nil
}

// wholeAt returns what the document says of the whole of the object at a path.
func (s *Shape) wholeAt(path string) []*Schema {
	var out []*Schema
	for _, whole := range s.Whole {
		for _, name := range strings.Split(path, "/")[1:] {
			plain, _ := jsontree.UnescapePointer(name) // it was escaped
			p := whole.Property(plain)
			if whole = nil; p == nil {
				break
			}
			whole = p.Schema
		}
		if whole != nil {
			out = append(out, whole)
		}
	}
	return out
}

// unpaired returns the name of the member that a member of a part has to agree with and that
// is not in that part, or "". The thing has it, and its value is not known. An item of a list
// is never a part: lists are replaced.
func (s *Shape) unpaired(of *Schema, v *jsontree.Value, m jsontree.Member, path string) string {
	if !s.Part || strings.Contains(path+"/", "/*/") || m.Value.Kind != jsontree.Number && m.Value.Kind != jsontree.String {
		return ""
	}
	for _, schema := range append([]*Schema{of}, s.wholeAt(path)...) {
		for _, pair := range s.Pairs(schema, false) {
			if other := pair.other(m.Name); !pair.Told && other != nil && v.Get(other.Name) == nil && !pair.agrees(m) {
				return other.Name
			}
		}
	}
	return ""
}

// incomplete returns the name of a member that an object inside a part lacks although the
// whole thing requires it, or "". The thing may have it already: that is not known.
func (s *Shape) incomplete(v *jsontree.Value, path string) string {
	if !s.Part || path == "" || strings.Contains(path+"/", "/*/") {
		return ""
	}
	for _, whole := range s.wholeAt(path) {
		for _, p := range whole.Properties {
			if p.Required && !p.Schema.ReadOnly && v.Get(p.Name) == nil {
				return p.Name
			}
		}
	}
	return ""
}

// other returns the member of a pair that is not the named one, or nil if the pair has no
// such member.
func (p Pair) other(name string) *Property {
	switch name {
	case p.Low.Name:
		return p.High
	case p.High.Name:
		return p.Low
	}
	return nil
}

// agrees reports whether a number agrees with every value of the other member of its pair.
func (p Pair) agrees(m jsontree.Member) bool {
	if m.Value.Kind != jsontree.Number {
		return false
	}
	if m.Name == p.Low.Name {
		return p.High.Schema.Minimum != "" && jsontree.Compare(m.Value.Text, p.High.Schema.Minimum) <= 0
	}
	return p.Low.Schema.Maximum != "" && jsontree.Compare(m.Value.Text, p.Low.Schema.Maximum) >= 0
}

// Unpaired reports whether nothing but what is stored may be a reason to refuse a valid
// value: it has one member of a pair alone.
func (r *Reading) Unpaired() bool {
	if r == nil {
		return false
	}
	for _, reason := range r.Reasons {
		if !strings.HasPrefix(reason.What, unpaired) {
			return false
		}
	}
	return r.Kind == MayRefuse && len(r.Reasons) > 0
}

const unpaired = "it has to agree with "

// UnknownKey is why a server may refuse a key that was made up.
const UnknownKey = "the key of something that may not exist"

// refers reports whether a member of an object at a path is the key of something that
// may not exist: userId, the id of an object inside the request, each of userIds, the
// cursor of a page, and what is named by the resource alone.
func refers(path string, m jsontree.Member, p *Property) bool {
	s := p.Schema
	inside := path != "" && !slices.Contains([]string{"/path", "/query", "/header", "/cookie"}, path)
	section := strings.TrimPrefix(path, "/")
	if inside {
		section = ""
	}
	switch {
	case path == "" && p.Resource != "":
		return true
	case m.Value.Kind == jsontree.Array:
		name, several := strings.CutSuffix(m.Name, "s")
		return several && len(m.Value.Items) > 0 && hints.RefersAt(section, name) != "" && s.Items != nil && names(s.Items)
	case inside && hints.Called(m.Name, hints.Key):
		return names(s)
	}
	return (hints.RefersAt(section, m.Name) != "" || hints.Called(m.Name, hints.Cursor)) && names(s)
}

// names reports whether values of a schema can be keys: texts and numbers that are no
// dates, times or amounts.
func names(s *Schema) bool {
	t := s.Type()
	return (t == "string" || t == "integer" || t == "") && s.Enum == nil && s.Const == nil && !Ordinary(s)
}

// Ordinary reports whether a schema describes values that name nothing.
func Ordinary(s *Schema) bool {
	return !s.Code.Identifies() || slices.Contains([]string{"date", "date-time", "time", "duration", "email", "byte", "binary"}, s.Format) ||
		s.Type() == "number" && !s.Whole() && s.Format != ""
}
