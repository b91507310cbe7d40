package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// othersKept: what one principal made is kept from the others.
var othersKept = rule.Rule{
	Name:        "others-kept",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A request of another principal about what an accepted request made is no success. A request about a part of the thing is judged if reading the thing was refused. What can be read without a credential is judged if the document lists 403. A success that shows nothing of the thing is not judged, nor is 202, or a refusal for another reason.",
	Explanation: "With the credential of --auth-other, a request about what the usual credential created does not succeed.",
	Fix:         "Look up a resource together with its owner, and answer 403 or 404 if it belongs to somebody else.",
	Check: func(p *rule.Input) rule.Outcome {
		refusals := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}
		made := p.Made()
		switch {
		case made == nil || !made.Got.Success() || p.Got == nil:
			return rule.None
		case p.Got.Success() && (p.Got.Status == http.StatusAccepted || !betrays(p, made)):
			return rule.None
		case !p.Got.Success() && !slices.Contains(refusals, p.Got.Status):
			return rule.None
		}
		return verdictOf(!p.Got.Success(), p, "403 or 404, because another principal made it with "+made.Op.Name())
	},
}

// betrays reports whether a success is about the thing that the other principal must not
// get at. A part counts where the thing itself is kept from that principal.
func betrays(p *rule.Input, made *rule.Earlier) bool {
	read := p.Last(http.MethodGet)
	part := read != nil && p.Op != read.Op && strings.HasPrefix(p.Op.Path, strings.TrimSuffix(read.Op.Path, "/")+"/")
	switch {
	case part && read.Got.Success():
		return false
	case read != nil && read.Op != p.Op && read.Got.Success() && !read.Op.Secured() && p.Op.Lists(http.StatusForbidden) == nil:
		return false // what can be read without a credential may have no owner
	case p.Op.Method != http.MethodGet:
		return true
	case part:
		return told(p)
	}
	return shows(p, made)
}

// told reports whether an answer about a part has a text and is the one that the maker of the
// thing got.
func told(p *rule.Input) bool {
	i := slices.IndexFunc(p.History, func(e rule.Earlier) bool { return e.Op == p.Op })
	is := p.Got.Reading.Root()
	if i < 0 || is == nil || !jsontree.Equal(is, answerOf(&p.History[i])) {
		return false
	}
	found := false
	is.Walk(func(_ string, v *jsontree.Value) {
		found = found || v.Kind == jsontree.String && len(v.Text) >= leastText
	})
	return found
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
		for _, m := range message.Values(made.Op, sent) {
			if v := in.Get(m.Name); v != nil && m.Value.Kind == jsontree.String && len(m.Value.Text) >= leastText && kept(m.Value, v) {
				return true
			}
		}
	}
	before := p.Last(http.MethodGet)
	return before != nil && before.Got.Reading.Root() != nil && jsontree.Equal(before.Got.Reading.Root(), is)
}
