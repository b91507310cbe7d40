package openapi

import (
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// additional returns copies of an operation, one for each body but the first.
func (l *loader) additional(op *Operation, bodies []*Body) []*Operation {
	var out []*Operation
	for i := 1; i < len(bodies); i++ {
		b := bodies[i]
		one := l.copied(op, b, b.Media)
		alike := slices.DeleteFunc(slices.Clone(bodies[:i]), func(o *Body) bool { return !b.like(o) })
		for _, o := range alike {
			if one.alike == nil || o.codec() == b.codec() {
				one.alike = o
			}
		}
		out = append(out, one)
	}
	return out
}

// copied returns a copy of an operation with another body, which the name tells from the
// first.
func (l *loader) copied(op *Operation, b *Body, name string) *Operation {
	return &Operation{Slug: l.slugs.Take(op.Slug + "-" + NameSlug(name)), Method: op.Method, Path: op.Path, Pointer: op.Pointer,
		ID: op.ID, Tags: op.Tags, Parameters: op.Parameters, Params: op.Params, Body: b, Responses: op.Responses,
		Security: op.Security, wanted: op.wanted, media: op.media, first: op}
}

// requestMedia lists all media types of a request body, also those that are never sent.
func (l *loader) requestMedia(operation string) []string {
	var out []string
	_, v := l.resolve(operation + "/requestBody")
	for _, m := range v.Get("content").Members {
		out = append(out, strings.ToLower(m.Name))
	}
	return out
}

// Documents reports whether the document lists a media type for the request body, by
// itself or in a range, whatever its parameters are.
func (o *Operation) Documents(contentType string) bool {
	given, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	given = strings.TrimSpace(given)
	return slices.ContainsFunc(o.media, func(listed string) bool {
		listed, _, _ = strings.Cut(listed, ";")
		before, after, isRange := strings.Cut(strings.TrimSpace(listed), "*")
		if !isRange {
			return before == given
		}
		return strings.HasPrefix(given, before) && strings.HasSuffix(given, strings.TrimPrefix(after, "/*")) && strings.Contains(given, "/")
	})
}

// Refuses415 reports whether the document lists 415 for requests with a body: that its
// media type is not supported (RFC 9110, 15.5.16).
func (o *Operation) Refuses415() bool {
	return o.Body != nil && slices.ContainsFunc(o.Responses, func(r *Response) bool { return r.Status == "415" })
}

// like reports whether two bodies have the same schema, written the same way.
func (b *Body) like(o *Body) bool {
	return b.schema == o.schema && fmt.Sprint(b.Encoding) == fmt.Sprint(o.Encoding)
}

// codec names the way in which a body is written.
func (b *Body) codec() string {
	t, _, _ := mime.ParseMediaType(b.Media)
	switch {
	case !b.form:
		return "json"
	case t == "application/x-www-form-urlencoded", t == "multipart/form-data":
		return t
	}
	return "bytes"
}

// Structured reports whether some bytes are no body of this media type at all.
func (b *Body) Structured() bool { return b.codec() != "bytes" }

// First returns the operation itself, or the one that this is a copy of.
func (o *Operation) First() *Operation {
	if o.first != nil {
		return o.first
	}
	return o
}

// IsAdditional reports whether this is a copy of an operation for an additional media type or
// alternative.
func (o *Operation) IsAdditional() bool { return o.first != nil }

// HasAlternatives reports whether some of the copies are for alternatives of the body.
func (o *Operation) HasAlternatives() bool {
	return slices.ContainsFunc(o.Additional, func(one *Operation) bool { return one.Alternative != "" })
}

// SameSchema reports whether another media type of the operation has the same schema.
func (o *Operation) SameSchema() bool { return o.alike != nil }

// SameBytes reports whether bodies of this additional media type are the same bytes as
// those of another one, so that two requests show whether the target reads it.
func (o *Operation) SameBytes() bool { return o.alike != nil && o.alike.codec() == o.Body.codec() }

// Rows returns an operation and its copies for additional media types.
func (o *Operation) Rows() []*Operation { return append([]*Operation{o}, o.Additional...) }

// Rows returns every operation, each before its copies for additional media types.
func (c *Contract) Rows() []*Operation {
	var out []*Operation
	for _, op := range c.Operations {
		out = append(out, op.Rows()...)
	}
	return out
}

// Differs says what is different in a further operation: its media type, or which
// alternative its body is.
func (o *Operation) Differs() string {
	if o.Alternative != "" {
		return o.Alternative
	}
	return o.Body.Media
}

// Title names an operation in a line for people: POST /users, and what is different in a
// further one.
func (o *Operation) Title() string {
	if o.IsAdditional() {
		return o.Method + " " + o.Path + " (" + o.Differs() + ")"
	}
	return o.Method + " " + o.Path
}

// Listing is how an operation lists resources: where an answer has them, and which
// parameters choose among them. What an operation does not have is nil or empty.
type Listing struct {
	// Items is the JSON pointer of the array in an answer; empty if the answer is one.
	Items string
	// Item is the schema of an item.
	Item *Schema
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
func (f *Filter) Schema() *Schema {
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
	return p != nil && (p == op.Listing.Cursor || hints.Called(p.Name, hints.Continues) && names(p.Schema))
}

// UsualPage is the largest page size that a server has to take where the document has no maximum.
const UsualPage = 100

// Bounds reports whether a schema is that of the parameter for the page size, and has no maximum.
func (l *Listing) Bounds(s *Schema) bool {
	return l != nil && l.Limit != nil && l.Limit.Schema == s && s.Maximum == "" && s.Below == "" && s.Enum == nil
}

// longPage returns the place of the page size if it is larger than UsualPage, or an empty text.
func (op *Operation) longPage(r *Reading) string {
	l := op.Listing
	if l == nil || l.Limit == nil || !l.Bounds(l.Limit.Schema) {
		return ""
	}
	path := "/" + l.Limit.Place()
	if v := parameterAt(r, path); v == nil || v.Kind != jsontree.Number || jsontree.Compare(v.Text, strconv.Itoa(UsualPage)) <= 0 {
		return ""
	}
	return path
}

// IsJSON reports whether a media type holds a JSON text.
func IsJSON(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// JSONPatch is the media type of a JSON Patch (RFC 6902, 6).
const JSONPatch = "application/json-patch+json"

// IsJSONPatch reports whether a media type is that of a JSON Patch.
func IsJSONPatch(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	return strings.EqualFold(strings.TrimSpace(media), JSONPatch)
}

// JSONAt reports whether the value of a parameter ("query/where") or of a property of a
// form ("/meta") is written as JSON.
func (o *Operation) JSONAt(path string) bool {
	if name, found := strings.CutPrefix(path, "/"); found {
		plain, ok := jsontree.UnescapePointer(name)
		return ok && o.Body != nil && o.Body.form && IsJSON(o.Body.Encoding[plain].Media)
	}
	for _, p := range o.Parameters {
		if path == p.In+"/"+jsontree.EscapePointer(p.Name) {
			return IsJSON(p.Media)
		}
	}
	return false
}
