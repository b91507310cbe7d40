package plan

import (
	"fmt"
	"math/rand"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/pattern"
)

// formatted makes a fresh text of a format; empty where the format says nothing
// about the text.
func (g *Gen) formatted(format string) string {
	n := g.number()
	w := g.word(n, 8)
	switch format {
	case "date-time", "ipv4", "ipv6", "uuid": // the others have too few values
		n = g.hidden(n)
	}
	day := fmt.Sprintf("20%02d-%02d-%02d", n%80, n/80%12+1, n/960%28+1)
	clock := fmt.Sprintf("%02d:%02d:%02dZ", n%24, n/24%60, n/1440%60)
	switch format {
	case "date-time":
		return day + "T" + clock
	case "date":
		return day
	case "time":
		return clock
	case "duration":
		return fmt.Sprintf("P%dD", n%1000+1)
	case "email":
		return w + "@example.com"
	case "hostname":
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
		h := mix("uuid", w, uint64(n))
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", n, h&0xffff, h>>16&0xfff, h>>28&0xfff, h>>16&0xffffffffffff)
	}
	return ""
}

// matching makes a text that matches a pattern and keeps the lengths; it is
// false where none is found.
func (g *Gen) matching(text string, least, most *int) (string, bool) {
	p := g.pattern(text)
	if p == nil || p.Skeleton() == nil {
		return "", false
	}
	re := p.Skeleton()
	for range matchTries {
		var b strings.Builder
		expand(re, g.Rand, &b, 0)
		s := b.String()
		n := utf8.RuneCountInString(s)
		if (least == nil || n >= *least) && (most == nil || n <= *most) && s != "" && p.Match(s) == pattern.Yes {
			return s, true
		}
	}
	return "", false
}

// pattern gives a pattern of the operation compiled; nil where it does not
// compile.
func (g *Gen) pattern(text string) *pattern.Pattern {
	if g.Op.Body != nil {
		return g.Op.Body.Shape.Pattern(text)
	}
	p, err := pattern.Compile(text)
	if err != nil {
		return nil
	}
	return p
}

const (
	matchTries  = 40
	expandDepth = 50
)

// expand writes one text of an expression; anchors are taken as met.
func expand(re *syntax.Regexp, r *rand.Rand, b *strings.Builder, depth int) {
	if depth > expandDepth {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(pick(re.Rune, r))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + r.Intn(26)))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			expand(sub, r, b, depth+1)
		}
	case syntax.OpAlternate:
		expand(re.Sub[r.Intn(len(re.Sub))], r, b, depth+1)
	case syntax.OpQuest:
		repeat(re.Sub[0], r.Intn(2), r, b, depth)
	case syntax.OpStar:
		repeat(re.Sub[0], r.Intn(12), r, b, depth)
	case syntax.OpPlus:
		repeat(re.Sub[0], 1+r.Intn(12), r, b, depth)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			high = re.Min + 8
		}
		repeat(re.Sub[0], re.Min+r.Intn(high-re.Min+1), r, b, depth)
	}
}

func repeat(re *syntax.Regexp, n int, r *rand.Rand, b *strings.Builder, depth int) {
	for range n {
		expand(re, r, b, depth+1)
	}
}

// pick takes a character of a class, an ASCII letter or digit where it has one.
func pick(ranges []rune, r *rand.Rand) rune {
	var good []rune
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := max(ranges[i], '0'); c <= min(ranges[i+1], 'z'); c++ {
			if c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' {
				good = append(good, c)
			}
		}
	}
	if len(good) > 0 {
		return good[r.Intn(len(good))]
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
