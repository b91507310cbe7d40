package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// searching are the words that begin the last segment of a path that searches for things. Such a
// path lists what exists; others, such as /users/trash, may list what was deleted.
var searching = []string{"search", "find", "query", "filter", "lookup"}

// SearchedAt reports whether the path of an operation says that it searches for the things:
// GET /users/search beside /users/{userId}.
func (r *Resource) SearchedAt(op *openapi.Operation) bool {
	collection, _ := cut(r.Path)
	before, last := cut(trimmed(op.Path))
	return op.Method == http.MethodGet && before == collection && slices.ContainsFunc(searching, func(word string) bool {
		return strings.HasPrefix(strings.ToLower(last), word)
	})
}

// Searches reports whether an operation searches for the things and lists those that it finds,
// in the form in which one is read, with their keys.
func (r *Resource) Searches(op *openapi.Operation) bool {
	if r.Read == nil || !r.SearchedAt(op) || op.Listing == nil || op.Listing.Key == "" {
		return false
	}
	item := op.Listing.Item
	for _, a := range r.Read.Documented(2) {
		for _, media := range a.Media {
			if media.Shape != nil && alike(media.Shape.Schema, item) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two schemas are one, or have members of the same names.
func alike(a, b *openapi.Schema) bool {
	a, b = a.Common(), b.Common()
	return a.Pointer == b.Pointer || len(a.Properties) > 0 && len(a.Properties) == len(b.Properties) &&
		!slices.ContainsFunc(a.Properties, func(p *openapi.Property) bool { return b.Property(p.Name) == nil })
}
