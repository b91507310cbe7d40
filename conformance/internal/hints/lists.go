package hints

import (
	"regexp"

	"plantstore/conformance/report"
)

var (
	notListed = regexp.MustCompile(`(?i)\b(disappears? from|(not|neither|never|no longer) (found nor |be |appears? (in|on) )?(listed|lists?)|(removed|gone) from (the|all|every) lists?)\b`)
	deleted   = regexp.MustCompile(`(?i)\b(deleted|removed)\b`)
	inTheList = regexp.MustCompile(`(?i)\b(is|appears?|added|adds|shown|found|listed) (then |also )?(in|on|to) (the|every|all|each) lists?\b|\b(in|on) (the|every|each) list (from|as soon|at once|right|immediately)\b`)
	newest    = regexp.MustCompile(`(?i)\b(newest|latest|most recent(ly (added|created|made|posted))?|last (added|created|made|posted)) (\w+ )?(come |comes |is |are )?first\b`)
	// outranked matches texts that put something else before the newest items.
	outranked = regexp.MustCompile(`(?i)\b(then|within|among|each|per|group\w*|pinned|sticky|followed)\b|\bfirst\b.*\bfirst\b`)
	countsAll = regexp.MustCompile(`(?i)\b(all|other) pages\b|\bfilters?\b|\bmatch(es|ing)?\b|\bregardless of\b.{0,20}\b(page|paging|pagination|limit|offset)\b`)
	roughly   = regexp.MustCompile(`(?i)\b(this|the current|a|each) page\b|\b(approximate\w*|estimate\w*|about|roughly|at most|up to|capped|may|might|can)\b`)
	onlySome  = regexp.MustCompile(`(?i)\bonly\b`)
	mostItems = regexp.MustCompile(`(?i)\b(max(imum|imal)?|at most|up to|number of|how many|size)\b`)
	inOrder   = regexp.MustCompile(`(?i)\b(sort|order|ascend|descend)`)
	ofPages   = regexp.MustCompile(`(?i)\b(skip\w*|page|pages|cursor|next_?cursor|offset|before|after|next)\b`)
)

// Unlisted returns the sentence that says that what was deleted is in no list any more.
func Unlisted(texts []Text) *report.Evidence {
	return says("what was deleted is in no list", texts, notListed)
}

// Gone returns the sentence about the answer 410 that says that it is for what was deleted.
func Gone(texts []Text) *report.Evidence {
	return says("410 is for what was deleted", texts, deleted)
}

// Listed returns the sentence that says that what was made is in the list of such things.
func Listed(texts []Text) *report.Evidence {
	return saysAlways("what was made is in the list", texts, inTheList)
}

// NewestFirst returns the sentence that says that the newest items come first in a list.
func NewestFirst(texts []Text) *report.Evidence {
	said := saysAlways("the newest items come first", texts, newest)
	for _, t := range texts {
		if said != nil && t.Place == said.Place && outranked.MatchString(t.Said) {
			return nil
		}
	}
	return said
}

// CountsAll returns the sentence that says of a total that it counts the items of all pages: "How
// many match the filters, on all pages together."
func CountsAll(t Text) *report.Evidence {
	return saysPlainly("it counts the items of all pages", t, countsAll, roughly)
}

// Only returns the sentence that says of a parameter that it keeps items out.
func Only(t Text) *report.Evidence {
	return says("the list has only items with this value", []Text{t}, onlySome)
}

// Bounds returns the sentence that says of a parameter that it bounds how many items a page has.
func Bounds(t Text) *report.Evidence {
	return says("it bounds how many items a page has", []Text{t}, mostItems)
}

// Pages returns the sentence that says of a parameter that it chooses a page.
func Pages(t Text) *report.Evidence { return says("it chooses a page", []Text{t}, ofPages) }

// Sorts returns the sentence that says of a parameter that it orders the items.
func Sorts(t Text) *report.Evidence { return says("it orders the items", []Text{t}, inOrder) }
