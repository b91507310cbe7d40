// Package codes knows texts that a standard or a sentence defines and that a schema does
// not: a currency of ISO 4217, a time of day, an IBAN, one of the words that a description
// lists. The name, the examples or the description of a member tell that it has such a
// text. A server may then refuse any other.
package hints

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Hints are what a document tells of the texts of a member or parameter.
type CodeHints struct {
	Name string
	// Prose is its title and its description, and Around what is said of the operation.
	Prose, Around string
	Examples      []string
	// Format is date, date-time or none.
	Format string
	// Pattern reports whether the schema has a pattern, and Short whether it bounds the
	// length to a few characters.
	Pattern, Short bool
	// Accepts reports whether the schema allows a text.
	Accepts func(text string) bool
}

// kind is one kind of texts.
type kind struct {
	// name follows the word "no" in reasons: "currency code (ISO 4217)".
	name string
	// names are what members of the kind are called, in lower case and without punctuation. A
	// name may also end with one of them, as a word of its own.
	names []string
	// sure reports whether such a name is enough. Otherwise there must be an example too, or
	// a schema that allows short texts only or has a pattern.
	sure bool
	// prose is what a title or a description calls them; nil if nothing tells.
	prose *regexp.Regexp
	// unless is what says the contrary of prose; nil if nothing does.
	unless *regexp.Regexp
	// told reports whether both are needed: one of the names, and the prose.
	told bool
	// form matches what looks like such a text. Examples of other forms rule the kind out.
	form *regexp.Regexp
	// telling reports whether the form of the examples is enough, or that of all texts that
	// match a pattern.
	telling bool
	// unlike are texts of other forms. A pattern that allows none of them, but all texts of
	// the kind, asks for the kind.
	unlike []string
	// texts are some that every server accepts that knows the kind. Kinds with too many to list
	// have draw instead, which returns one for each number.
	texts []string
	draw  func(n int64, examples []string) string
	// fixed reports whether requests have the examples alone, if there are any: a postal code
	// has to agree with the country.
	fixed bool
	// valid reports whether every server takes a text of this form; nil if it takes all.
	valid func(text string) bool
	// alike reports whether texts differ from the first example in their last digits alone:
	// servers that know the kind may know which others there are.
	alike bool
	// identifies reports whether a text of the kind can be what names a thing.
	identifies bool
	// ordered reports whether the texts have an order, as dates do.
	ordered bool
}

// Code is the kind of texts that a member has.
type Code struct {
	kind *kind
	// texts are those that are valid and drawn those that requests have, for kinds without draw.
	texts, drawn []string
	examples     []string
}

// tried is how many texts of a kind the schema must allow.
const tried = 12

// Catalogue is all kinds. Where several fit, the first one whose texts the schema allows
// counts.
type Catalogue struct {
	texts []kind            // of members without a format
	eras  map[string][]kind // of dates, by their format
}

// New returns the catalogue.
func NewCatalogue() *Catalogue {
	return &Catalogue{slices.Concat(times(), registered(), numbered(), written()), map[string][]kind{"date": eras("date"), "date-time": eras("date-time")}}
}

// Of returns the kind of texts that the hints tell of, or nil.
func (c *Catalogue) Of(h CodeHints) *Code {
	if h.Format != "" {
		return cmp.Or(first(c.eras[h.Format], h), ruled(h))
	}
	return cmp.Or(described(h), first(c.texts, h), ruled(h))
}

// first returns the first kind that fits, or nil.
func first(list []kind, h CodeHints) *Code {
	for i := range list {
		if k := &list[i]; k.fits(h) {
			if c := k.of(h); c != nil {
				return c
			}
		}
	}
	return nil
}

// fits reports whether the hints tell of the kind.
func (k *kind) fits(h CodeHints) bool {
	named := isNamed(h.Name, k.names)
	prose := k.prose != nil && k.prose.MatchString(h.Prose) && (k.unless == nil || !k.unless.MatchString(h.Prose))
	other := func(e string) bool { return !k.form.MatchString(e) || k.valid != nil && !k.valid(e) }
	if slices.ContainsFunc(h.Examples, other) && (!prose || !slices.ContainsFunc(h.Examples, func(e string) bool { return !other(e) })) {
		return false
	}
	switch {
	case k.told:
		return named && prose
	case prose:
		return true
	case named && (k.sure || h.Short || h.Pattern || len(h.Examples) > 0):
		return true
	case k.telling && len(h.Examples) > 0:
		return true
	}
	return len(k.unlike) > 0 && h.Pattern && !slices.ContainsFunc(k.unlike, h.Accepts)
}

// of returns the texts of the kind that a schema allows, or nil if there are none.
func (k *kind) of(h CodeHints) *Code {
	c := &Code{kind: k, examples: slices.DeleteFunc(slices.Clone(h.Examples), func(e string) bool { return !h.Accepts(e) })}
	if k.draw != nil {
		for n := range int64(tried) {
			if !h.Accepts(c.Draw(n*7919 + 1)) {
				return nil
			}
		}
		return c
	}
	for _, text := range slices.Concat(c.examples, k.texts) {
		if h.Accepts(text) && !slices.Contains(c.texts, text) {
			c.texts = append(c.texts, text)
		}
	}
	if len(c.texts) == 0 {
		return nil
	}
	c.drawn = c.texts
	if k.fixed && len(c.examples) > 0 {
		c.drawn = c.examples[:1]
	}
	return c
}

// String names the kind: "currency code (ISO 4217)". It is empty for nil.
func (c *Code) String() string {
	if c == nil {
		return ""
	}
	return c.kind.name
}

// Ordered reports whether the texts have an order, as dates do. Nil has no order.
func (c *Code) Ordered() bool { return c != nil && c.kind.ordered }

// Identifies reports whether a text can be what names a thing. It is true for nil.
func (c *Code) Identifies() bool { return c == nil || c.kind.identifies }

// Few reports whether only a few texts are known.
func (c *Code) Few() bool { return c != nil && c.kind.draw == nil }

// Draw returns a text of the kind. Kinds with many texts have another one for each number.
func (c *Code) Draw(n int64) string {
	if c.kind.draw != nil {
		return c.kind.draw(n, c.examples)
	}
	return c.drawn[uint64(n)%uint64(len(c.drawn))]
}

// Valid reports whether every server that knows the kind takes a text.
func (c *Code) Valid(text string) bool {
	switch {
	case slices.Contains(c.examples, text):
		return true
	case c.kind.draw == nil:
		return slices.Contains(c.texts, text)
	case c.kind.alike:
		one := c.Draw(0)
		return len(text) == len(one) && strings.HasPrefix(text, one[:len(one)-lastDigits]) && onlyDigits(text[len(one)-lastDigits:])
	}
	return len(text) <= longest && c.kind.form.MatchString(text) && (c.kind.valid == nil || c.kind.valid(text))
}

// longest is the length, in bytes, of the longest text that every server takes.
const longest = 64

// lastDigits is how many digits differ where a kind is alike.
const lastDigits = 3

func onlyDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }
