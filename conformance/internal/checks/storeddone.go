package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// storedDone: what is done with a thing stays done.
var storedDone = rule.Rule{
	Name:        "stored-done",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "If the answer to a request that does something with a thing is the thing, with the key that the path has, and a member in it differs from what was read before, then reading it does not give the old value again.",
	Explanation: "If an operation answers with the new state of a resource, reading the resource gives that state.",
	Fix:         "Store the new state before you answer, and clear what caches the old one.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Aside || !by.Got.Success() || by.Got.Status == http.StatusAccepted || !p.Got.Success() {
			return rule.None
		}
		was, said, is := lastRead(p, 0, at), thingIn(p, answerOf(by)), thingIn(p, p.Got.Reading.Root())
		if is == nil || !sameThing(was, said, by.Key) || partOf(p, was, said) {
			return rule.None
		}
		out := rule.None
		for _, m := range said.Members {
			old, now := was.Get(m.Name), is.Get(m.Name)
			if old == nil || now == nil || !scalar(m.Value) || jsontree.Equal(old, m.Value) {
				continue
			}
			if jsontree.Equal(now, old) {
				return rule.Failed("not done "+m.Name, m.Name+" "+shown(p, m.Value)+", as "+by.Op.Name()+" answered", m.Name+" "+shown(p, now))
			}
			out = rule.Passed
		}
		return out
	},
}

// sameThing reports whether two answers are about the thing with a key: both have it under
// one name.
func sameThing(a, b, key *jsontree.Value) bool {
	if a == nil || b == nil || key == nil {
		return false
	}
	for _, m := range a.Members {
		if other := b.Get(m.Name); scalar(m.Value) && m.Value.Text == key.Text && other != nil && other.Text == key.Text {
			return true
		}
	}
	return false
}

// partOf reports whether an answer that names a thing is about something that belongs to it: it
// has another id, or members that the thing does not have.
func partOf(p *rule.Input, thing, said *jsontree.Value) bool {
	return slices.ContainsFunc(said.Members, func(m jsontree.Member) bool {
		is := thing.Get(m.Name)
		return is == nil && propertyOf(p, m.Name) == nil || is != nil && openapi.IsKey(m.Name) && !jsontree.Equal(is, m.Value)
	})
}
