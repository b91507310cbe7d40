package pattern

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// errOpaque says that a pattern is right and asks for what no table here knows.
var errOpaque = errors.New("a property without a table")

// bad is a mistake in a pattern.
type bad string

func (b bad) Error() string { return string(b) }

const (
	maxNesting = 200
	maxRepeats = 1 << 30
)

// parser reads ECMA-262, 22.2.1 with the flag u, and a little more that is
// common and means one thing only: escaped signs, braces and brackets that
// stand for themselves, a class with - behind \w.
type parser struct {
	rest   string
	groups int
	names  map[string]int
	depth  int
	refs   []*node
	wide   bool // \d, \w and \s are characters of Unicode too
}

func parse(text string, wide bool) (*node, error) {
	p := &parser{rest: text, names: map[string]int{}, wide: wide}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.rest != "" {
		return nil, bad("unmatched )")
	}
	for _, r := range p.refs {
		if r.name != "" {
			r.group = p.names[r.name]
		}
		if r.group == 0 || r.group > p.groups {
			return nil, bad("a reference to a group that is not there")
		}
	}
	return n, nil
}

func (p *parser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

// next takes one character.
func (p *parser) next() rune {
	c, n := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[n:]
	return c
}

func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, errOpaque
	}
	defer func() { p.depth-- }()
	out := &node{op: opAlternate}
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		out.sub = append(out.sub, n)
		if !p.take("|") {
			break
		}
	}
	if len(out.sub) == 1 {
		return out.sub[0], nil
	}
	return out, nil
}

func (p *parser) sequence() (*node, error) {
	out := &node{op: opConcat}
	for p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
		n, err := p.term()
		if err != nil {
			return nil, err
		}
		out.sub = append(out.sub, n)
	}
	return out, nil
}

func (p *parser) term() (*node, error) {
	n, err := p.atom()
	if err != nil {
		return nil, err
	}
	minimum, maximum, ok := p.times()
	switch {
	case !ok:
		return n, nil
	case n.op == opBegin || n.op == opEnd || n.op == opWord || n.op == opLook && n.behind:
		return nil, bad("nothing to repeat")
	case maximum >= 0 && maximum < minimum:
		return nil, bad("numbers out of order in {}")
	}
	out := &node{op: opRepeat, sub: []*node{n}, minimum: minimum, maximum: maximum, lazy: p.take("?")}
	if _, _, again := p.times(); again {
		return nil, bad("nothing to repeat")
	}
	return out, nil
}

// times reads a quantifier; braces that are none stand for themselves.
func (p *parser) times() (minimum, maximum int, ok bool) {
	switch {
	case p.take("*"):
		return 0, -1, true
	case p.take("+"):
		return 1, -1, true
	case p.take("?"):
		return 0, 1, true
	}
	inside, rest, closed := strings.Cut(p.rest, "}")
	if !closed || !strings.HasPrefix(inside, "{") {
		return 0, 0, false
	}
	low, high, both := strings.Cut(inside[1:], ",")
	minimum, ok = count(low)
	maximum = minimum
	switch {
	case !ok:
		return 0, 0, false
	case both && high == "":
		maximum = -1
	case both:
		if maximum, ok = count(high); !ok {
			return 0, 0, false
		}
	}
	p.rest = rest
	return minimum, maximum, true
}

func count(text string) (int, bool) {
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(text[i]-'0'), maxRepeats)
	}
	return n, text != ""
}

func (p *parser) atom() (*node, error) {
	switch c := p.next(); c {
	case '^':
		return &node{op: opBegin}, nil
	case '$':
		return &node{op: opEnd}, nil
	case '.':
		return &node{op: opSet, set: lineEnds().complement()}, nil
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return nil, bad("nothing to repeat")
	default:
		return single(c), nil
	}
}

func single(c rune) *node { return &node{op: opSet, set: set{{c, c}}} }

// group reads what follows an opening parenthesis.
func (p *parser) group() (*node, error) {
	out := &node{op: opLook}
	switch {
	case p.take("?:"):
		out = nil
	case p.take("?="):
	case p.take("?!"):
		out.not = true
	case p.take("?<="):
		out.behind = true
	case p.take("?<!"):
		out.behind, out.not = true, true
	case p.take("?<"):
		name, rest, ok := strings.Cut(p.rest, ">")
		if !ok || !isName(name) {
			return nil, bad("bad name of a group")
		}
		if p.names[name] > 0 {
			return nil, errOpaque // allowed in different alternatives, and rare
		}
		p.rest = rest
		p.groups++
		p.names[name] = p.groups
		out = &node{op: opCapture, group: p.groups}
	case strings.HasPrefix(p.rest, "?"):
		return nil, bad("unknown kind of group")
	default:
		p.groups++
		out = &node{op: opCapture, group: p.groups}
	}
	inner, err := p.alternatives()
	switch {
	case err != nil:
		return nil, err
	case !p.take(")"):
		return nil, bad("missing )")
	case out == nil:
		return inner, nil
	}
	out.sub = []*node{inner}
	return out, nil
}

func isName(s string) bool {
	for i, c := range s {
		letter := c == '$' || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c > 0x7F
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// op is what a node of an expression does.
type op uint8

const (
	opEmpty     op = iota
	opSet          // one character of set
	opConcat       // all of sub, in order
	opAlternate    // one of sub
	opRepeat       // sub[0], least to most times
	opCapture      // sub[0], remembered as group
	opBegin        // ^
	opEnd          // $
	opWord         // \b, or \B where not is set
	opLook         // a look at sub[0], ahead or behind
	opBackref      // what group matched
)

// node is an expression.
type node struct {
	op               op
	sub              []*node
	set              set
	minimum, maximum int // most is below 0 for no limit
	lazy             bool
	group            int
	name             string // of opBackref until it is resolved
	behind, not      bool
}

// regular reports whether an expression is one in the mathematical sense: RE2 can
// say the same.
func (n *node) regular() bool {
	if n.op == opLook || n.op == opBackref {
		return false
	}
	for _, s := range n.sub {
		if !s.regular() {
			return false
		}
	}
	return true
}

// bare gives the expression without what is not regular.
func (n *node) bare() *node {
	if n.op == opLook || n.op == opBackref {
		return &node{op: opConcat}
	}
	out := *n
	out.sub = make([]*node, len(n.sub))
	for i, s := range n.sub {
		out.sub[i] = s.bare()
	}
	return &out
}

// anchored reports whether a match can only begin at the beginning.
func (n *node) anchored() bool {
	switch n.op {
	case opBegin:
		return true
	case opConcat:
		return len(n.sub) > 0 && n.sub[0].anchored()
	case opCapture:
		return n.sub[0].anchored()
	case opAlternate:
		for _, s := range n.sub {
			if !s.anchored() {
				return false
			}
		}
		return true
	}
	return false
}

// groups gives the range of the groups inside, low to high-1.
func (n *node) groups() (low, high int) {
	if n.op == opCapture {
		low, high = n.group, n.group+1
	}
	for _, s := range n.sub {
		l, h := s.groups()
		if h == 0 {
			continue
		}
		if high == 0 {
			low = l
		}
		low, high = min(low, l), max(high, h)
	}
	return low, high
}
