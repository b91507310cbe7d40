package plan

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/schema"
)

// spellings is how many values of a format are tried to find one that a pattern takes too.
const spellings = 64

// formatted returns a fresh text of the format of a schema, and of its pattern if there is
// one that takes such a text. It is empty if the format does not restrict the text.
func (g *Gen) formatted(s *schema.Schema) string {
	n := g.number()
	w := g.word(n, 8)
	day := g.days(s)
	first := g.ofFormat(s.Format, n, w, day)
	if s.Pattern == "" || first == "" {
		return first
	}
	p := g.pattern(s.Pattern)
	if p == nil {
		return first
	}
	for i := range int64(spellings) {
		for _, text := range written(s.Format, g.ofFormat(s.Format, n+i, w, day)) {
			if p.Match(text) == pattern.Yes {
				return text
			}
		}
	}
	return ""
}

// written lists ways to write the same value of a format.
func written(format, text string) []string {
	before, utc := strings.CutSuffix(text, "Z")
	switch {
	case format == "date-time" || format == "time" && utc:
		return []string{text, before + "+00:00", before + ".000Z", before + ".000+00:00"}
	case format == "uuid":
		return []string{text, strings.ToUpper(text)}
	case strings.Contains(format, "decimal"):
		return append([]string{text}, shorter(text)...)
	}
	return []string{text}
}

// shorter lists decimals with no more digits before the point, and with one, two or none behind it.
func shorter(text string) []string {
	whole, _, _ := strings.Cut(text, ".")
	var out []string
	for n := len(whole); n > 0; n-- {
		short := strings.TrimLeft(whole[len(whole)-n:], "0")
		if short == "" {
			short = "0"
		}
		out = append(out, short+".5", short+".50", short)
	}
	return out
}

// ofFormat returns the nth text of a format. It is empty if the format does not restrict
// the text. Day returns the nth date.
func (g *Gen) ofFormat(format string, n int64, w string, day func(n int64) string) string {
	switch format {
	case "byte", "base64url", "base16", "sf-binary", "char", "media-range", "http-date", "sf-boolean", "sf-token", "sf-string":
		return g.registered(format, n, w)
	case "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "double-int", "sf-integer":
		return fmt.Sprint(n % 128)
	case "float", "double", "decimal", "decimal128", "sf-decimal":
		return fmt.Sprintf("%d.5", n%100000)
	case "date-time", "ipv4", "ipv6", "uuid": // the others have too few values
		n = g.hidden(n)
	}
	clock := fmt.Sprintf("%02d:%02d:%02dZ", n%24, n/24%60, n/1440%60)
	switch format {
	case "date-time":
		return day(n) + "T" + clock
	case "date":
		return day(n)
	case "time":
		return clock
	case "duration":
		return fmt.Sprintf("P%dD", n%1000+1)
	case "email", "idn-email":
		return w + "@example.com"
	case "hostname", "idn-hostname":
		return w + ".example.com"
	case "ipv4":
		return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x:%x", n>>16&0xffff, n&0xffff)
	case "uri", "iri":
		return "https://example.com/" + w
	case "uri-reference", "iri-reference", "uri-template", "json-pointer":
		return "/" + w
	case "relative-json-pointer":
		return "1/" + w
	case "regex":
		return w
	case "uuid":
		h := Mix("uuid", w, uint64(n))
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", n, h&0xffff, h>>16&0xfff, h>>28&0xfff, h>>16&0xffffffffffff)
	}
	return ""
}

// registered returns a fresh text of a format of the OpenAPI registry.
func (g *Gen) registered(format string, n int64, w string) string {
	data := []byte(w + "abc")[:9]
	switch format {
	case "byte":
		return base64.StdEncoding.EncodeToString(data)
	case "base64url":
		return base64.RawURLEncoding.EncodeToString(data)
	case "base16":
		return strings.ToUpper(hex.EncodeToString(data))
	case "sf-binary":
		return ":" + base64.StdEncoding.EncodeToString(data) + ":"
	case "char":
		return string(rune('a' + n%26))
	case "media-range":
		return "text/" + w
	case "sf-boolean":
		return fmt.Sprintf("?%d", n%2)
	case "http-date":
		return time.Unix(1_600_000_000+n, 0).UTC().Format(http.TimeFormat)
	}
	return w
}

