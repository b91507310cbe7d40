package checks

import "plantstore/conformance/internal/rule"

// sorted: a list has the order that was asked for.
var sorted = rule.Rule{
	Name:        "sorted",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "The items of a list are in the order that the request asks for: numbers as numbers, times as times. Texts are compared by the first lower-case ASCII letters in which they differ, where all languages have one order. Items with the same value, or without one, may be anywhere. An enum may have an order of its own.",
	Explanation: "The items of a list are in the order that the parameter names. Texts are compared only where every usual order agrees; items with the same value may have any order.",
	Fix:         "Apply the parameter to the query of the database, and sort in both directions.",
	Check: func(p *rule.Input) rule.Outcome {
		judged := false
		for _, one := range listings(p) {
			o := orderOf(&one)
			if o == nil {
				continue
			}
			switch kept, wrong := inOrder(p, o, one.items); {
			case wrong != "":
				return rule.Failed("unsorted", "items in the order of "+o.Parameter.Name+" "+shown(p, o.Value), wrong)
			case kept:
				judged = true
			}
		}
		if !judged {
			return rule.None
		}
		return rule.Passed
	},
}
