package resource

import (
	"net/url"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Page is one answer of an operation that lists things.
type Page struct {
	Root *jsontree.Value
	// Field returns the value of a documented header field, or nil.
	Field func(name string) *jsontree.Value
}

// Items returns the items, and whether the answer has a list.
func (p Page) Items(l *openapi.Listing) ([]*jsontree.Value, bool) {
	v := p.Root.At(l.Items)
	if v == nil || v.Kind != jsontree.Array {
		return nil, false
	}
	return v.Items, true
}

// Total returns how many items all pages have, and whether the answer says so.
func (p Page) Total(l *openapi.Listing) (int64, bool) {
	var v *jsontree.Value
	switch {
	case l.TotalField != "":
		v = p.Field(l.TotalField)
	case l.Total != "":
		v = p.Root.At(l.Total)
	}
	if v == nil {
		return 0, false
	}
	return jsontree.Int64(v.Text)
}

// Next returns the value of the cursor for the page after this one, or nil if there is
// none.
func (p Page) Next(l *openapi.Listing) *jsontree.Value {
	var v *jsontree.Value
	switch {
	case l.Next != "":
		v = p.Root.At(l.Next)
	case l.NextField != "":
		v = p.Field(l.NextField)
	default:
		items, _ := p.Items(l)
		if len(items) > 0 {
			v = items[len(items)-1].Get(l.Key)
		}
	}
	if v == nil || v.Text == "" {
		return nil
	}
	text := v.Text
	if strings.EqualFold(l.NextField, "Link") {
		text = linked(text)
	}
	if _, query, found := strings.Cut(text, "?"); found && l.Cursor != nil {
		// A link to the next page: the cursor is in it.
		values, err := url.ParseQuery(query)
		if err != nil {
			return nil
		}
		text = values.Get(l.Cursor.Name)
	}
	if text == "" {
		return nil
	}
	return jsontree.NewString(text)
}

// linked returns the address of the link to the next page (RFC 8288, 3), or an empty text.
func linked(field string) string {
	for field != "" {
		_, rest, _ := strings.Cut(field, "<")
		address, behind, closed := strings.Cut(rest, ">")
		if !closed {
			return ""
		}
		parameters, next, _ := strings.Cut(behind, "<")
		if said := strings.ReplaceAll(strings.ToLower(parameters), " ", ""); strings.Contains(said, `rel="next"`) || strings.Contains(said, "rel=next") {
			return address
		}
		field = "<" + next
	}
	return ""
}

// Key returns what identifies an item among others, or an empty text.
func Key(l *openapi.Listing, item *jsontree.Value) string {
	v := item.Get(l.Key)
	if v == nil || v.Kind != jsontree.String && v.Kind != jsontree.Number {
		return ""
	}
	return v.Text
}

// First returns the number of the first page: what the document says, or what a page shows
// that was asked for by the number 1. If it does not begin like one that was asked for
// without a number, it is the second.
func First(l *openapi.Listing, without, one []*jsontree.Value) int64 {
	if l.Guessed && len(without) > 0 && len(one) > 0 && Key(l, without[0]) != Key(l, one[0]) {
		return 0
	}
	return l.First
}
