package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// lastWrite returns the place of the last request before a place of the history that does
// not only read, or -1.
func lastWrite(p *rule.Input, end int) int {
	for i := end - 1; i >= 0; i-- {
		if !p.History[i].Reads() {
			return i
		}
	}
	return -1
}

// unusual reports whether a value is none that a server would make: a text that is not
// short, or a number of several digits.
func unusual(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return len(v.Text) >= leastText
	case jsontree.Number:
		return len(strings.Trim(strings.Map(digit, v.Text), "0")) >= 3
	case jsontree.Array:
		return slices.ContainsFunc(v.Items, unusual)
	case jsontree.Object:
		return slices.ContainsFunc(v.Members, func(m jsontree.Member) bool { return unusual(m.Value) })
	}
	return false
}

// digit keeps the digits of a text.
func digit(c rune) rune {
	if c < '0' || c > '9' {
		return -1
	}
	return c
}
