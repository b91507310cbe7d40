package main

// listMutants are those of the rules about lists.
func listMutants() []mutant {
	return []mutant{
		{
			Name: "changed-list-judged", File: "lists.go",
			Old: `if key == "" || seen[key] || key != large[1].keys[i] {`, New: `if key == "" || seen[key] || i < 0 {`,
			Why: "a server fails whose list others change",
		},
		{
			Name: "shorter-page-fails", File: "pages.go",
			Old: `ended := len(last.items) == 0 ||`, New: `ended := len(last.items) < len(pages[0].items) ||`,
			Why: "a server fails that gives fewer items than it is asked for",
		},
		{
			Name: "empty-list-keeps-the-limit", File: "pages.go",
			Old: `if !bound {`, New: `if !bound && list == nil {`,
			Why: "a limit passes that no list was long enough to show",
		},
		{
			Name: "default-ignored", File: "lists.go",
			Old: `v = l.is.Limit.Schema.Default`, New: `v = nil`,
			Why: "a server passes that gives more than its default",
		},
		{
			Name: "total-never-too-large", File: "pages.go",
			Old: `case count == 0:`, New: `case false:`,
			Why: "a total passes that counts what no page has",
		},
		{
			Name: "filter-loses-what-it-finds", File: "filterjudged.go",
			Old: `if known && must && reaches(p, &part, &whole, item)`, New: `if known && must && part.is == nil && reaches(p, &part, &whole, item)`,
			Why: "a filter passes that finds nothing",
		},
		{
			Name: "page-of-a-filter-is-all", File: "lists.go",
			Old: `if !page.first() {`, New: `if false {`,
			Why: "a server fails whose last page has fewer items",
		},
		{
			Name: "full-page-shows-all", File: "lists.go",
			Old: `if last == nil || is == nil || inDirection(o, is, last) >= 0 {`, New: `if last == nil || is == nil {`,
			Why: "a server fails whose full page ends before an item",
		},
		{
			Name: "any-tag-must-be-listed", File: "filterjudged.go",
			Old: `must = exact == len(wanted) || exact > 0 && either`, New: `must = exact > 0`,
			Why: "a server fails whose filter wants all of several values",
		},
		{
			Name: "bound-itself-fails", File: "filterbounds.go",
			Old: `case day && otherDay:`, New: `case true:`,
			Why: "a server fails whose days begin in another zone",
		},
		{
			Name: "bound-far-away-shows", File: "filterjudged.go",
			Old: `} else if known && shows {`, New: `} else if known {`,
			Why: "a bound passes that kept nothing out",
		},
		{
			Name: "numbers-sorted-as-texts", File: "order.go",
			Old: `return jsontree.Compare(a.Text, b.Text)`, New: `return strings.Compare(a.Text, b.Text)`,
			Why: "a server fails that sorts 9 before 10",
		},
		{
			Name: "czech-order-fails", File: "order.go",
			Old: `if at == 0 && !strings.HasPrefix(a, "ch") && !strings.HasPrefix(b, "ch") {`, New: `if true {`,
			Why: "a server fails that sorts as a language does",
		},
	}
}
