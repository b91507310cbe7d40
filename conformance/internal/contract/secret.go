package contract

import "regexp"

var (
	neverBack = regexp.MustCompile(`(?i)\b(never|not|no longer)\b.{0,30}\b(returned|shown?|sent back|included|part of|present|appears?|visible|disclosed|exposed|given back|comes? back)\b`)
	sometimes = regexp.MustCompile(`(?i)\b(unless|except|by default|again|once|after|afterwards|later|other than)\b`)
	countsAll = regexp.MustCompile(`(?i)\b(all|other) pages\b|\bfilters?\b|\bmatch(es|ing)?\b|\bregardless of\b.{0,20}\b(page|paging|pagination|limit|offset)\b`)
	roughly   = regexp.MustCompile(`(?i)\b(this|the current|a|each) page\b|\b(approximate\w*|estimate\w*|about|roughly|at most|up to|capped|may|might|can)\b`)
)

// Told returns the title, the summary and the description of what a pointer names, in one text.
func (c *Contract) Told(pointer string) string { return prose(c.follow(c.root.At(pointer))) }

// NeverBack reports whether the document says of what a pointer names that no answer has it: "It
// is never returned."
func (c *Contract) NeverBack(pointer string) bool { return c.tells(pointer, neverBack, sometimes) }

// CountsAll reports whether the document says of what a pointer names that it counts the things of
// all pages: "How many match the filters, on all pages together."
func (c *Contract) CountsAll(pointer string) bool { return c.tells(pointer, countsAll, roughly) }

// tells reports whether a sentence about what a pointer names matches, and none says less.
func (c *Contract) tells(pointer string, what, less *regexp.Regexp) bool {
	found, text := false, c.Told(pointer)
	for sentence := range sentences(text) {
		found = found || what.MatchString(sentence)
	}
	return found && !less.MatchString(text)
}

// KeepsSecrets reports whether the document says so of all that is writeOnly in the body of an
// operation.
func (c *Contract) KeepsSecrets(op *Operation) bool {
	if op.Body == nil || op.Body.Shape == nil {
		return false
	}
	some, all := false, true
	c.secrets(op.Body.Shape.Schema, mostWriteOnly, func(never bool) { some, all = true, all && never })
	return some && all
}

// secrets tells of each writeOnly member whether the document says that it never comes back.
func (c *Contract) secrets(s *Schema, depth int, tell func(never bool)) {
	if s == nil || depth == 0 {
		return
	}
	for _, p := range s.Properties {
		if p.Schema.WriteOnly {
			tell(c.NeverBack(p.Schema.Pointer))
			continue
		}
		c.secrets(p.Schema, depth-1, tell)
	}
}
