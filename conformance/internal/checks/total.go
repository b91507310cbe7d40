package checks

import (
	"strconv"

	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

// total: the total counts the items of all pages.
var total = rule.Rule{
	Name:        "total",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A page that begins with the last item that the total counts has that item alone. Where pages end, they have as many items as the total says. A page has no more. Nothing is judged if the total changed meanwhile.",
	Explanation: "The total is the number of items on all pages, with the filters of the request.",
	Fix:         "Count with the conditions of the query that reads the page, and without its limit.",
	Check: func(p *rule.Input) rule.Outcome {
		l, judged := p.Op.Listing, false
		pages, whole, ok := walk(p)
		if l == nil || l.Guessed && !ok {
			return rule.None
		}
		first := l.First
		if ok {
			first = resource.First(l, whole.items, pages[0].items)
		}
		for _, one := range listings(p) {
			n, known := one.page.Total(l)
			if !known {
				continue
			}
			skipped, count := one.skipped(first), int64(len(one.items))
			switch {
			case count > 0 && skipped+count > n:
				return miscounted(n, "more: "+counted(int(count))+" behind the first "+strconv.FormatInt(skipped, 10))
			case n < 1 || skipped != n-1 || one.asked(l.Follows()) == nil:
			case count == 0:
				return miscounted(n, "fewer: none at "+l.Follows().Name+" "+one.asked(l.Follows()).Text)
			default:
				judged = true
			}
		}
		if ok && l.Cursor != nil && pages[len(pages)-1].page.Next(l) == nil {
			count := 0
			for _, page := range pages {
				count += len(page.items)
			}
			for _, page := range pages {
				switch n, known := page.page.Total(l); {
				case !known:
				case n != int64(count):
					return miscounted(n, counted(count)+" on all pages")
				default:
					judged = true
				}
			}
		}
		if !judged {
			return rule.None
		}
		return rule.Passed
	},
}

func miscounted(n int64, got string) rule.Outcome {
	return rule.Failed("miscounted", counted(int(n))+", as the total says", got)
}
