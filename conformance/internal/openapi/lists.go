package openapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// Listing is how an operation lists resources: where an answer has them, and which
// parameters choose among them. What an operation does not have is nil or empty.
type Listing struct {
	// Items is the JSON pointer of the array in an answer; empty if the answer is one.
	Items string
	// Item is the schema of an item.
	Item *schema.Schema
	// Key is the member of an item that no other item has the same value of.
	Key string

	// Limit bounds the number of items.
	Limit *Parameter
	// Offset skips items, Page skips pages, and Cursor continues an earlier page.
	Offset, Page, Cursor *Parameter
	// First is the offset of the first item, or the number of the first page.
	First int64
	// Guessed reports whether First is not documented: pages may count from 0 or 1.
	Guessed bool
	// Next is the JSON pointer of the member whose value continues a page, NextField the
	// name of such a header field. If both are empty, the key of the last item does.
	Next, NextField string
	// Total is the JSON pointer of the member that counts the items of all pages,
	// TotalField the name of such a header field.
	Total, TotalField string
	// CountsAll is a text that says that it counts the items of all pages; nil if none says so.
	CountsAll *report.Evidence

	Filters []Filter
	Orders  []Order

	// Few and Many are valid limits: several pages of few items, and one of many.
	Few, Many int64
	// Promised names what the requirements file makes a MUST.
	Promised []string
}

// Filter is a parameter that keeps out items whose member has another value, or a value on
// the wrong side of its own.
type Filter struct {
	Parameter *Parameter
	// At is the JSON pointer of the value in the parameter, if that is an object.
	At     string
	Member string
	// Bound says whether the members of the items are at least or at most the value.
	Bound Bound
	// Of says which of several values an item must have: all or any of them. It is empty
	// if that is not known.
	Of string
}

// Bound is the side of a value on which the members of items are. Whether they may be the
// value itself is not said.
type Bound int

// The sides: the zero value stands for the value alone.
const (
	Same Bound = iota
	Min
	Max
)

// Name returns the name of the parameter, and that of the member in it: budget[min].
func (f *Filter) Name() string {
	if f.At == "" {
		return f.Parameter.Name
	}
	return f.Parameter.Name + "[" + f.inside() + "]"
}

// Place returns where a message has the value.
func (f *Filter) Place() string { return f.Parameter.Place() + f.At }

// Schema returns the schema of the value.
func (f *Filter) Schema() *schema.Schema {
	if f.At != "" {
		return f.Parameter.Schema.Property(f.inside()).Schema
	}
	return f.Parameter.Schema
}

func (f *Filter) inside() string {
	name, _ := jsontree.UnescapePointer(strings.TrimPrefix(f.At, "/")) // it was escaped
	return name
}

// Order is a value of a parameter that sorts the items by a member.
type Order struct {
	Parameter *Parameter
	Value     *jsontree.Value
	// Direction, if not nil, has Way as its value.
	Direction *Parameter
	Way       *jsontree.Value
	Member    string
	Down      bool
}

// Follows returns the parameter that leads from one page to the next, or nil.
func (l *Listing) Follows() *Parameter {
	switch {
	case l.Offset != nil:
		return l.Offset
	case l.Page != nil:
		return l.Page
	}
	return l.Cursor
}

// UsualPage is the largest page size that a server has to take where the document has no maximum.
const UsualPage = 100

// Bounds reports whether a schema is that of the parameter for the page size, and has no maximum.
func (l *Listing) Bounds(s *schema.Schema) bool {
	return l != nil && l.Limit != nil && l.Limit.Schema == s && s.Maximum == "" && s.Below == "" && s.Enum == nil
}

// longPage returns the place of the page size if it is larger than UsualPage, or an empty text.
func (op *Operation) longPage(r *schema.Reading) string {
	l := op.Listing
	if l == nil || l.Limit == nil || !l.Bounds(l.Limit.Schema) {
		return ""
	}
	path := "/" + l.Limit.Place()
	if v := r.Root().At(path); v == nil || v.Kind != jsontree.Number || jsontree.Compare(v.Text, strconv.Itoa(UsualPage)) <= 0 {
		return ""
	}
	return path
}

