package checks

import (
	"fmt"
	"regexp"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// stateRefused: what the document says is refused in a state is refused there.
var stateRefused = rule.Rule{
	Name:        "state-refused",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "If an action changed a member of the thing that has few values, as reads before and after it show, and a sentence of the document says that the request is refused in the new state, or in every state but the one before, the request is no success. If the requirements file says with allowedIn in which states the request is allowed, it is no success in any other state that the last read shows. States that a server may leave by itself, such as running, are not judged.",
	Explanation: "If the requirements file or a description says in which states a request is refused, the server refuses it there: a plan that is published is not published again.",
	Fix:         "Read the state in the transaction that changes it, and answer with the documented refusal if it is not the right one.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if len(p.Op.Accepted.AllowedIn) > 0 {
			return allowedIn(p, at)
		}
		if by == nil || by == p.Made() || !by.Got.Success() {
			return rule.None
		}
		before, after := lastReadOf(p, 0, at), lastReadOf(p, at+1, len(p.History))
		if before == nil || after == nil {
			return rule.None
		}
		was, is := thingIn(p, answerOf(before)), thingIn(p, answerOf(after))
		if was == nil || is == nil || is.Kind != jsontree.Object {
			return rule.None
		}
		for _, m := range is.Members {
			old := was.Get(m.Name)
			if old == nil || old.Kind != jsontree.String || m.Value.Kind != jsontree.String || passing.MatchString(m.Value.Text) {
				continue
			}
			q := propertyIn(after.Got, m.Name)
			if q == nil {
				continue
			}
			if said := p.Op.Bound.RefusedIn(openapi.StateValues(q.Schema), old.Text, m.Value.Text, by.Op == p.Op); said != "" {
				return verdictOf(!p.Got.Success(), p, fmt.Sprintf("a refusal, because %s is %s now: %q", m.Name, shown(p, m.Value), said))
			}
		}
		return rule.None
	},
}

// allowedIn judges a request by the state that the last read behind the last change showed.
func allowedIn(p *rule.Input, at int) rule.Outcome {
	read := lastReadOf(p, at+1, len(p.History))
	if at < 0 || read == nil {
		return rule.None
	}
	is := thingIn(p, answerOf(read))
	for _, allowed := range p.Op.Accepted.AllowedIn {
		v := is.Get(allowed.Member)
		if v != nil && scalar(v) && !allowed.Has(v) && !(v.Kind == jsontree.String && passing.MatchString(v.Text)) {
			return verdictOf(!p.Got.Success(), p, fmt.Sprintf("a refusal, because %s is %s, and allowedIn does not have that", allowed.Member, shown(p, v)))
		}
	}
	return rule.None
}

// passing matches states that a server may leave by itself at any time.
var passing = regexp.MustCompile(`(?i)^(queued|pending|scheduled|submitted|[a-z]+ing)$`)
