package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// parts notes which bodies change a part of a thing, and what the document says of the
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
// they are: a PUT that needs none may leave them. Many documents change things with a POST at their
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
		for _, pair := range s.Pairs(schema) {
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