// Place returns where a message has the parameter: in the section of its name.
func (p *Parameter) Place() string { return p.In + "/" + jsontree.EscapePointer(p.Name) }

// takesExpression reports whether the parameter at a path, such as /query/filter, takes an expression,
// and the document does not say which texts there are.
func (op *Operation) takesExpression(path string) bool {
	p := op.queryAt(path)
	return p != nil && hints.Called(p.Name, hints.Expression) &&
		p.Schema.Type() == "string" && p.Schema.Enum == nil && p.Schema.Const == nil && p.Schema.Pattern == ""
}

// queryAt returns the parameter at a path, such as /query/after, or nil.
func (op *Operation) queryAt(path string) *Parameter {
	for _, p := range op.Parameters {
		if p.In == "query" && "/"+p.Place() == path && p.Schema != nil {
			return p
		}
	}
	return nil
}

// continues reports whether the parameter at a path, such as /query/after, continues an
// earlier page of a list, so that its values come from answers.
func (op *Operation) continues(path string) bool {
	if op.Listing == nil {
		return false
	}
	p := op.queryAt(path)
	return p != nil && (p == op.Listing.Cursor || hints.Called(p.Name, hints.Continues) && p.Schema.HoldsKeys())
}

// elsewhere are the places of parameters whose values say which resource is meant, or in
// which state: another valid value may name what is not there. The conditions are
// those of RFC 9110, 13.1 and 14.2.
var elsewhere = []string{"/path/", "/header/if-match", "/header/if-none-match", "/header/if-modified-since", "/header/if-unmodified-since", "/header/if-range", "/header/range"}

// Elsewhere makes valid parameters of a request may-refuse that name another resource
// than the baseline request, or a page that none of the bound values is from. The value that the
// target gave is not unusual, also where the baseline request has none.
func (op *Operation) Elsewhere(r *schema.Reading, bound map[string]*jsontree.Value) {
	r.Unusual = slices.DeleteFunc(slices.Clone(r.Unusual), func(path string) bool {
		v := r.Root().At(path)
		return v != nil && bound[path] != nil && jsontree.Equal(v, bound[path])
	})
	for _, path := range r.Unusual {
		if several(r.Root().At(path)) && bound[path] == nil {
			continue // how many there are says nothing of which; each of them is another place
		}
		if bound[path] == nil && op.takesExpression(path) {
			r.MayRefuse(path, "a text that may need a grammar")
		}
		if strings.HasPrefix(path, "/path/") && op.lists(path) {
			continue // an answer may still say that nothing is there
		}
		if bound[path] == nil && op.continues(path) || slices.ContainsFunc(elsewhere, func(at string) bool {
			return strings.HasPrefix(strings.ToLower(path)+"/", at) || strings.ToLower(path) == at
		}) {
			r.MayRefuse(path, "another thing")
		}
	}
	if path := op.longPage(r); path != "" && bound[path] == nil {
		r.MayRefuse(path, "a long page")
	}
	if op.Method == http.MethodGet || op.Method == http.MethodHead {
		return
	}
	for _, p := range op.Parameters {
		path := "/" + p.In + "/" + jsontree.EscapePointer(p.Name)
		if p.In != "path" && hints.IsVersion(p.Name) && bound[path] == nil && r.Root().At(path) != nil {
			r.MayRefuse(path, "another state")
		}
	}
}

// lists reports whether the document lists the values of a path parameter. For a DELETE that does not
// count: another value may name what belongs to somebody.
func (op *Operation) lists(path string) bool {
	s := op.Params.Schema.At(path)
	return s != nil && s.Enum != nil && op.Method != http.MethodDelete
}

func several(v *jsontree.Value) bool { return v != nil && v.Kind == jsontree.Array && len(v.Items) > 1 }
