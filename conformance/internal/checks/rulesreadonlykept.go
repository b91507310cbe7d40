package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// readOnlyKept: the server sets readOnly members, whatever a client sends.
var readOnlyKept = rule.Rule{
	Name:        "read-only-kept",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted request wrote does not have the value that the request gave to a readOnly member. Keys, and values that a server may make too, are not judged, nor is a value that was read before.",
	Explanation: "A value that a client sends for a readOnly member is not stored. The server may ignore it or refuse the request.",
	Fix:         "Copy only the members that clients may set from the body to what you store.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || !p.Got.Success() {
			return rule.None
		}
		sent := written(p, by)
		is, was := unwrapped(p.Got.Reading.Root(), sent), lastRead(p, 0, at)
		if is == nil {
			return rule.None
		}
		out := rule.None
		for _, q := range by.Op.ReadOnly() {
			v, now := sent.Get(q.Name), is.Get(q.Name)
			switch {
			case v == nil || now == nil || !unusual(v) || jsontree.Equal(v, was.Get(q.Name)):
			case kept(v, now):
				return rule.Failed("taken "+q.Name, q.Name+" as the server sets it, because it is readOnly", q.Name+" "+shown(p, now)+", as "+by.Op.Name()+" sent it")
			default:
				out = rule.Passed
			}
		}
		return out
	},
}
