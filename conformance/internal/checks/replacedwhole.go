package checks

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// replacedWhole: what a PUT leaves out does not stay.
var replacedWhole = rule.Rule{
	Name:        "replaced-whole",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PUT replaced does not have the value of a member that the PUT leaves out and the PUT before it gave. It is judged if that PUT changed the value that the thing was made with, so that the member can change, if no server would make the value itself, and if the answer shows another value of the last PUT.",
	Explanation: "A PUT that leaves out an optional member takes away the value that the member had. ReadOnly and required members and keys are not judged, nor are members with a default.",
	Fix:         "Build the new state from the body of the PUT alone, and from what the server makes. Use PATCH for changes of some members.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by.Op.Method != http.MethodPut || by == p.Made() || !p.Got.Success() {
			return rule.None
		}
		sent := written(p, by)
		is := unwrapped(p.Got.Reading.Root(), sent)
		before := lastWrite(p, at)
		if is == nil || !showsNew(p, at, sent, is) {
			return rule.None
		}
		if before <= 0 || p.History[before].Op != by.Op {
			return rule.None
		}
		given, was := written(p, &p.History[before]), lastRead(p, before, at)
		compared := false
		for _, q := range by.Op.Droppable(false) {
			v, first, seen := given.Get(q.Name), sentBefore(p, before, q.Name), was.Get(q.Name)
			if sent.Get(q.Name) != nil || v == nil || first == nil || seen == nil || secret(q.Name) || madeByServer(p, q.Name) {
				continue
			}
			if of := propertyOf(p, q.Name); !unusual(v) || kept(first, v) || !kept(v, seen) || of != nil && of.Required && !of.Schema.Allows("null") {
				continue
			}
			compared = true
			if now := is.Get(q.Name); now != nil && now.Kind == v.Kind && kept(v, now) {
				return rule.Failed("kept "+q.Name, "no "+q.Name+", because "+by.Op.Name()+" leaves it out", q.Name+" "+shown(p, now)+", as before")
			}
		}
		if !compared {
			return rule.None
		}
		return rule.Passed
	},
}
