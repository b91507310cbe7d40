package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
)

// NewestFirst reports whether the document says that what an operation made last is first in a
// list. If requests give a time, that may be the one that counts.
func NewestFirst(list, post *contract.Operation) bool {
	if list.NewestFirst == "" || list.Listing == nil || post.Method != http.MethodPost || post.Body == nil || post.Body.Shape == nil {
		return false
	}
	return !slices.ContainsFunc(post.Body.Shape.Schema.Properties, func(p *contract.Property) bool {
		return p.Schema != nil && strings.HasPrefix(p.Schema.Format, "date")
	})
}
