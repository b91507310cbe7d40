package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/plan"
)

// patternEnd is a way to spoil a matching text. Where few cases are tried each has its turn: an
// anchor that is left out at one end shows only there.
type patternEnd struct {
	kind   string
	spoils []func(string) string
}

func patternEnds() []patternEnd {
	return []patternEnd{
		{"match-and-more", []func(string) string{behind("0"), behind("x"), behind("-x"), behind("!"), behind("\u00e9")}},
		{"more-and-match", []func(string) string{before("0"), before("x"), before("x-"), before("!"), before("\u00e9")}},
		{"other-case", []func(string) string{generate.OtherCase}},
		{"match-and-line-end", []func(string) string{behind("\n")}}, // to which $ matches in some languages
		{"match-on-a-line", []func(string) string{wrap("x\n", "\nx")}},
		{"digit-and-match", []func(string) string{before("0"), before("1")}},
		{"minus-and-match", []func(string) string{before("-")}},
		{"plus-and-match", []func(string) string{before("+"), before(" ")}},
		{"other-letters", []func(string) string{func(s string) string { return strings.Map(otherLetter, s) }}},
		{"empty", []func(string) string{func(string) string { return "" }}},
		{"other-digits", []func(string) string{func(s string) string { return strings.Map(otherDigit, s) }}},
	}
}

// otherLetter puts an accent on a letter: code that checks for any letter accepts it.
func otherLetter(r rune) rune {
	const plain, accented = "ACEINOSUYZaceinosuyz", "ÁÇÉÍÑÓŠÚÝŽáçéíñóšúýž"
	if i := strings.IndexRune(plain, r); i >= 0 {
		return []rune(accented)[i]
	}
	return r
}

// tooLong repeats the last letter of a match until it is just too long for the pattern. The
// text stays as it is if the pattern sets no length.
func tooLong(text string) func(string) string {
	re, err := pattern.Compile(text)
	return func(right string) string {
		for n := 1; n <= mostLonger && err == nil; n++ {
			if longer := right + strings.Repeat(lastLetter(right), n); re.Match(longer) == pattern.No {
				return longer
			}
		}
		return right
	}
}

// tooShort cuts a match until it is just too short for the pattern. The text stays as it is
// if every beginning matches.
func tooShort(text string) func(string) string {
	re, err := pattern.Compile(text)
	return func(right string) string {
		letters := []rune(right)
		for n := len(letters) - 1; n > 0 && err == nil; n-- {
			if shorter := string(letters[:n]); re.Match(shorter) == pattern.No {
				return shorter
			}
		}
		return right
	}
}

// mostLonger is the most letters that are added.
const mostLonger = 40

// patterned reports whether a pattern says which texts a place takes.
func (p *place) patterned() bool {
	return p.schema.Pattern != "" && p.schema.Type() == "string" && p.schema.Enum == nil
}

// spoiltEnds are texts with something behind a match or before one, with a letter of the
// other case, and so on. Operations that share a schema begin with different ones.
func (p *place) spoiltEnds(s *plan.Space) []plan.Class {
	if !p.patterned() || s.Most == 0 {
		return nil // in full, every text is spoilt in every way
	}
	var out []plan.Class
	for _, e := range append(patternEnds(), patternEnd{"match-too-long", []func(string) string{tooLong(p.schema.Pattern)}},
		patternEnd{"match-too-short", []func(string) string{tooShort(p.schema.Pattern)}}) {
		turn := len(s.Op.Method) % len(e.spoils)
		spoils := slices.Concat(e.spoils[turn:], e.spoils[:turn])
		classes := unlabelled(invalid(s, p.where(), e.kind, []int{0}, func(g *generate.Gen, _ int) *message.Message {
			return p.spoiltEnd(g, spoils)
		}))
		for i := range classes {
			if classes[i].Subject != "" {
				classes[i].Subject += " " + e.kind
			}
		}
		out = append(out, classes...)
	}
	return out
}

// spoiltEnd is a message with the first of the spoilt texts that breaks the pattern alone or,
// if none does, that breaks anything.
func (p *place) spoiltEnd(g *generate.Gen, spoils []func(string) string) *message.Message {
	m := p.in(g)
	var second *jsontree.Value
	for range spoilings {
		right := g.BaselineText(p.schema)
		for _, spoil := range spoils {
			v := jsontree.NewString(spoil(right))
			p.set(m, v)
			r := m.Reading()
			switch {
			case r == nil || r.Kind != openapi.Invalid:
			case len(r.Violations) == 1 && r.Violations[0].Keyword == "pattern":
				return m
			case second == nil:
				second = v
			}
		}
	}
	if second == nil {
		return p.in(g)
	}
	p.set(m, second)
	return m
}
