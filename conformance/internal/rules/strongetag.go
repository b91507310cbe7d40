package rules

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/rule"
)

// strongETag: a strong entity tag changes with what a request changed.
var strongETag = rule.Rule{
	Name:        "strong-etag",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Two answers that read a thing have different strong entity tags if they differ in a member to which a PUT or PATCH between them gave another value.",
	Explanation: "When a PUT or PATCH changes what a read shows, the strong ETag changes. A server that cannot tell marks its ETag as weak (W/).",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Check: func(p *rule.Input) rule.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || before.Op != p.Op || !p.Got.Success() || before.Got.Reading.Root() == nil || p.Got.Reading.Root() == nil {
			return rule.None
		}
		was, is := before.Tag, p.Exchange.Response.Get("ETag")
		if !strings.HasPrefix(was, `"`) || !strings.HasPrefix(is, `"`) || !changedBy(p, before, http.MethodPatch) && !changedBy(p, before, http.MethodPut) {
			return rule.None
		}
		if was == is {
			return rule.Failed("same tag", "another ETag than before the change, or a weak one", "the same strong ETag with another representation")
		}
		return rule.Passed
	},
}
