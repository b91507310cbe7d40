package jsontree

import (
	"slices"
	"strings"
)

// Equal compares exactly: numbers by mathematical value, strings and names by
// code units, arrays in order, objects in any order of names; members that
// share a name are compared in their order. Raw is not looked at. nil equals
// only nil.
func Equal(a, b *Value) bool {
	type pair struct{ a, b *Value }
	todo := []pair{{a, b}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.a == p.b {
			continue
		}
		if p.a == nil || p.b == nil || p.a.Kind != p.b.Kind {
			return false
		}
		switch p.a.Kind {
		case Bool:
			if p.a.Bool != p.b.Bool {
				return false
			}
		case Number:
			if Compare(p.a.Text, p.b.Text) != 0 {
				return false
			}
		case String:
			if !EqualText(p.a.Text, p.b.Text) {
				return false
			}
		case Array:
			if len(p.a.Items) != len(p.b.Items) {
				return false
			}
			for i := range p.a.Items {
				todo = append(todo, pair{p.a.Items[i], p.b.Items[i]})
			}
		case Object:
			x, y := p.a.Members, p.b.Members
			if len(x) != len(y) {
				return false
			}
			if !sameNames(x, y) {
				if x, y = byName(x), byName(y); !sameNames(x, y) {
					return false
				}
			}
			for i := range x {
				todo = append(todo, pair{x[i].Value, y[i].Value})
			}
		}
	}
	return true
}

// EqualText compares decoded strings by code units, so that a pair of
// surrogates in WTF-8 equals the character it stands for (RFC 8259, section 8.3).
func EqualText(a, b string) bool { return a == b || codeUnits(a) == codeUnits(b) }

func sameNames(x, y []Member) bool {
	for i := range x {
		if !EqualText(x[i].Name, y[i].Name) {
			return false
		}
	}
	return true
}

func byName(ms []Member) []Member {
	out := slices.Clone(ms)
	for i := range out {
		out[i].Name = codeUnits(out[i].Name)
	}
	slices.SortStableFunc(out, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// codeUnits joins surrogate pairs spelled in WTF-8; almost no text has any.
func codeUnits(s string) string {
	if strings.IndexByte(s, 0xED) < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if high, ok := surrogate(s[i:]); ok && isHigh(high) {
			if low, ok := surrogate(s[i+3:]); ok && isLow(low) {
				out = appendWTF8(out, joinSurrogates(high, low))
				i += 6
				continue
			}
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}
