package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// putMissing: a PUT does not make a thing without saying so.
var putMissing = rule.Rule{
	Name:        "put-missing",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Where the document lists 404 or 410 for a PUT, and no 201, a PUT of a thing that a read just did not find is not a success. Only keys that are too long to be in use by chance are judged. 202 is not judged, because a refusal may follow, nor is 201, which says that the thing was made.",
	Explanation: "A PUT of a resource that does not exist gets the documented refusal. A server that creates the resource answers 201.",
	Fix:         "Look for the resource first, and answer 404 where there is none: do not insert what cannot be updated.",
	Check: func(p *rule.Input) rule.Outcome {
		made, before := p.Made(), missedRead(p)
		if made == nil || !made.Got.Success() || before == nil || p.Got.Status == http.StatusAccepted || p.Got.Status == http.StatusCreated {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because "+before.Op.Name()+" just did not find it")
	},
}
