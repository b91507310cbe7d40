package resource

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
)

// timed matches the names of members that say when something was or is.
var timed = regexp.MustCompile(`(?i)(date|time|year|month|day|when|age|version|born|released|published)$|_at$|(?-i:[a-z]At)$`)

// NewestFirst reports whether the document says that what an operation made last is first in a
// list. If requests give a time or a year, that may be what counts.
func NewestFirst(list, post *contract.Operation) bool {
	if list.NewestFirst == "" || list.Listing == nil || post.Method != http.MethodPost || post.Body == nil || post.Body.Shape == nil {
		return false
	}
	return !slices.ContainsFunc(post.Body.Shape.Schema.Properties, func(p *contract.Property) bool {
		return p.Schema != nil && (strings.HasPrefix(p.Schema.Format, "date") || timed.MatchString(p.Name))
	})
}
