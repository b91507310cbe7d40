package pattern

import (
	"slices"
	"unicode"
)

// span is a range of characters, both ends in it.
type span struct{ low, high rune }

// set is characters, as spans in order that do not touch.
type set []span

const lastCharacter = unicode.MaxRune

// The sets of ECMA-262, 22.2.2: they are not those of other engines.
func digits() set { return set{{'0', '9'}} }

func wordCharacters() set { return set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}} }

// spaces are WhiteSpace and LineTerminator (ECMA-262, 12.2 and 12.3): Zs, and
// U+FEFF too.
func spaces() set {
	return set{{0x09, 0x0D}, {0x20, 0x20}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A},
		{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}
}

func lineEnds() set { return set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}} }

func (s set) has(c rune) bool {
	_, found := slices.BinarySearchFunc(s, c, func(r span, c rune) int {
		switch {
		case r.high < c:
			return -1
		case r.low > c:
			return 1
		}
		return 0
	})
	return found
}

// union gives all characters of both.
func (s set) union(other set) set {
	all := append(slices.Clone(s), other...)
	slices.SortFunc(all, func(a, b span) int { return int(a.low - b.low) })
	var out set
	for _, r := range all {
		if n := len(out); n > 0 && r.low <= out[n-1].high+1 {
			out[n-1].high = max(out[n-1].high, r.high)
			continue
		}
		out = append(out, r)
	}
	return out
}

// complement gives all other characters.
func (s set) complement() set {
	var out set
	from := rune(0)
	for _, r := range s {
		if r.low > from {
			out = append(out, span{from, r.low - 1})
		}
		from = r.high + 1
	}
	if from <= lastCharacter {
		out = append(out, span{from, lastCharacter})
	}
	return out
}

func (s set) without(other set) set { return s.complement().union(other).complement() }

// setOf reads tables of package unicode.
func setOf(tables ...*unicode.RangeTable) set {
	var out set
	for _, t := range tables {
		for _, r := range t.R16 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return set(nil).union(out)
}

func appendStride(out set, low, high, stride rune) set {
	if stride == 1 {
		return append(out, span{low, high})
	}
	for c := low; c <= high; c += stride {
		out = append(out, span{c, c})
	}
	return out
}
