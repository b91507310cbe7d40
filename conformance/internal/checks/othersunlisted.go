package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// othersUnlisted: a list shows nobody what reading refuses.
var othersUnlisted = rule.Rule{
	Name:        "others-unlisted",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "The list that another principal gets does not tell all that a thing was made with, if reading the thing is refused to that principal, and if the list that the maker gets has it. A list may tell a part of it: there are directories of what not everybody may read. A full page is not judged.",
	Explanation: "With the credential of --auth-other, a list does not show the values of what the usual credential created, if reading it by its key is refused.",
	Fix:         "Apply the owner to the query of the list, as you do for one resource.",
	Check: func(p *rule.Input) rule.Outcome {
		pages, made := listings(p), p.Made()
		if pages == nil || made == nil || made.Sent.Body == nil || made.Sent.Body.Root() == nil {
			return rule.None
		}
		read := readsOf(p, 0, len(p.History))
		if read == nil {
			return rule.None
		}
		mine, key := refusedAfter(p, read), read.Key.Text
		if mine < 0 || !slices.ContainsFunc(pages[:mine], func(l listing) bool { return slices.Contains(l.keys, key) }) {
			return rule.None
		}
		whole := false
		for _, theirs := range pages[mine:] {
			i := slices.Index(theirs.keys, key)
			if i >= 0 && tellsAll(p, made, read, theirs.items[i]) {
				return rule.Failed("listed", "a list without what another principal made with "+made.Op.Name()+", because "+read.Op.Name()+" is refused", "all of it in "+describe(p))
			}
			whole = whole || i >= 0 || theirs.limit() == 0 || int64(len(theirs.items)) < theirs.limit()
		}
		if !whole {
			return rule.None
		}
		return rule.Passed
	},
}

// refusedAfter returns how many lists were read before the last request that reads the thing,
// or -1 if that was not refused after another one had been accepted.
func refusedAfter(p *rule.Input, read *rule.Earlier) int {
	lists := 0
	for i := range p.History {
		if p.History[i].Op == p.Op {
			lists++
		}
	}
	for i := len(p.History) - 1; i >= 0; i-- {
		switch e := &p.History[i]; {
		case e.Op == p.Op:
			lists--
		case e.Op == read.Op && e != read && (e.Got.Status == http.StatusForbidden || e.Got.Status == http.StatusNotFound):
			return lists
		case e.Op == read.Op:
			return -1
		}
	}
	return -1
}

// tellsAll reports whether an item has all values that the thing was made with and that its
// maker reads, and among them a text that no other thing has.
func tellsAll(p *rule.Input, made, read *rule.Earlier, item *jsontree.Value) bool {
	text, sent := false, made.Sent.Body.Root()
	in := thingIn(p, answerOf(read))
	for _, m := range message.Values(made.Op, sent) {
		is := in.Get(m.Name)
		if is == nil || secret(m.Name) || !kept(m.Value, is) {
			continue
		}
		if v := item.Get(m.Name); v == nil || !kept(is, v) {
			return false
		}
		text = text || m.Value.Kind == jsontree.String && len(m.Value.Text) >= leastText
	}
	return text
}
