package rules

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// newestFirst: what was made later is before what was made earlier.
var newestFirst = rule.Rule{
	Name:        "newest-first",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Of two items that the case made, a second apart, the later one is before the earlier one in a list without an order that was asked for. They are told apart by their keys. The later one is on the first page.",
	Explanation: "Where the description of a list says that the newest items come first, an item comes before those that were made before it.",
	Fix:         "Sort the list by the time at which an item was made, the last one first.",
	Check: func(p *rule.Input) rule.Outcome {
		pages := listings(p)
		if len(pages) == 0 {
			return rule.None
		}
		page := pages[len(pages)-1]
		if slices.ContainsFunc(page.is.Orders, func(o contract.Order) bool { return page.asked(o.Parameter) != nil }) {
			return rule.None
		}
		var at []int
		pending := false
		for i := range p.History {
			e := &p.History[i]
			if e.Op.Method != http.MethodPost || e.Got == nil || e.Got.Status != http.StatusCreated {
				continue
			}
			key := answerOf(e).Get(page.is.Key)
			if page.is.Key == "" || key == nil || !scalar(key) {
				return rule.None
			}
			pending = pending || waits(answerOf(e))
			at = append(at, slices.IndexFunc(page.items, func(item *jsontree.Value) bool {
				v := item.Get(page.is.Key)
				return v != nil && v.Kind == key.Kind && v.Text == key.Text
			}))
		}
		switch {
		case len(at) != 2 || page.asked(page.is.Follows()) != nil:
			return rule.None
		case at[1] < 0 && len(page.items) >= fewItems && !pending:
			return rule.Failed("not first", "the item that was made last on the first page", counted(len(page.items))+" without it")
		case at[0] < 0 || at[1] < 0 || at[0] == at[1]:
			return rule.None
		case at[0] < at[1]:
			return rule.Failed("order", "the item that was made last before the one that was made before it", "it behind that one")
		}
		return rule.Passed
	},
}
