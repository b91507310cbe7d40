package checks

import (
	"slices"
	"strconv"

	"plantstore/conformance/internal/rule"
)

// pageLimit: a list has no more items than were asked for.
var pageLimit = rule.Rule{
	Name:        "page-limit",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A list has at most as many items as the limit of the request says, or its documented default. It may have fewer.",
	Explanation: "A list has at most as many items as the request asks for, or as the default of the parameter says. A server may give fewer.",
	Fix:         "Apply the parameter to the query of the database, and its default where a request has none.",
	Check: func(p *rule.Input) rule.Outcome {
		bound, list := false, listings(p)
		for _, l := range list {
			most, n := l.limit(), int64(len(l.items))
			switch {
			case most < 1:
			case n > most && l.asked(l.is.Limit) == nil:
				return rule.Failed("above the default", "at most "+counted(int(most))+", the default of "+l.is.Limit.Name, counted(int(n)))
			case n > most:
				return rule.Failed("above the limit", "at most "+counted(int(most))+", because "+l.is.Limit.Name+" is "+strconv.FormatInt(most, 10), counted(int(n)))
			case n == most || slices.ContainsFunc(list, func(other listing) bool { return int64(len(other.items)) > most }):
				bound = true
			}
		}
		if !bound {
			return rule.None // the list is shorter
		}
		return rule.Passed
	},
}
