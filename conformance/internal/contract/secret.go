package contract

import (
	"regexp"
	"slices"
)

var (
	neverBack = regexp.MustCompile(`(?i)\b(never|not|no longer)\b.{0,30}\b(returned|shown?|sent back|included|part of|present|appears?|visible|disclosed|exposed|given back|comes? back)\b`)
	sometimes = regexp.MustCompile(`(?i)\b(unless|except|by default|again|once|after|afterwards|later|other than)\b`)
	countsAll = regexp.MustCompile(`(?i)\b(all|other) pages\b|\bfilters?\b|\bmatch(es|ing)?\b|\bregardless of\b.{0,20}\b(page|paging|pagination|limit|offset)\b`)
	roughly   = regexp.MustCompile(`(?i)\b(this|the current|a|each) page\b|\b(approximate\w*|estimate\w*|about|roughly|at most|up to|capped|may|might|can)\b`)
)

// NeverBack reports whether the document says of what a pointer names that no answer has it: "It
// is never returned."
func (c *Contract) NeverBack(pointer string) bool { return c.tells(pointer, neverBack, sometimes) }

// CountsAll reports whether the document says of what a pointer names that it counts the things of
// all pages: "How many match the filters, on all pages together."
func (c *Contract) CountsAll(pointer string) bool { return c.tells(pointer, countsAll, roughly) }

// tells reports whether a sentence about what a pointer names matches, and nothing in the text
// weakens it.
func (c *Contract) tells(pointer string, what, less *regexp.Regexp) bool {
	found, text := false, prose(c.follow(c.root.At(pointer)))
	for sentence := range sentences(text) {
		found = found || what.MatchString(sentence)
	}
	return found && !less.MatchString(text)
}

// KeepsSecrets reports whether the document says so of all that is writeOnly in the body of an
// operation.
func (c *Contract) KeepsSecrets(op *Operation) bool {
	list := op.writeOnly()
	return len(list) > 0 && !slices.ContainsFunc(list, func(m Member) bool { return !c.NeverBack(m.Schema.Pointer) })
}
