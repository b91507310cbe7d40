package rules

import (
	"net/http"

	"plantstore/conformance/internal/rule"
)

// patchLeavesRest: a PATCH leaves what it does not name.
var patchLeavesRest = rule.Rule{
	Name:        "patch-leaves-rest",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PATCH changed has the values from before at members that the thing was made with and the PATCH does not have.",
	Explanation: "A PATCH that names some members of a resource leaves the others as they were.",
	Fix:         "Change only the members that the PATCH has: a member that is missing is not null, and takes no default.",
	Check: func(p *rule.Input) rule.Outcome {
		by, before, made := p.Last(http.MethodPatch), p.Last(http.MethodGet), p.Made()
		if by == nil || before == nil || !p.Got.Success() || by.Got.Status == http.StatusAccepted || by.Sent.Body == nil || made.Sent.Body == nil {
			return rule.None
		}
		patch, given := by.Sent.Body.Root(), made.Sent.Body.Root()
		was, is := unwrapped(before.Got.Reading.Root(), given), unwrapped(p.Got.Reading.Root(), given)
		switch {
		case was == nil || p.Got.Reading.Root() == nil:
			return rule.None
		case is == nil:
			is = p.Got.Reading.Root() // without any of them
		}
		compared := false
		for _, m := range given.Members {
			a, b := was.Get(m.Name), is.Get(m.Name)
			if patch.Get(m.Name) != nil || a == nil || secret(m.Name) {
				continue
			}
			compared = true
			if b == nil || !kept(a, b) {
				return rule.Failed("changed "+m.Name, m.Name+" as before the PATCH, which does not name it", m.Name+" "+shown(p, b))
			}
		}
		if !compared {
			return rule.None
		}
		return rule.Passed
	},
}
