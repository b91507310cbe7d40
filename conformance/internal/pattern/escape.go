package pattern

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape reads what follows a backslash outside a class.
func (p *parser) escape() (*node, error) {
	switch {
	case p.take("b"):
		return &node{op: opWord}, nil
	case p.take("B"):
		return &node{op: opWord, not: true}, nil
	case p.take("k<"):
		name, rest, ok := strings.Cut(p.rest, ">")
		if !ok || !isName(name) {
			return nil, bad("bad name of a group")
		}
		p.rest = rest
		return p.reference(&node{op: opBackref, name: name}), nil
	case p.rest != "" && p.rest[0] >= '1' && p.rest[0] <= '9':
		digits := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
		n, _ := count(p.rest[:digits])
		p.rest = p.rest[digits:]
		return p.reference(&node{op: opBackref, group: n}), nil
	}
	s, _, err := p.escaped()
	if err != nil {
		return nil, err
	}
	return &node{op: opSet, set: s}, nil
}

func (p *parser) reference(n *node) *node {
	p.refs = append(p.refs, n)
	return n
}

// escaped reads an escape for characters, in a class or outside. One reports whether
// it matches a single character.
func (p *parser) escaped() (s set, one bool, err error) {
	if p.rest == "" {
		return nil, false, bad("a backslash at the end")
	}
	c := p.next()
	switch c {
	case 'd':
		return p.either(digits(), unicode.Nd), false, nil
	case 'D':
		return digits().complement(), false, nil
	case 'w':
		return p.either(wordCharacters(), unicode.L, unicode.M, unicode.N, unicode.Pc), false, nil
	case 'W':
		return wordCharacters().complement(), false, nil
	case 's':
		return p.either(spaces(), unicode.White_Space), false, nil
	case 'S':
		return spaces().complement(), false, nil
	case 'p', 'P':
		s, err = p.property(c == 'P')
		return s, false, err
	}
	r, err := p.character(c)
	return set{{r, r}}, true, err
}

// either returns a set, with the characters that engines which know Unicode add to it if the pattern
// is read as they read it.
func (p *parser) either(s set, tables ...*unicode.RangeTable) set {
	if !p.wide {
		return s
	}
	return s.union(setOf(tables...))
}

// property reads {name} or {name=value}.
func (p *parser) property(not bool) (set, error) {
	inside, rest, ok := strings.Cut(p.rest, "}")
	if !ok || !strings.HasPrefix(inside, "{") {
		return nil, bad(`\p without a name in braces`)
	}
	p.rest = rest
	s, err := property(inside[1:])
	if not {
		s = s.complement()
	}
	return s, err
}

// character reads an escape for one character, whose first letter was taken.
func (p *parser) character(c rune) (rune, error) {
	switch c {
	case 't':
		return '\t', nil
	case 'n':
		return '\n', nil
	case 'v':
		return '\v', nil
	case 'f':
		return '\f', nil
	case 'r':
		return '\r', nil
	case '0':
		if p.rest == "" || p.rest[0] < '0' || p.rest[0] > '9' {
			return 0, nil
		}
	case 'c':
		if p.rest != "" && p.rest[0]|0x20 >= 'a' && p.rest[0]|0x20 <= 'z' {
			return p.next() % 32, nil
		}
	case 'x':
		if n, ok := p.hex(2); ok {
			return n, nil
		}
	case 'u':
		return p.unicode()
	default:
		if word := wordCharacters(); !word.has(c) && c != utf8.RuneError || c == '_' {
			return c, nil // a sign stands for itself
		}
	}
	return 0, bad(`unknown escape \` + string(c))
}

func (p *parser) unicode() (rune, error) {
	if p.take("{") {
		inside, rest, ok := strings.Cut(p.rest, "}")
		n, err := strconv.ParseUint(inside, 16, 32)
		if !ok || err != nil || n > lastCharacter {
			return 0, bad(`bad \u{}`)
		}
		p.rest = rest
		return rune(n), nil
	}
	high, ok := p.hex(4)
	if !ok {
		return 0, bad(`\u without four digits`)
	}
	if before := p.rest; high >= 0xD800 && high < 0xDC00 && p.take(`\u`) {
		if low, ok := p.hex(4); ok && low >= 0xDC00 && low < 0xE000 {
			return 0x10000 + (high-0xD800)<<10 + low - 0xDC00, nil
		}
		p.rest = before
	}
	return high, nil
}

// hex takes n hexadecimal digits, or nothing.
func (p *parser) hex(n int) (rune, bool) {
	if len(p.rest) < n {
		return 0, false
	}
	v, err := strconv.ParseUint(p.rest[:n], 16, 32)
	if err != nil {
		return 0, false
	}
	p.rest = p.rest[n:]
	return rune(v), true
}

// class reads a character class behind its opening bracket. [] matches nothing,
// [^] everything.
func (p *parser) class() (*node, error) {
	not := p.take("^")
	defer func(wide bool) { p.wide = wide }(p.wide)
	p.wide = p.wide && !not
	var all set
	for !p.take("]") {
		if p.rest == "" {
			return nil, bad("missing ]")
		}
		if posix(p.rest) {
			return nil, bad("[:name:] is of another dialect")
		}
		low, one, err := p.classAtom()
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(p.rest, "-") || strings.HasPrefix(p.rest, "-]") {
			all = all.union(low)
			continue
		}
		p.take("-")
		if p.rest == "" {
			return nil, bad("missing ]")
		}
		high, single, err := p.classAtom()
		switch {
		case err != nil:
			return nil, err
		case !one || !single: // [\w-.] means the sign, as everywhere
			all = all.union(low).union(high).union(set{{'-', '-'}})
		case high[0].low < low[0].low:
			return nil, bad("range out of order in a class")
		default:
			all = all.union(set{{low[0].low, high[0].low}})
		}
	}
	if not {
		all = all.complement()
	}
	return &node{op: opSet, set: all}, nil
}

func (p *parser) classAtom() (s set, one bool, err error) {
	switch {
	case p.take(`\b`):
		return set{{'\b', '\b'}}, true, nil
	case p.take(`\`):
		return p.escaped()
	}
	c := p.next()
	return set{{c, c}}, true, nil
}

// posix reports whether a class of the form [:alpha:] begins here.
func posix(rest string) bool {
	inside, _, ok := strings.Cut(rest, ":]")
	return ok && strings.HasPrefix(inside, "[:") && strings.Trim(inside[2:], "^abcdefghijklmnopqrstuvwxyz") == ""
}
