package resource

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// The limits of pages: several of few items, and one of many.
const (
	few  = 2
	many = 5
	// mostFew is the largest page that a list must have several of.
	mostFew = 20
)

// Limit makes a parameter the one that bounds the number of items, and reports whether
// it can: pages of a few items must be allowed.
func Limit(op *openapi.Operation, l *openapi.Listing, p *openapi.Parameter) bool {
	if p == nil {
		return false
	}
	valid := func(n int64) bool { return op.Params.Matches(p.Schema, jsontree.NewInt(n)) }
	for n := int64(few); n <= mostFew; n++ {
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
	byKey := l.Key != "" && slices.Contains([]string{"after", "startingafter", "startafter"}, openapi.Flat(p.Name))
	if l.Next == "" && l.NextField == "" && !byKey {
		return false
	}
	l.Cursor = p
	return true
}
