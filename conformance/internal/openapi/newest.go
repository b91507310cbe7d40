package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
)

// HasFirst reports whether the document or the requirements file says that what another operation
// made last comes first in the list that this one reads. By the document alone it is not known if
// requests give a time or a year: the newest item may be the one with the latest of these.
func (op *Operation) HasFirst(post *Operation) bool {
	if op.NewestFirst == nil && !op.Accepted.NewestFirst || op.Listing == nil || post.Method != http.MethodPost || post.Body == nil || post.Body.Shape == nil {
		return false
	}
	return op.Accepted.NewestFirst || !slices.ContainsFunc(post.Body.Shape.Schema.Properties, func(p *Property) bool {
		return p.Schema != nil && (strings.HasPrefix(p.Schema.Format, "date") || hints.NamesTime(p.Name))
	})
}
