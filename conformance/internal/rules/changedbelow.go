package rules

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// changedBelow: a request below another thing changes nothing.
var changedBelow = rule.Rule{
	Name:        "changed-below",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "After a request that names a thing below another one, an answer that reads it where a POST made it finds it as before. A member counts as changed if it has a value of that request now, or another value of an enum or a boolean. That the request succeeded is not judged: what is not there may be deleted.",
	Explanation: "A resource that was created below one resource (POST /parents/1/things) is neither changed nor deleted by a request that names it below another one (DELETE /parents/2/things/7).",
	Fix:         "Look for the resource by all keys of the path before you change it, not by the last one alone.",
	Check: func(p *rule.Input) rule.Outcome {
		by, _ := p.Wrote()
		if by == nil || !by.Aside {
			return rule.None
		}
		e := elsewhere(p, by.Op, by.Sent)
		if e == nil || e.Op != p.Op {
			return rule.None
		}
		switch {
		case p.Got.Status == http.StatusNotFound, p.Got.Status == http.StatusGone:
			return verdictOf(false, p, "a success, because "+by.Op.Name()+" named another one above it")
		case !p.Got.Success():
			return rule.None
		}
		was, is := answerOf(e), p.Got.Reading.Root()
		if was == nil || is == nil {
			return rule.None
		}
		return sameBelow(p, by, was, is)
	},
}

// sameBelow compares the members of a thing with those before a request that named it below
// another thing.
func sameBelow(p *rule.Input, by *rule.Earlier, was, is *jsontree.Value) rule.Outcome {
	var sent *jsontree.Value
	if by.Sent.Body != nil {
		sent = by.Sent.Body.Root()
	}
	if in := unwrapped(is, sent); in != nil {
		was, is = unwrapped(was, sent), in
	}
	for _, m := range is.Members {
		old, given := was.Get(m.Name), sent.Get(m.Name)
		taken := given != nil && unusual(given) && kept(given, m.Value)
		if (taken || old != nil && turned(p, by, m)) && (old == nil || !kept(old, m.Value)) {
			return rule.Failed("changed "+m.Name, m.Name+" as before "+by.Op.Name()+", which named another one above it", m.Name+" "+shown(p, m.Value))
		}
	}
	return rule.Passed
}

// turned reports whether a member is one that changes only if something is done with the
// thing, and the request succeeded.
func turned(p *rule.Input, by *rule.Earlier, m jsontree.Member) bool {
	q := propertyOf(p, m.Name)
	return by.Got.Success() && q != nil && (len(q.Schema.Enum) > 0 || q.Schema.Type() == "boolean")
}
