package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// siblingsKept: what deletes one thing leaves the others.
var siblingsKept = rule.Rule{
	Name:        "siblings-kept",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Kind names the operation that deletes. A thing that was read before an accepted DELETE of another one is not answered with 404 or 410 behind it, and a list that had it has it still. A list is judged if reading the thing gives the same before and after, and if the page lost items and is the last one.",
	Explanation: "After one of two resources is deleted, the other one can be read, and is in the list that contained it. The request is repeated for as long as --settle says.",
	Fix:         "Delete by the key of one resource: check the condition of the statement, and what it cascades to.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := dropped(p)
		if by == nil || by.Op.Slug != p.Requirement.Args.Kind {
			return rule.None
		}
		was := readsOf(p, 0, at)
		if was == nil || was.Key.Text == by.Key.Text {
			return rule.None // one thing, made twice
		}
		if was.Op != p.Op {
			return stillListed(p, by, was, readsOf(p, at, len(p.History)))
		}
		switch {
		case p.Got.Success():
			return rule.Passed
		case !p.Got.Missing():
			return rule.None
		}
		return verdictOf(false, p, "a success, because "+by.Op.Name()+" deleted another one")
	},
}

// dropped returns the last request that deleted another thing than the case is about, and
// its place in the history. It is nil if none was accepted.
func dropped(p *rule.Input) (*rule.Earlier, int) {
	for i := len(p.History) - 1; i >= 0; i-- {
		if e := &p.History[i]; e.Op.Method == http.MethodDelete && e.Aside && e.Key != nil && e.Got.Success() {
			return e, i
		}
	}
	return nil, -1
}

// stillListed judges the last page of a list that had a thing before another one was
// deleted. Where the thing changed meanwhile, the list may leave it out for that.
func stillListed(p *rule.Input, by, was, is *rule.Earlier) rule.Outcome {
	pages := listings(p)
	if is == nil || len(pages) < 2 || !jsontree.Equal(answerOf(was), answerOf(is)) {
		return rule.None
	}
	before, now := pages[len(pages)-2], pages[len(pages)-1]
	switch {
	case !slices.Contains(before.keys, was.Key.Text):
		return rule.None
	case slices.Contains(now.keys, was.Key.Text):
		return rule.Passed
	case len(now.items) >= len(before.items) || now.is.Cursor != nil && now.page.Next(now.is) != nil:
		return rule.None // it may be on another page by now
	}
	return rule.Failed("not listed", "a list with what was not deleted", counted(len(now.items))+" without it, after "+by.Op.Name()+" deleted another one")
}
