package contract

import "plantstore/conformance/internal/jsontree"

// Listing is how an operation lists things: where an answer has them, and which
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

	Filters []Filter
	Orders  []Order

	// Few and Many are valid limits: several pages of few items, and one of many.
	Few, Many int64
	// Promised names what the requirements file makes a MUST.
	Promised []string
}

// Filter is a parameter that keeps items out whose member has another value.
type Filter struct {
	Parameter *Parameter
	Member    string
	// Of says which of several values an item must have: all or any of them. It is empty
	// if that is not known.
	Of string
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

// QueryPlace returns where a message has a parameter of the query.
func (p *Parameter) QueryPlace() string { return "query/" + jsontree.EscapePointer(p.Name) }
