package pattern

// code is an instruction of the backtracking matcher.
type code uint8

const (
	doSet    code = iota // one character of set, forward or back
	doJump               // to a
	doSplit              // to a, and to b where that fails
	doBegin              // ^
	doEnd                // $
	doWord               // \b, \B
	doSave               // the place into slot a
	doForget             // slots a to b-1: groups inside a repetition begin anew
	doEnter              // a repetition with counter a begins
	doLoop               // another turn of it, or on at b
	doTake               // the beginning of a turn
	doTurn               // the end of a turn
	doLook               // a look from here to b; it ends in doMatch
	doSame               // what group a matched, again
	doMatch
)

// instruction is one step. Back is set behind (?<=, where a match is found from
// its end.
type instruction struct {
	code        code
	not, back   bool
	lazy        bool
	a, b        int
	least, most int
	set         set
}

// program is an expression as instructions.
type program struct {
	list     []instruction
	slots    int // two for each group
	counters int // two for each repetition: turns, and where the turn began
	anchored bool
}

// assemble makes the program of an expression.
func assemble(n *node) *program {
	p := &program{anchored: n.anchored()}
	_, high := n.groups()
	p.slots = 2 * max(high, 1)
	p.add(n, false)
	p.emit(instruction{code: doMatch})
	return p
}

func (p *program) emit(i instruction) int {
	p.list = append(p.list, i)
	return len(p.list) - 1
}

func (p *program) here() int { return len(p.list) }

func (p *program) add(n *node, back bool) {
	switch n.op {
	case opSet:
		p.emit(instruction{code: doSet, set: n.set, back: back})
	case opConcat:
		for i := range n.sub {
			if back {
				i = len(n.sub) - 1 - i
			}
			p.add(n.sub[i], back)
		}
	case opAlternate:
		p.alternate(n, back)
	case opRepeat:
		p.repeat(n, back)
	case opCapture:
		first, last := 2*n.group, 2*n.group+1
		if back {
			first, last = last, first
		}
		p.emit(instruction{code: doSave, a: first})
		p.add(n.sub[0], back)
		p.emit(instruction{code: doSave, a: last})
	case opBegin:
		p.emit(instruction{code: doBegin})
	case opEnd:
		p.emit(instruction{code: doEnd})
	case opWord:
		p.emit(instruction{code: doWord, not: n.not})
	case opLook:
		at := p.emit(instruction{code: doLook, not: n.not})
		p.add(n.sub[0], n.behind)
		p.emit(instruction{code: doMatch})
		p.list[at].b = p.here()
	case opBackref:
		p.emit(instruction{code: doSame, a: n.group, back: back})
	}
}

func (p *program) alternate(n *node, back bool) {
	var ends []int
	for i, s := range n.sub {
		split := -1
		if i < len(n.sub)-1 {
			split = p.emit(instruction{code: doSplit, a: p.here() + 1})
		}
		p.add(s, back)
		if split >= 0 {
			ends = append(ends, p.emit(instruction{code: doJump}))
			p.list[split].b = p.here()
		}
	}
	for _, at := range ends {
		p.list[at].a = p.here()
	}
}

func (p *program) repeat(n *node, back bool) {
	counter := p.counters
	p.counters += 2
	p.emit(instruction{code: doEnter, a: counter})
	loop := p.emit(instruction{code: doLoop, a: counter, least: n.least, most: n.most, lazy: n.lazy})
	p.emit(instruction{code: doTake, a: counter})
	if low, high := n.groups(); high > 0 {
		p.emit(instruction{code: doForget, a: 2 * low, b: 2 * high})
	}
	p.add(n.sub[0], back)
	p.emit(instruction{code: doTurn, a: counter, b: loop, least: n.least})
	p.list[loop].b = p.here()
}
