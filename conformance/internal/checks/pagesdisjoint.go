package checks

import (
	"strconv"

	"plantstore/conformance/internal/rule"
)

// pagesDisjoint: no item is on two pages.
var pagesDisjoint = rule.Rule{
	Name:        "pages-disjoint",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Pages that follow each other have no item in common. Nothing is judged if the list changed meanwhile.",
	Explanation: "Two pages that follow each other have no item in common. If the list changed while it was read, it is read again for as long as --settle says, and then not judged.",
	Fix:         "Sort a list by something that no two items share before you cut it into pages, and begin each page behind the last item of the page before.",
	Check: func(p *rule.Input) rule.Outcome {
		pages, _, ok := walk(p)
		if !ok || len(pages) < 2 {
			return rule.None
		}
		seen, several := map[string]bool{}, 0
		for i, page := range pages {
			for _, key := range page.keys {
				if seen[key] {
					return rule.Failed("twice", "other items than on the pages before", p.Op.Listing.Key+" "+p.Shorten(key, 40)+" again on page "+strconv.Itoa(i+1))
				}
			}
			for _, key := range page.keys {
				seen[key] = true
			}
			if len(page.keys) > 0 {
				several++
			}
		}
		if several < 2 {
			return rule.None
		}
		return rule.Passed
	},
}
