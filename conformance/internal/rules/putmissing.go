package rules

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// putMissing: a PUT does not make a thing without saying so.
var putMissing = rule.Rule{
	Name:        "put-missing",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Where the document lists an answer for a thing that is not there, and none for one that is made, a PUT of a long key that no answer gave, and that a read just did not find, is no success. An answer 202 may be followed by a refusal, and 201 says what it did: they are not judged.",
	Explanation: "A PUT of a resource that does not exist is answered as the document says. A server that makes the resource says 201.",
	Fix:         "Look for the resource first, and answer 404 where there is none: do not insert what cannot be updated.",
	Check: func(p *rule.Input) rule.Outcome {
		made, key, before := p.Made(), keySent(p.Op, p.Sent), p.Last(http.MethodGet)
		if made == nil || !made.Got.Success() || before == nil || key == nil || short(key) || p.Got.Status == http.StatusAccepted || p.Got.Status == http.StatusCreated {
			return rule.None
		}
		asked := keySent(before.Op, before.Sent)
		if asked == nil || asked.Text != key.Text || before.Got == nil || before.Got.Status != http.StatusNotFound && before.Got.Status != http.StatusGone {
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "no success, because "+before.Op.Name()+" just did not find it")
	},
}