// matching returns a text that matches a pattern and keeps the lengths, and false
// if none is found. Nested repetitions multiply, so the last tries repeat as little
// as possible.
func (g *Gen) matching(text string, minimum, maximum *int) (string, bool) {
	p := g.pattern(text)
	if p == nil || p.Skeleton() == nil {
		return "", false
	}
	re := p.Skeleton()
	depth := nested(re)
	deep := depth >= manyNested
	aim := 0
	if minimum != nil && *minimum > 1 {
		aim = *minimum
	} else if maximum != nil {
		aim = *maximum
	}
	for try := range matchTries {
		e := expansion{rand: g.Rand, repeats: usualRepeats}
		if try < freeTries && depth <= 2 {
			e.room = g.room
			if try == 0 {
				e.count = g.count
			}
			if maximum != nil {
				e.room = min(e.room, *maximum)
			}
		}
		switch {
		case deep || try >= matchTries-fewRepeats:
			e.repeats = 1 + try%2
		case try >= freeTries:
			e.exact = max(0, aim-(try-freeTries)) // parts of the pattern take a few characters
		}
		if depth > 1 {
			e.enough = enough(e.exact, minimum, maximum)
		}
		e.expand(re, 0)
		g.Took += e.turns + e.Len()
		s := e.String()
		n := utf8.RuneCountInString(s)
		if e.over || minimum != nil && n < *minimum || maximum != nil && n > *maximum || s == "" {
			continue
		}
		answer, took := p.Decide(s)
		g.Took += took / 4
		if g.steps += took; g.steps > maxPattern {
			g.exceed("more steps of a pattern than a request may take")
			return "", false
		}
		if answer == pattern.Yes && (try == matchTries-1 || !schema.IsZero(strings.TrimLeft(s, "-+"))) { // a price of 0.00 may be refused
			return s, true
		}
	}
	return "", false
}

// enough returns the length from which a text of nested repetitions is long enough: the
// one that is aimed at, or a usual one that the limits allow. Otherwise it has as many
// characters as its repetitions multiply to, and nearly all are made in vain.
func enough(exact int, minimum, maximum *int) int {
	n := 2 * roomy
	if minimum != nil {
		n = max(n, *minimum)
	}
	if maximum != nil {
		n = min(n, *maximum)
	}
	if exact > 0 {
		n = exact
	}
	return max(n, 1)
}

// pattern returns a compiled pattern of the operation, or nil if it does not
// compile.
func (g *Gen) pattern(text string) *pattern.Pattern {
	if g.judge() != nil {
		return g.judge().Pattern(text)
	}
	p, err := pattern.Compile(text)
	if err != nil {
		return nil
	}
	return p
}

// The years in which dates lie. Most servers accept dates in the future. Where one accepts only
// past dates, the name of the member often tells, or the pre-flight finds out.
const (
	futureYear = 2031
	pastYear   = 1961
	spanYears  = 49
)

// soonDays is the number of days in the next weeks, which begin two days from today.
const soonDays = 60

// days returns which date a member gets for a number.
func (g *Gen) days(s *schema.Schema) func(n int64) string {
	switch {
	case s.Past && g.guesses() || g.id.Past.Has(g.Op):
		return func(n int64) string { return dayOf(pastYear, n) }
	case g.id.Soon.Has(g.Op):
		return func(n int64) string { return g.id.Today.AddDate(0, 0, 2+int(n%soonDays)).Format(time.DateOnly) }
	}
	return func(n int64) string { return dayOf(futureYear, n) }
}

func dayOf(first, n int64) string {
	return fmt.Sprintf("%d-%02d-%02d", first+n%spanYears, n/spanYears%12+1, n/(12*spanYears)%28+1)
}

