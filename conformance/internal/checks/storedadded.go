package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// storedAdded: a list has what was posted to it.
var storedAdded = rule.Rule{
	Name:        "stored-added",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A list has an item with the key, or with the values, of what an accepted POST to its path made. What waits for an approval, and a full page of a list that the requirements file does not say to have the newest first, are not judged.",
	Explanation: "A list returns the items that were posted to it. The list is read again for as long as --settle says.",
	Fix:         "Store every item that you accept, before you answer.",
	Check: func(p *rule.Input) rule.Outcome {
		by, _ := p.Wrote()
		pages := listings(p)
		if by == nil || by.Op.Method != http.MethodPost || by.Op.Path != p.Op.Path || by.Got == nil || by.Got.Status != http.StatusCreated || len(pages) == 0 {
			return rule.None
		}
		page, given := pages[len(pages)-1], answerOf(by)
		sent := by.Sent.Body.Root()
		if sent == nil || sent.Kind != jsontree.Object || by.Sent.Body.Kind >= openapi.Invalid {
			return rule.None
		}
		atFront := p.Op.Accepted.NewestFirst && p.Op.HasFirst(by.Op) && len(page.items) >= fewItems
		same := func(item *jsontree.Value) bool { return sameItem(page.is.Key, sent, given, item) }
		switch {
		case slices.ContainsFunc(page.items, same):
			return rule.Passed
		case waits(given), !atFront && int64(len(page.items)) >= max(page.limit(), 1) && page.is.Limit != nil, !atFront && len(page.items) >= fewItems:
			return rule.None
		}
		return rule.Failed("not listed", "an item that "+by.Op.Name()+" added", counted(len(page.items))+", none of them with its values")
	},
}

// sameItem reports whether an item of a list is what a request made: it has the key that the
// answer gave, or else the values that were sent.
func sameItem(key string, sent, given, item *jsontree.Value) bool {
	if a, b := given.Get(key), item.Get(key); key != "" && a != nil && b != nil && scalar(a) && a.Text == b.Text {
		return true
	}
	shared := 0
	for _, m := range sent.Members {
		if v := item.Get(m.Name); v != nil {
			if !kept(m.Value, v) {
				return false
			}
			shared++
		}
	}
	return shared > 0
}
