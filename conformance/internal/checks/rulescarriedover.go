package checks

import (
	"slices"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// carriedOver: a thing has no members of the one that was made before it.
var carriedOver = rule.Rule{
	Name:        "carried-over",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A thing that was made without a member does not have the value that the request before it gave to that member of another thing. A value that a thing had even before that request is a default. A value of fewer than four characters is not judged: it may be equal by chance.",
	Explanation: "A resource has no value of another one that was created before it.",
	Fix:         "Make a new object for each request, and set every member of it: do not reuse one that still has the values of the last request.",
	Check: func(p *rule.Input) rule.Outcome {
		if len(p.History) < 4 || !p.Got.Success() || p.Op != p.History[1].Op {
			return rule.None
		}
		before, of, made := &p.History[1], &p.History[2], &p.History[3]
		given, sent, is := bodyOfMade(of), bodyOfMade(made), thingIn(p, p.Got.Reading.Root())
		was, key := thingIn(p, answerOf(before)), keySent(p.Op, p.Sent)
		if given == nil || sent == nil || is == nil || was == nil || !before.Got.Success() || key == nil || before.Key == nil || jsontree.Equal(key, before.Key) {
			return rule.None // or one thing, made twice
		}
		out := rule.None
		for _, m := range given.Members {
			if sent.Get(m.Name) != nil || !telling(m.Value) || holds(was.Get(m.Name), m.Value) {
				continue
			}
			if holds(is.Get(m.Name), m.Value) {
				return rule.Failed("carried over "+m.Name, "no "+m.Name+" of the resource that was made before", m.Name+" "+shown(p, is.Get(m.Name)))
			}
			out = rule.Passed
		}
		return out
	},
}

// bodyOfMade returns the body of an accepted request that made a thing, or nil.
func bodyOfMade(e *rule.Earlier) *jsontree.Value {
	if root := e.Sent.Body.Root(); e.Got.Success() && root != nil && root.Kind == jsontree.Object {
		return root
	}
	return nil
}

// telling reports whether a value is one that a server does not choose by chance.
func telling(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.Array:
		return slices.ContainsFunc(v.Items, telling)
	case jsontree.Object:
		return slices.ContainsFunc(v.Members, func(m jsontree.Member) bool { return telling(m.Value) })
	}
	return scalar(v) && utf8.RuneCountInString(v.Text) >= leastText
}
