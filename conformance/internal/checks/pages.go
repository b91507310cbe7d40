package checks

import (
	"slices"
	"strconv"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var paged = plan.Mutator{
	Name: "paged",
	Doc:  "Makes things and reads their list in pages of a few items and in a large one, because a server may ignore the limit, or lose or repeat items between two pages.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil || l.Limit == nil {
			return nil
		}
		rules := judges(pageLimit)
		pages := l.Follows() != nil && l.Key != "" && l.Many > l.Few
		if pages {
			rules = append(rules, pagesDisjoint.Name, pagesComplete.Name)
		}
		made := min(int(l.Few+1), maxMade)
		if l.make == nil {
			made = 0
		}
		first := 0
		if pages {
			first = made + 1
		}
		_, last := l.lastCounted(l.page(plan.Probe(l.op), l.Few), first)
		if last || pages && l.Cursor != nil && (l.Total != "" || l.TotalField != "") {
			rules = append(rules, total.Name)
		}
		return []plan.Class{l.class("pages", rules, func(g *plan.Gen, _ int) []plan.Step {
			steps := l.begin(l.made(g, made))
			from := len(steps)
			if pages {
				next := l.page(g, l.Few)
				next.From = plan.Follow{From: first}
				begin := l.page(g, l.Few)
				if l.Page != nil {
					begin.Message.Set(l.Page.Place(), jsontree.NewInt(l.First))
				}
				steps = append(steps, l.page(g, l.Many), begin, next)
				if l.Cursor != nil {
					last := next // a server may give fewer items than it is asked for
					last.Message = next.Message.Clone()
					steps = append(steps, last)
				}
				steps = append(steps, l.page(g, l.Many))
			} else {
				steps = append(steps, l.page(g, l.Few))
			}
			if l.Limit.Schema.Default != nil {
				steps = append(steps, l.page(g, 0))
			}
			if last {
				step, _ := l.lastCounted(l.page(g, l.Few), first)
				steps = append(steps, step)
			}
			return readAgain(steps, from)
		})}
	},
}

// pageLimit: a list has no more items than were asked for.
var pageLimit = requirement.Rule{
	Name:        "page-limit",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a page has more items than the limit",
	Line:        "paging",
	Doc:         "A list has at most as many items as the limit of the request says, or its documented default. It may have fewer.",
	Explanation: "A list has at most as many items as the request asks for, or as the default of the parameter says. A server may give fewer.",
	Fix:         "Apply the parameter to the query of the database, and its default where a request has none.",
	Check: func(p *requirement.Input) requirement.Outcome {
		bound, list := false, listings(p)
		for _, l := range list {
			maximum, n := l.limit(), int64(len(l.items))
			switch {
			case maximum < 1:
			case n > maximum && l.asked(l.is.Limit) == nil:
				return requirement.Failed("above the default", "at most "+counted(int(maximum))+", the default of "+l.is.Limit.Name, counted(int(n)))
			case n > maximum:
				return requirement.Failed("above the limit", "at most "+counted(int(maximum))+", because "+l.is.Limit.Name+" is "+strconv.FormatInt(maximum, 10), counted(int(n)))
			case n == maximum || slices.ContainsFunc(list, func(other listing) bool { return int64(len(other.items)) > maximum }):
				bound = true
			}
		}
		if !bound {
			return requirement.None // the list is shorter
		}
		return requirement.Passed
	},
}

// pagesComplete: the pages hold what one large page holds.
var pagesComplete = requirement.Rule{
	Name:        "pages-complete",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "the pages lack items of the list",
	Line:        "paging",
	Doc:         "Pages that follow each other hold, in the same order, what one large page holds, as far as both go. Nothing is judged if the list changed meanwhile, or if a page does not begin where the large one does.",
	Explanation: "The items of several pages are those of one large page. If the list changed while it was read, it is read again for as long as --settle says, and then not judged.",
	Fix:         "Begin each page right behind the last item of the page before, and name a next page as long as there is one.",
	Check: func(p *requirement.Input) requirement.Outcome {
		pages, whole, ok := walk(p)
		if !ok {
			return requirement.None
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
			return requirement.None
		}
		rest := whole.keys[from:]
		for i := range min(len(rest), len(joined)) {
			if rest[i] != joined[i] {
				return requirement.Failed("lost", "the items of one large page", p.Op.Listing.Key+" "+p.Shorten(joined[i], 40)+" instead of "+p.Shorten(rest[i], 40))
			}
		}
		last := pages[len(pages)-1]
		ended := len(last.items) == 0 || p.Op.Listing.Cursor != nil && last.page.Next(p.Op.Listing) == nil
		switch {
		case ended && len(joined) < len(rest):
			return requirement.Failed("ended", counted(len(rest))+" on all pages, as on one large page", "an end after "+counted(len(joined)))
		case len(rest) <= len(pages[0].keys) || len(joined) <= len(pages[0].keys):
			return requirement.None
		}
		return requirement.Passed
	},
}

// pagesDisjoint: no item is on two pages.
var pagesDisjoint = requirement.Rule{
	Name:        "pages-disjoint",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "two pages have an item in common",
	Line:        "paging",
	Doc:         "Pages that follow each other have no item in common. Nothing is judged if the list changed meanwhile.",
	Explanation: "Two pages that follow each other have no item in common. If the list changed while it was read, it is read again for as long as --settle says, and then not judged.",
	Fix:         "Sort a list by something that no two items share before you cut it into pages, and begin each page behind the last item of the page before.",
	Check: func(p *requirement.Input) requirement.Outcome {
		pages, _, ok := walk(p)
		if !ok || len(pages) < 2 {
			return requirement.None
		}
		seen, several := map[string]bool{}, 0
		for i, page := range pages {
			for _, key := range page.keys {
				if seen[key] {
					return requirement.Failed("twice", "other items than on the pages before", p.Op.Listing.Key+" "+p.Shorten(key, 40)+" again on page "+strconv.Itoa(i+1))
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
			return requirement.None
		}
		return requirement.Passed
	},
}

// total: the total counts the items of all pages.
var total = requirement.Rule{
	Name:        "total",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "the total is not the number of items",
	ExplainedBy: []*requirement.Rule{&pagesDisjoint, &pagesComplete},
	Line:        "total",
	Doc:         "A page that begins with the last item that the total counts has that item alone. Where pages end, they have as many items as the total says. A page has no more. Nothing is judged if the total changed meanwhile.",
	Explanation: "The total is the number of items on all pages, with the filters of the request.",
	Fix:         "Count with the conditions of the query that reads the page, and without its limit.",
	Check: func(p *requirement.Input) requirement.Outcome {
		l, judged := p.Op.Listing, false
		pages, whole, ok := walk(p)
		if l == nil || l.Guessed && !ok {
			return requirement.None
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
			return requirement.None
		}
		return requirement.Passed
	},
}

func miscounted(n int64, got string) requirement.Outcome {
	return requirement.Failed("miscounted", counted(int(n))+", as the total says", got)
}
