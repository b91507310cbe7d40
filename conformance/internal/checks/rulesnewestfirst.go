package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/rule"
)

// newestFirst: the newest item comes first.
var newestFirst = rule.Rule{
	Name:        "newest-first",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "The case makes two items, a second apart, and reads the list without asking for an order. The newer item is on the first page, before the older one. They are told apart by their keys.",
	Explanation: "Where the description of a list says that the newest items come first, an item comes before all older ones.",
	Fix:         "Sort the list by the time at which the items were made, the newest first.",
	Check: func(p *rule.Input) rule.Outcome {
		pages := listings(p)
		if len(pages) == 0 {
			return rule.None
		}
		page := pages[len(pages)-1]
		if slices.ContainsFunc(page.is.Orders, func(o openapi.Order) bool { return page.asked(o.Parameter) != nil }) {
			return rule.None
		}
		var at []int
		pending := false
		for i := range p.History {
			e := &p.History[i]
			if e.Op.Method != http.MethodPost || e.Got == nil || e.Got.Status != http.StatusCreated {
				continue
			}
			made := answerOf(e)
			key := resource.Key(page.is, made)
			if key == "" {
				return rule.None
			}
			pending = pending || waits(made)
			at = append(at, slices.Index(page.keys, key))
		}
		switch {
		case len(at) != 2 || !page.first():
			return rule.None
		case at[1] < 0 && len(page.items) >= fewItems && !pending:
			return rule.Failed("not first", "the item that was made last, on the first page", counted(len(page.items))+" without it")
		case at[0] < 0 || at[1] < 0 || at[0] == at[1]:
			return rule.None
		case at[0] < at[1]:
			return rule.Failed("order", "the newer item before the older one", "the older item before the newer one")
		}
		return rule.Passed
	},
}
