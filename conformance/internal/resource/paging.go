package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// FindPaging returns a contract whose operations have the listings that are found.
func FindPaging(c *openapi.Contract) *openapi.Contract {
	c = c.Copy()
	keys := map[*openapi.Operation]string{}
	for _, r := range All(c.Operations) {
		names := openapi.Expressions(r.Path)
		for _, op := range c.Operations {
			if len(names) > 0 && (op == r.List || r.SearchedAt(op)) {
				keys[op] = names[len(names)-1]
			}
		}
	}
	for _, op := range c.Operations {
		op.Listing = listing(c, op, keys[op])
	}
	return c
}

// listing returns how an operation lists resources, or nil if it does not look as if it
// did. Key is the name that the path of one thing has for its key.
func listing(c *openapi.Contract, op *openapi.Operation, key string) *openapi.Listing {
	answer := answerOf(op)
	if op.Method != http.MethodGet || answer == nil {
		return nil
	}
	at, item := itemsOf(answer)
	if item == nil {
		return nil
	}
	l := &openapi.Listing{Items: at, Item: item, Key: keyOf(item, key)}
	numbers := func(p *openapi.Parameter) bool { return p.Schema.Type() == "integer" }
	texts := func(p *openapi.Parameter) bool { return p.Schema.Type() == "string" }
	Limit(op, l, query(op, hints.Names(hints.Limit), numbers))
	if l.Limit != nil {
		if p := query(op, hints.Names(hints.Offset), numbers); p != nil {
			Offset(l, p)
		} else if p := query(op, hints.Names(hints.Page), numbers); p != nil {
			Numbered(l, p)
		}
		findNext(op, l, answer)
		if p := query(op, slices.Concat(hints.Names(hints.Cursor), hints.Names(hints.Onward)), texts); p != nil && l.Follows() == nil {
			Cursor(l, p)
		}
	}
	findTotal(c, op, l, answer)
	l.Orders = Orders(op, l, query(op, hints.Names(hints.Sort), texts))
	filters(op, l)
	return l
}

// answerOf returns the schema of the first documented success in JSON, or nil.
func answerOf(op *openapi.Operation) *schema.Schema {
	for _, r := range op.Documented(2) {
		for _, m := range r.Media {
			if m.JSON() && m.Shape != nil {
				return m.Shape.Schema
			}
		}
	}
	return nil
}

// itemsOf returns where an answer has its only array of objects, and the schema of an
// item.
func itemsOf(s *schema.Schema) (at string, item *schema.Schema) {
	if array(s) {
		return "", s.Items.Common()
	}
	for _, p := range itemMembers(s) {
		if !array(p.schema) {
			continue
		}
		if item != nil {
			return "", nil
		}
		at, item = p.at, p.schema.Items.Common()
	}
	return at, item
}

func array(s *schema.Schema) bool {
	return s.Type() == "array" && s.Items != nil && len(s.Items.Common().Properties) > 0
}

// member is one of an answer, or of an object in it.
type member struct {
	at, name string
	schema   *schema.Schema
}

// inside lists the members of an answer, and those of the objects in it.
func itemMembers(s *schema.Schema) []member {
	var out []member
	for _, p := range s.Properties {
		if p.Schema == nil {
			continue
		}
		at := "/" + jsontree.EscapePointer(p.Name)
		out = append(out, member{at, p.Name, p.Schema})
		for _, q := range p.Schema.Properties {
			if q.Schema != nil {
				out = append(out, member{at + "/" + jsontree.EscapePointer(q.Name), q.Name, q.Schema})
			}
		}
	}
	return out
}

// keyOf returns the member that identifies an item, or an empty text.
func keyOf(item *schema.Schema, key string) string {
	for _, name := range []string{key, "id", "uuid", "key", "slug"} {
		for _, p := range item.Properties {
			if name != "" && hints.Flat(p.Name) == hints.Flat(name) && scalar(p.Schema) {
				return p.Name
			}
		}
	}
	return ""
}

func scalar(s *schema.Schema) bool {
	return s != nil && !s.WriteOnly && slices.Contains([]string{"string", "integer", "number"}, s.Type())
}

