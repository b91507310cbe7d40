package rules

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// unlisted: what was deleted is in no list.
var unlisted = rule.Rule{
	Name:        "unlisted",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Kind names the operation that deletes. A list has no item with the key of what an accepted DELETE deleted, if it had one before. An item that changed may say that it is deleted.",
	Explanation: "A list that contained a resource does not contain it any more after it was deleted. The list is read again for as long as --settle says.",
	Fix:         "Remove deleted resources from the indexes, caches and queries that lists use.",
	Check: func(p *rule.Input) rule.Outcome {
		by, before := p.Last(http.MethodDelete), p.Last(http.MethodGet)
		if by == nil || by.Key == nil || by.Got.Status == http.StatusAccepted || before == nil || before.Op != p.Op || !p.Got.Success() {
			return rule.None
		}
		was, is := itemOf(before.Got.Reading.Root(), by.Key), itemOf(p.Got.Reading.Root(), by.Key)
		switch {
		case was == nil || p.Got.Reading.Root() == nil:
			return rule.None
		case is == nil:
			return rule.Passed
		case !jsontree.Equal(was, is):
			return rule.None
		}
		return rule.Failed("listed", "a list without what "+by.Op.Name()+" deleted", "the deleted item in "+describe(p))
	},
}

// listDepth is how deep in an answer a list may be.
const listDepth = 3

// itemOf returns the item of a list that has a key, or nil.
func itemOf(v, key *jsontree.Value) *jsontree.Value { return itemWithin(v, key, listDepth) }

func itemWithin(v, key *jsontree.Value, depth int) *jsontree.Value {
	if v == nil || depth == 0 {
		return nil
	}
	for _, item := range v.Items {
		for _, m := range item.Members {
			if scalar(m.Value) && m.Value.Text == key.Text {
				return item
			}
		}
	}
	for _, m := range v.Members {
		if item := itemWithin(m.Value, key, depth-1); item != nil {
			return item
		}
	}
	return nil
}
