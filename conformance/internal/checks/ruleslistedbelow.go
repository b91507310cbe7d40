package checks

import (
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// listedBelow: a list below one thing has nothing of another one.
var listedBelow = rule.Rule{
	Name:        "listed-below",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A list below a thing that the case made last has no item with a text of what a POST made below another one.",
	Explanation: "A list of what is below one resource (GET /parents/2/things) does not contain what was created below another one. Resources that can be created or put elsewhere too are not judged.",
	Fix:         "Select the items by the key of the resource above them that the path has.",
	Check: func(p *rule.Input) rule.Outcome {
		by := maker(p)
		if by == nil || by.Op.Path != p.Op.Path || p.Op.Listing == nil || !p.Got.Success() || sameAbove(p, by) {
			return rule.None
		}
		items, found := p.Got.Page().Items(p.Op.Listing)
		if !found {
			return rule.None
		}
		for _, item := range items {
			if tells(p, item) {
				return rule.Failed("listed", "a list without what "+by.Op.Name()+" made below another one", "it in "+describe(p))
			}
		}
		return rule.Passed
	},
}

// sameAbove reports whether a request of the history is about the same thing as this one.
func sameAbove(p *rule.Input, by *rule.Earlier) bool {
	for _, name := range openapi.Expressions(p.Op.Path) {
		at := openapi.PathPlace(name)
		a, b := by.Sent.Body.At(at), p.Sent.Body.At(at)
		if a == nil || b == nil || a.Text != b.Text {
			return a == nil || b == nil
		}
	}
	return true
}