// BaselineText returns a fresh string that the schema allows.
func (g *Gen) BaselineText(s *schema.Schema) string {
	if s.Kind(g.told()) != nil && g.guesses() {
		t := g.coded(s)
		g.spend(len(t))
		return t
	}
	if s.Format != "" {
		if t := g.formatted(s); t != "" {
			return t
		}
	}
	if s.Pattern != "" {
		if t, ok := g.patterned(s); ok {
			g.spend(len(t))
			return t
		}
	}
	n := 10
	if s.MinLength != nil {
		n = max(n, *s.MinLength)
	}
	if s.MaxLength != nil {
		n = min(n, *s.MaxLength)
	}
	if n > maxText {
		g.exceed(fmt.Sprintf("a text of at least %d characters", n))
		n = 1
	}
	g.spend(n)
	w := g.word(g.number(), n)
	if len(w) > n {
		w = w[:n]
	}
	return w
}

// coded returns a text of the kind of a schema. Where few are known, a message has the same one
// everywhere but in the items of a list: its amounts have one currency, its addresses one country.
func (g *Gen) coded(s *schema.Schema) string {
	if !s.Kind(g.told()).Few() {
		return s.Kind(g.told()).Draw(g.hidden(g.number()))
	}
	if g.base == 0 {
		g.base = g.hidden(g.number())
	}
	return s.Kind(g.told()).Draw(g.base + g.turn)
}

// once returns a fresh text for a key that a server may take only once, if its pattern
// takes one: a text that a pattern made is the same when its case is sent again.
func (g *Gen) once(name string, s *schema.Schema) (string, bool) {
	if s == nil || s.Pattern == "" || s.Format != "" || s.Enum != nil || s.Const != nil || !hints.TakenOnce(name) {
		return "", false
	}
	return g.asWord(s, g.pattern(s.Pattern))
}

// asWord returns a fresh word of the usual length, and whether the pattern takes it.
func (g *Gen) asWord(s *schema.Schema, p *pattern.Pattern) (string, bool) {
	plain := *s
	plain.Pattern = ""
	t := g.BaselineText(&plain)
	return t, p != nil && p.Match(t) == pattern.Yes
}

// IsFresh reports whether a text has the form of a fresh word: 6 to 64 letters and
// digits, first a letter, at least one digit.
func IsFresh(s string) bool {
	if len(s) < 6 || len(s) > 64 {
		return false
	}
	digit := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digit = true
			if i == 0 {
				return false
			}
		case c < 'a' || c > 'z':
			return false
		}
	}
	return digit
}

// IsFreshNumber reports whether a number has the form of a fresh one: a whole number of at least
// six digits.
func IsFreshNumber(s string) bool {
	return len(s) >= 6 && s[0] != '0' && jsontree.Digits(s)
}

// Carrier returns the object that holds the fresh texts of a body, or if there are none its fresh
// numbers: the body, or the only member of it that is an object and has some, in its envelopes. It
// is nil if there is none.
func Carrier(tree *jsontree.Value) *jsontree.Value {
	held := holding(tree, func(v *jsontree.Value) bool { return v.Kind == jsontree.String && IsFresh(v.Text) })
	if held == nil {
		held = holding(tree, func(v *jsontree.Value) bool { return v.Kind == jsontree.Number && IsFreshNumber(v.Text) })
	}
	return held
}

// holding returns the object of a body, in its envelopes, that has a member of a kind.
func holding(tree *jsontree.Value, is func(*jsontree.Value) bool) *jsontree.Value {
	for tree != nil && tree.Kind == jsontree.Object {
		var inside *jsontree.Value
		for _, m := range tree.Members {
			switch {
			case is(m.Value):
				return tree
			case m.Value.Kind == jsontree.Object && inside != nil:
				return nil
			case m.Value.Kind == jsontree.Object:
				inside = m.Value
			}
		}
		tree = inside
	}
	return nil
}
