package contract

import (
	"regexp"

	"plantstore/conformance/report"
)

var (
	neverBack = regexp.MustCompile(`(?i)\b(never|not|no longer)\b.{0,30}\b(returned|shown?|sent back|included|part of|present|appears?|visible|disclosed|exposed|given back|comes? back)\b`)
	sometimes = regexp.MustCompile(`(?i)\b(unless|except|by default|again|once|after|afterwards|later|other than)\b`)
	countsAll = regexp.MustCompile(`(?i)\b(all|other) pages\b|\bfilters?\b|\bmatch(es|ing)?\b|\bregardless of\b.{0,20}\b(page|paging|pagination|limit|offset)\b`)
	roughly   = regexp.MustCompile(`(?i)\b(this|the current|a|each) page\b|\b(approximate\w*|estimate\w*|about|roughly|at most|up to|capped|may|might|can)\b`)
)

// NeverBack returns the sentence that says of what a pointer names that no answer has it: "It is
// never returned." It is nil if there is none.
func (c *Contract) NeverBack(pointer string) *report.Evidence {
	return c.tells("no answer has it", pointer, neverBack, sometimes)
}

// CountsAll returns the sentence that says of what a pointer names that it counts the things of all
// pages: "How many match the filters, on all pages together." It is nil if there is none.
func (c *Contract) CountsAll(pointer string) *report.Evidence {
	return c.tells("it counts the items of all pages", pointer, countsAll, roughly)
}

// tells returns a sentence about what a pointer names that matches, if nothing in the text weakens
// it.
func (c *Contract) tells(fact, pointer string, what, less *regexp.Regexp) *report.Evidence {
	text := prose(c.follow(c.root.At(pointer)))
	for sentence := range sentences(text) {
		if what.MatchString(sentence) && !less.MatchString(text) {
			return &report.Evidence{Fact: fact, Place: pointer, Quote: sentence}
		}
	}
	return nil
}

// KeepsSecrets returns such a sentence if there is one about each writeOnly member in the body of
// an operation.
func (c *Contract) KeepsSecrets(op *Operation) *report.Evidence {
	var out *report.Evidence
	for _, m := range op.writeOnly() {
		if out = c.NeverBack(m.Schema.Pointer); out == nil {
			return nil
		}
	}
	return out
}
