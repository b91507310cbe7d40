package checks

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
	Doc:         "Two answers that read a thing and differ have different entity tags, if both have strong ones. Weak ones differ where a PATCH changed a member that it names. The rule strong-etag judges strong ones where a request changed a member that it names.",
	Explanation: "When the representation of a resource changes, so does its strong ETag. A weak one changes when a PATCH changes a member that it names.",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Check: func(p *rule.Input) rule.Outcome {
		before := reread(p)
		if before == nil {
			return rule.None
		}
		was, is := before.Tag, p.Exchange.Response.Get("ETag")
		switch {
		case was == "" || is == "" || strings.HasPrefix(is, "W/") != strings.HasPrefix(was, "W/"):
			return rule.None
		case strings.HasPrefix(is, "W/") && !changedBy(p, before, http.MethodPatch):
			return rule.None // it may be a good substitute for the old one (RFC 9110, 8.8.1)
		case strongChange(p, before):
			return rule.None // strong-etag judges it
		case jsontree.Equal(before.Got.Reading.Root(), p.Got.Reading.Root()):
			return rule.None
		case was == is:
			return rule.Failed("same tag", "another ETag than before the change", "the same ETag with another representation")
		}
		return rule.Passed
	},
}
