package generate

import (
	"math/rand"
	"regexp/syntax"
	"strings"
)

const (
	matchTries   = 40
	freeTries    = 10 // before a length is aimed at
	fewRepeats   = 10 // of the tries
	usualRepeats = 12
	manyNested   = 5 // repetitions inside each other
	expandDepth  = 50
)

// nested returns how deeply repetitions are nested.
func nested(re *syntax.Regexp) int {
	most := 0
	for _, sub := range re.Sub {
		most = max(most, nested(sub))
	}
	if re.Op == syntax.OpStar || re.Op == syntax.OpPlus {
		most++
	}
	return most
}

// expansion is the text of an expression while it is written. It assumes that
// anchors match.
type expansion struct {
	strings.Builder
	rand    *rand.Rand
	repeats int     // upper limit if the expression sets none
	exact   int     // repetitions of what has no limit; 0 leaves them to chance
	count   *uint64 // if not nil, it chooses the characters of classes: two counts, two texts
	room    int     // the length to reach, where the expression allows it
	enough  int     // the length from which nothing is repeated more often than it must be; 0 for none
	turns   int     // of repetitions
	over    bool    // longer than mostText, or as many turns
}

func (e *expansion) expand(re *syntax.Regexp, depth int) {
	e.over = e.over || e.Len() > mostText || e.turns > mostText
	if depth > expandDepth || e.over {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		e.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		e.WriteRune(e.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		e.WriteByte(byte('a' + e.rand.Intn(26)))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			e.expand(sub, depth+1)
		}
	case syntax.OpAlternate:
		e.expand(re.Sub[e.rand.Intn(len(re.Sub))], depth+1)
	case syntax.OpQuest:
		n := e.rand.Intn(2)
		if (e.Len() < e.room || e.count != nil) && varies(re.Sub[0], depth) { // of [a-z]{1,7} after Simplify, say
			n = 1
		}
		e.repeat(re.Sub[0], 0, n, depth)
	case syntax.OpStar:
		e.repeat(re.Sub[0], 0, e.times(0, e.repeats), depth)
	case syntax.OpPlus:
		e.repeat(re.Sub[0], 1, e.times(1, e.repeats), depth)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			e.repeat(re.Sub[0], re.Min, e.times(re.Min, min(8, e.repeats)+1), depth)
			return
		}
		low := max(re.Min, min(high, e.room))
		if e.room > 0 {
			high = max(low, min(high, usualRepeats))
		}
		e.repeat(re.Sub[0], re.Min, low+e.rand.Intn(high-low+1), depth)
	}
}

// times returns the number of repetitions of something without a limit. If it is left to
// chance, it is below least+more.
func (e *expansion) times(least, more int) int {
	if e.exact > 0 {
		return max(least, e.exact)
	}
	return max(least, e.room) + e.rand.Intn(more)
}

// repeat expands an expression n times, or less often, but at least so often as it must
// be, if the text is long enough.
func (e *expansion) repeat(re *syntax.Regexp, least, n, depth int) {
	for k := range n {
		if e.enough > 0 && k >= least && e.Len() >= e.enough {
			return
		}
		if e.turns++; e.over {
			return
		}
		e.expand(re, depth+1)
	}
}

// pick returns a character of a class: an ASCII letter or digit if the class has
// one.
func (e *expansion) pick(ranges []rune) rune {
	if n := usual(ranges); n > 0 {
		if e.count == nil {
			return usualAt(ranges, e.rand.Intn(n))
		}
		i := *e.count % uint64(n)
		*e.count /= uint64(n)
		return usualAt(ranges, int(i))
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}

// usual counts the ASCII letters and digits of a class.
func usual(ranges []rune) int {
	n := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		for _, block := range blocks() {
			n += max(0, int(min(ranges[i+1], block.last)-max(ranges[i], block.first))+1)
		}
	}
	return n
}

// usualAt returns one of the ASCII letters and digits of a class by its index.
func usualAt(ranges []rune, at int) rune {
	for i := 0; i+1 < len(ranges); i += 2 {
		for _, block := range blocks() {
			first := max(ranges[i], block.first)
			n := max(0, int(min(ranges[i+1], block.last)-first)+1)
			if at < n {
				return first + rune(at)
			}
			at -= n
		}
	}
	panic("index out of range")
}

type block struct{ first, last rune }

// blocks are the digits and letters of ASCII in the order of their code points.
func blocks() [3]block { return [3]block{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}} }
