package pattern

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
	op          op
	sub         []*node
	set         set
	least, most int // most is below 0 for no limit
	lazy        bool
	group       int
	name        string // of opBackref until it is resolved
	behind, not bool
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
