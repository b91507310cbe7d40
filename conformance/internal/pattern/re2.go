package pattern

import (
	"fmt"
	"strings"
)

// mostRE2 is how often RE2 repeats an expression at most.
const mostRE2 = 1000

// translate writes an expression so that RE2 means the same; it is false where
// RE2 has no such thing. Whether a repetition is lazy or greedy, and which part
// a group took, is nothing that yes or no depends on.
func translate(n *node) (string, bool) {
	if !n.regular() {
		return "", false
	}
	var b strings.Builder
	ok := write(&b, n)
	return b.String(), ok
}

func write(b *strings.Builder, n *node) bool {
	switch n.op {
	case opSet:
		writeSet(b, n.set)
	case opBegin:
		b.WriteString(`\A`)
	case opEnd:
		b.WriteString(`\z`)
	case opWord:
		if n.not {
			b.WriteString(`\B`)
		} else {
			b.WriteString(`\b`)
		}
	case opConcat:
		for _, s := range n.sub {
			if !write(b, s) {
				return false
			}
		}
	default:
		return writeGroup(b, n)
	}
	return true
}

func writeGroup(b *strings.Builder, n *node) bool {
	b.WriteString("(?:")
	for i, s := range n.sub {
		if i > 0 {
			b.WriteByte('|')
		}
		if !write(b, s) {
			return false
		}
	}
	b.WriteByte(')')
	if n.op != opRepeat {
		return true
	}
	switch {
	case n.least > mostRE2 || n.most > mostRE2:
		return false
	case n.most < 0 && n.least == 0:
		b.WriteByte('*')
	case n.most < 0:
		fmt.Fprintf(b, "{%d,}", n.least)
	default:
		fmt.Fprintf(b, "{%d,%d}", n.least, n.most)
	}
	return true
}

func writeSet(b *strings.Builder, s set) {
	if len(s) == 0 {
		b.WriteString(`[^\x{0}-\x{10FFFF}]`)
		return
	}
	b.WriteByte('[')
	for _, r := range s {
		fmt.Fprintf(b, `\x{%X}-\x{%X}`, r.low, r.high)
	}
	b.WriteByte(']')
}
