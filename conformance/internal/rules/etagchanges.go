package rules

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// etagChanges: another representation has another entity tag.
var etagChanges = rule.Rule{
	Name:        "etag-changes",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Two answers that read a thing and differ have different entity tags, if both have strong ones. Weak ones differ where a PATCH changed a member that it names. Strong ones with a change that a request names are for strong-etag.",
	Explanation: "When the representation of a resource changes, so does its strong ETag. A weak one changes when a PATCH changes a member that it names.",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || before.Op != p.Op || !p.Got.Success() || before.Got.Reading.Root() == nil || p.Got.Reading.Root() == nil {
			return rule.None
		}
		was, is := before.Tag, p.Exchange.Response.Get("ETag")
		switch {
		case was == "" || is == "" || strings.HasPrefix(is, "W/") != strings.HasPrefix(was, "W/"):
			return rule.None
		case strings.HasPrefix(is, "W/") && !changedBy(p, before, http.MethodPatch):
			return rule.None // it may be a good substitute for the old one (RFC 9110, 8.8.1)
		case !strings.HasPrefix(is, "W/") && (changedBy(p, before, http.MethodPatch) || changedBy(p, before, http.MethodPut)):
			return rule.None
		case jsontree.Equal(before.Got.Reading.Root(), p.Got.Reading.Root()):
			return rule.None
		case was == is:
			return rule.Failed("same tag", "another ETag than before the change", "the same ETag with another representation")
		}
		return rule.Passed
	},
}