// query returns the optional parameter of the query that has the first of some names
// and fits.
func query(op *openapi.Operation, names []string, fits func(*openapi.Parameter) bool) *openapi.Parameter {
	for _, name := range names {
		for _, p := range op.Parameters {
			if p.In == "query" && !p.Required && p.Schema != nil && p.Media == "" && hints.Flat(p.Name) == name && fits(p) {
				return p
			}
		}
	}
	return nil
}

// IsLimit reports whether a parameter has one of the usual names for how many items a
// list has.
func IsLimit(name string) bool { return hints.Called(name, hints.Limit) }

// findNext looks for what an answer says of the next page.
func findNext(op *openapi.Operation, l *openapi.Listing, answer *schema.Schema) {
	for _, name := range hints.Names(hints.Next) {
		for _, m := range itemMembers(answer) {
			if hints.Flat(m.name) == name && m.schema.Type() == "string" && !strings.HasPrefix(m.at, l.Items+"/") {
				l.Next = m.at
				return
			}
		}
	}
	if h := header(op, "link", "xnextcursor", "nextcursor", "xnexttoken"); h != nil {
		l.NextField = h.Name
	}
}

// findTotal looks for what counts the items of all pages.
func findTotal(c *openapi.Contract, op *openapi.Operation, l *openapi.Listing, answer *schema.Schema) {
	if h := header(op, "xtotalcount", "totalcount", "xtotal", "xtotalitems"); h != nil {
		l.TotalField, l.CountsAll = h.Name, c.CountsAll(h.Pointer)
		return
	}
	for _, name := range hints.Names(hints.Total) {
		for _, m := range itemMembers(answer) {
			if l.Items != "" && hints.Flat(m.name) == name && m.schema.Type() == "integer" {
				l.Total, l.CountsAll = m.at, c.CountsAll(m.schema.Pointer)
				return
			}
		}
	}
}

// header returns the documented field of a success that has one of some names, or nil.
func header(op *openapi.Operation, names ...string) *openapi.Header {
	for _, r := range op.Documented(2) {
		for _, h := range r.Headers {
			if slices.Contains(names, hints.Flat(h.Name)) {
				return h
			}
		}
	}
	return nil
}

// The limits of pages: several of few items, and one of many.
const (
	few  = 2
	many = 5
	// maxFew is the largest page that a list must have several of.
	maxFew = 20
)

// Limit makes a parameter the one that bounds the number of items, and reports whether
// it can: pages of a few items must be allowed.
func Limit(op *openapi.Operation, l *openapi.Listing, p *openapi.Parameter) bool {
	if p == nil {
		return false
	}
	valid := func(n int64) bool { return op.Params.Matches(p.Schema, jsontree.NewInt(n)) }
	for n := int64(few); n <= maxFew; n++ {
		if !valid(n) {
			continue
		}
		l.Limit, l.Few, l.Many = p, n, n
		for more := max(many, 2*n+1); more > n && l.Many == n; more-- {
			if valid(more) {
				l.Many = more
			}
		}
		return true
	}
	return false
}

// Offset makes a parameter the one that skips items.
func Offset(l *openapi.Listing, p *openapi.Parameter) {
	l.Offset, l.First = p, 0
	if n, said := first(p); said {
		l.First = n
	}
}

// Numbered makes a parameter the one that skips pages. Pages that the document does not
// number count from 1: page 2 follows page 1 if they count from 0 too.
func Numbered(l *openapi.Listing, p *openapi.Parameter) {
	l.Page, l.First, l.Guessed = p, 1, true
	if n, said := first(p); said {
		l.First, l.Guessed = n, false
	}
}

// first returns the smallest value of a parameter that counts from 0 or 1, and whether
// the document says it.
func first(p *openapi.Parameter) (n int64, said bool) {
	for _, n := range []int64{0, 1} {
		text := jsontree.NewInt(n).Text
		if p.Schema.Default != nil && p.Schema.Default.Text == text || p.Schema.Default == nil && p.Schema.Minimum == text {
			return n, true
		}
	}
	return 0, false
}

// Cursor makes a parameter the one that continues a page, and reports whether an answer
// says how.
func Cursor(l *openapi.Listing, p *openapi.Parameter) bool {
	byKey := l.Key != "" && hints.Called(p.Name, hints.Behind)
	if l.Next == "" && l.NextField == "" && !byKey {
		return false
	}
	l.Cursor = p
	return true
}
