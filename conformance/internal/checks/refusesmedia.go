package checks

import "plantstore/conformance/internal/rule"

// refusesMedia: a body of a media type that the document does not list is refused.
var refusesMedia = rule.Rule{
	Name:        "refuses-media",
	Rank:        rule.Class,
	Role:        rule.RoleRefusal,
	Doc:         "A body of a media type that the document does not list is not a success (RFC 9110, 15.5.16), in a request that is valid in all else.",
	Explanation: "The document lists the media types that a body may have, and 415. A body of another media type is refused.",
	Fix:         "Look at Content-Type before the body is read, and answer 415 to a media type that is not documented.",
	Check: func(p *rule.Input) rule.Outcome {
		switch {
		case !p.Sent.OtherMedia || p.Got.Redirect():
			return rule.None
		case p.Got.Success():
			return rule.Failed("taken", "415, or another client error", describe(p))
		}
		return rule.Passed
	},
}
