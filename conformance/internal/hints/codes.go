package hints

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
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

// unlikeTimes are texts that patterns of dates and times do not allow, and looser ones do.
var unlikeTimes = []string{"abcdefgh", "abcd-ef-gh", "ab:cd", "2030/04/17", "20300417", "20:30:17:09", "12345-67", "1.5", "42"}

// times are dates and times of documents that have no format for them.
func times() []kind {
	at := func(name, layout, form string, prose string, next func(n int64) time.Time) kind {
		k := kind{name: name, form: regexp.MustCompile(form), telling: true, unlike: unlikeTimes, ordered: true,
			draw: func(n int64, _ []string) string { return next(n).Format(layout) },
			valid: func(text string) bool {
				t, err := time.Parse(layout, text)
				return err == nil && t.Format(layout) == text
			}}
		if prose != "" {
			k.prose = regexp.MustCompile(prose)
		}
		return k
	}
	day := func(n int64) time.Time {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n%29000))
	}
	month := func(n int64) time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, int(n%950), 0) }
	second := func(n int64) time.Time { return day(n).Add(time.Duration(n%86399) * time.Second) }
	clock := func(n int64) time.Time { // in the day, so that there is room behind it
		return time.Date(2000, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n%36000) * time.Second)
	}
	return []kind{
		at("date in the form YYYY-MM-DD", time.DateOnly, `^\d{4}-\d{2}-\d{2}$`, `(?i)\byyyy-mm-dd\b`, day),
		at("month in the form YYYY-MM", "2006-01", `^\d{4}-\d{2}$`, `(?i)\byyyy-mm\b([^-]|$)`, month),
		at("time in the form HH:MM", "15:04", `^\d{2}:\d{2}$`, `(?i)\bhh:mm\b([^:]|$)`, clock),
		at("time in the form HH:MM:SS", time.TimeOnly, `^\d{2}:\d{2}:\d{2}$`, `(?i)\bhh:mm:ss\b`, clock),
		at("date-time (RFC 3339)", "2006-01-02T15:04:05Z", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`, `(?i)\bRFC ?3339\b|\bISO[ -]?8601 (date[ -]?time|timestamp)`, second),
		at("date-time without a zone", "2006-01-02T15:04:05", `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$`, "", second),
		{name: "duration (ISO 8601)", names: []string{"duration"}, form: regexp.MustCompile(`^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$`), telling: true,
			prose: regexp.MustCompile(`(?i)\bISO[ -]?8601 duration`), valid: func(text string) bool { return durationForm.MatchString(text) },
			draw: func(n int64, _ []string) string { return fmt.Sprintf("PT%dM", n%59+1) }},
	}
}

// durationForm is the usual form, which every reader takes.
var durationForm = regexp.MustCompile(`^PT[1-9]\d?[HM]$|^P[1-9]\d?D$`)

// choice matches the beginning of a sentence that lists all values.
var choice = regexp.MustCompile(`(?i)\b(one of|either|(?:possible|allowed|valid|permitted|supported|accepted) values?(?: are| is)?)\b:?\s*`)

// quoted matches a value in quotes or backquotes.
var quoted = regexp.MustCompile("`([^`\\s]{1,40})`|\"([^\"\\s]{1,40})\"|'([^'\\s]{1,40})'")

// listed matches a list of at least two words without quotes, between commas, bars or slashes.
// "or" or "and" may come before the last one.
var listed = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)((?:\s*[,|/]\s*[A-Za-z][A-Za-z0-9_-]*)+)(?:,?\s+(?:or|and)\s+([A-Za-z][A-Za-z0-9_-]*))?\s*(?:[.;)\n]|$)`)

// described returns the values that a description lists where the schema has no enum. An
// example must be one of them.
func described(h CodeHints) *Code {
	at := choice.FindStringIndex(h.Prose)
	if at == nil {
		return nil
	}
	sentence, _, _ := strings.Cut(h.Prose[at[1]:], ". ")
	var texts []string
	add := func(text string) {
		if text != "" && h.Accepts(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(sentence, -1) {
		add(m[1] + m[2] + m[3])
	}
	if m := listed.FindStringSubmatch(sentence); len(texts) == 0 && m != nil {
		add(m[1])
		for _, w := range strings.FieldsFunc(m[2], func(c rune) bool { return strings.ContainsRune(",|/ \t\n", c) }) {
			add(w)
		}
		add(m[3])
	}
	for _, e := range h.Examples {
		if !slices.Contains(texts, e) {
			return nil
		}
	}
	if len(texts) < 2 {
		return nil
	}
	return &Code{kind: &kind{name: "value that the description lists"}, texts: texts, drawn: texts}
}

// isNamed reports whether the last words of a name are one of some names, also in the plural.
func isNamed(name string, names []string) bool {
	list := Words(name)
	for i := range list {
		tail := strings.Join(list[i:], "")
		one, _ := strings.CutSuffix(tail, "s")
		if slices.Contains(names, tail) || slices.Contains(names, one) {
			return true
		}
	}
	return false
}
