package checks

import (
	"slices"

	"plantstore/conformance/internal/rule"
)

// pagesComplete: the pages hold what one large page holds.
var pagesComplete = rule.Rule{
	Name:        "pages-complete",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Pages that follow each other hold, in the same order, what one large page holds, as far as both go. Nothing is judged if the list changed meanwhile, or if a page does not begin where the large one does.",
	Explanation: "The items of several pages are those of one large page. If the list changed while it was read, it is read again for as long as --settle says, and then not judged.",
	Fix:         "Begin each page right behind the last item of the page before, and name a next page as long as there is one.",
	Check: func(p *rule.Input) rule.Outcome {
		pages, whole, ok := walk(p)
		if !ok {
			return rule.None
		}
		var joined []string
		for _, page := range pages {
			joined = append(joined, page.keys...)
		}
		from := 0
		if len(joined) > 0 {
			from = slices.Index(whole.keys, joined[0])
		}
		if from < 0 {
			return rule.None
		}
		rest := whole.keys[from:]
		for i := range min(len(rest), len(joined)) {
			if rest[i] != joined[i] {
				return rule.Failed("lost", "the items of one large page", p.Op.Listing.Key+" "+p.Shorten(joined[i], 40)+" instead of "+p.Shorten(rest[i], 40))
			}
		}
		last := pages[len(pages)-1]
		ended := len(last.items) == 0 || p.Op.Listing.Cursor != nil && last.page.Next(p.Op.Listing) == nil
		switch {
		case ended && len(joined) < len(rest):
			return rule.Failed("ended", counted(len(rest))+" on all pages, as on one large page", "an end after "+counted(len(joined)))
		case len(rest) <= len(pages[0].keys) || len(joined) <= len(pages[0].keys):
			return rule.None
		}
		return rule.Passed
	},
}
