package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// unlisted: what was deleted is in no list.
var unlisted = rule.Rule{
	Name:        "unlisted",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Kind names the operation that deletes. A list has no item with the key of what an accepted DELETE deleted, if it had one before. An item that changed may say that it is deleted. Every list behind the deletion counts, whatever its parameters.",
	Explanation: "A list that contained a resource does not contain it any more after it was deleted. The list is read again for as long as --settle says.",
	Fix:         "Remove deleted resources from the indexes, caches and queries that lists use.",
	Check: func(p *rule.Input) rule.Outcome {
		by := p.Last(http.MethodDelete)
		if by == nil || by.Key == nil || by.Got.Status == http.StatusAccepted || !p.Got.Success() || p.Got.Reading.Root() == nil {
			return rule.None
		}
		before, after := listsAround(p, by)
		judged := false
		for _, old := range before {
			was := itemOf(p, old, by.Key)
			for _, now := range after {
				is := itemOf(p, now, by.Key)
				switch {
				case was == nil:
				case is == nil:
					judged = true
				case !jsontree.Equal(was, is):
				default:
					return rule.Failed("listed", "a list without what "+by.Op.Name()+" deleted", "the deleted item in "+describe(p))
				}
			}
		}
		if !judged {
			return rule.None
		}
		return rule.Passed
	},
}

// listsAround returns what the operation answered before and after a request of the history.
// Lists with other parameters are among them: they may come from another index.
func listsAround(p *rule.Input, by *rule.Earlier) (before, after []*jsontree.Value) {
	later := false
	for i := range p.History {
		e := &p.History[i]
		later = later || e == by
		switch {
		case e.Op != p.Op || !e.Got.Success() || answerOf(e) == nil:
		case later:
			after = append(after, answerOf(e))
		default:
			before = append(before, answerOf(e))
		}
	}
	return before, append(after, p.Got.Reading.Root())
}

// listDepth is how deep in an answer a list may be.
const listDepth = 3

// itemOf returns the item of a list that has a key, or nil. A short key may also be the value
// of another member.
func itemOf(p *rule.Input, v, key *jsontree.Value) *jsontree.Value {
	return itemWithin(v, listDepth, func(m jsontree.Member) bool {
		return scalar(m.Value) && m.Value.Text == key.Text && (len(key.Text) >= longKey || p.Op.Listing == nil || p.Op.Listing.Key == "" || m.Name == p.Op.Listing.Key)
	})
}

// longKey is the length of a key that nothing else is by chance.
const longKey = 8

func itemWithin(v *jsontree.Value, depth int, names func(jsontree.Member) bool) *jsontree.Value {
	if v == nil || depth == 0 {
		return nil
	}
	for _, item := range v.Items {
		if slices.ContainsFunc(item.Members, names) {
			return item
		}
	}
	for _, m := range v.Members {
		if item := itemWithin(m.Value, depth-1, names); item != nil {
			return item
		}
	}
	return nil
}
