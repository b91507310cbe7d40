package rules

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// othersKept: what one principal made is kept from the others.
var othersKept = rule.Rule{
	Name:        "others-kept",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request of another principal about what an accepted request made is no success. A success that shows nothing of the thing is not judged, nor is 202, or a refusal for another reason.",
	Explanation: "With the credential of --auth-other, a request about what the usual credential created does not succeed.",
	Fix:         "Look up a resource together with its owner, and answer 403 or 404 if it belongs to somebody else.",
	Check: func(p *rule.Input) rule.Outcome {
		refusals := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Got == nil:
			return rule.None
		case p.Got.Success() && (p.Got.Status == http.StatusAccepted || p.Op.Method == http.MethodGet && !shows(p, made)):
			return rule.None
		case !p.Got.Success() && !slices.Contains(refusals, p.Got.Status):
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "403 or 404, because another principal made it with "+made.Op.Name())
	},
}

// shows reports whether an answer has a text that the thing was made with, or is all that
// its maker read of it. A thing may have the same key for each principal.
func shows(p *rule.Input, made *rule.Earlier) bool {
	is := p.Got.Reading.Root()
	if is == nil {
		return false
	}
	if made.Sent.Body != nil {
		sent := made.Sent.Body.Root()
		in := unwrapped(is, sent)
		for _, m := range request.Values(made.Op, sent) {
			if v := in.Get(m.Name); v != nil && m.Value.Kind == jsontree.String && len(m.Value.Text) >= leastText && kept(m.Value, v) {
				return true
			}
		}
	}
	before := p.Last(http.MethodGet)
	return before != nil && before.Got.Reading.Root() != nil && jsontree.Equal(before.Got.Reading.Root(), is)
}
