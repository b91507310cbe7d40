package pattern

// machine runs a program over one text, as ECMA-262, 22.2.2 does: what may go
// two ways leaves the second one open and comes back to it.
type machine struct {
	*program
	text  []rune
	slots []int32
	count []int32
	stack []choice
	left  int // steps
}

// choice is a way left open, or the old value of what was changed since.
type choice struct {
	kind choiceKind
	a, b int32
}

type choiceKind uint8

const (
	openWay  choiceKind = iota // go on with instruction a at place b
	oldSlot                    // slot a was b
	oldCount                   // counter a was b
)

// search looks for a match anywhere in a text, and returns the steps that it took.
func (p *program) search(text []rune) (Answer, int) {
	m := &machine{program: p, text: text, slots: make([]int32, p.slots), count: make([]int32, p.counters), left: maxSteps}
	answer := m.anywhere()
	return answer, maxSteps - m.left
}

func (m *machine) anywhere() Answer {
	for at := 0; at <= len(m.text); at++ {
		for i := range m.slots {
			m.slots[i] = -1
		}
		m.stack = m.stack[:0]
		switch ok, known := m.run(0, at); {
		case !known:
			return Unknown
		case ok:
			return Yes
		case m.anchored:
			return No
		}
	}
	return No
}

// run goes from an instruction to doMatch. It is not known where the steps ran
// out.
func (m *machine) run(pc, at int) (ok, known bool) {
	base := len(m.stack)
	for {
		if m.left--; m.left < 0 || len(m.stack) > maxChoices {
			return false, false
		}
		i := &m.list[pc]
		if i.code == doMatch {
			m.settle(base)
			return true, true
		}
		next, place, known := m.step(pc, i, at)
		if !known {
			return false, false
		}
		if next < 0 {
			if next, place = m.back(base); next < 0 {
				return false, true
			}
		}
		pc, at = next, place
	}
}

// step does one instruction; next is below 0 where it fails.
func (m *machine) step(pc int, i *instruction, at int) (next, place int, known bool) {
	ok := true
	switch i.code {
	case doSet:
		at, ok = m.character(i, at)
	case doJump:
		return i.a, at, true
	case doSplit:
		m.leave(i.b, at)
		return i.a, at, true
	case doBegin:
		ok = at == 0
	case doEnd:
		ok = at == len(m.text)
	case doWord:
		ok = (m.word(at-1) != m.word(at)) != i.not
	case doSave:
		m.save(i.a, int32(at))
	case doForget:
		for s := i.a; s < i.b; s++ {
			m.save(s, -1)
		}
	case doEnter:
		m.turn(i.a, 0)
		m.turn(i.a+1, -1)
	case doLoop:
		return m.loop(pc, i, at), at, true
	case doTake:
		m.turn(i.a, m.count[i.a]+1)
		m.turn(i.a+1, int32(at))
	case doTurn:
		// A turn beyond the least that took nothing would go on for ever.
		ok = int(m.count[i.a]) <= i.minimum || int(m.count[i.a+1]) != at
		if ok {
			return i.b, at, true
		}
	case doLook:
		next, known = m.look(pc, i, at)
		return next, at, known
	case doSame:
		at, ok = m.same(i, at)
	}
	if !ok {
		return -1, at, true
	}
	return pc + 1, at, true
}

func (m *machine) character(i *instruction, at int) (int, bool) {
	if i.back {
		return at - 1, at > 0 && i.set.has(m.text[at-1])
	}
	return at + 1, at < len(m.text) && i.set.has(m.text[at])
}

func (m *machine) word(at int) bool {
	if at < 0 || at >= len(m.text) {
		return false
	}
	c := m.text[at]
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// loop begins another turn of a repetition or goes on behind it.
func (m *machine) loop(pc int, i *instruction, at int) int {
	turns := int(m.count[i.a])
	switch {
	case turns < i.minimum:
	case i.maximum >= 0 && turns >= i.maximum:
		return i.b
	case i.lazy:
		m.leave(pc+1, at)
		return i.b
	default:
		m.leave(i.b, at)
	}
	return pc + 1
}

// look runs a lookaround and returns the instruction after it, or a negative number
// if it fails. A positive lookaround keeps its groups, a negative one does not.
func (m *machine) look(pc int, i *instruction, at int) (next int, known bool) {
	base := len(m.stack)
	found, known := m.run(pc+1, at)
	if found && i.not {
		for len(m.stack) > base {
			m.undo(m.pop())
		}
	}
	if found == i.not {
		return -1, known
	}
	return i.b, known
}

// same matches again what a group matched; one that matched nothing yet matches
// the empty text.
func (m *machine) same(i *instruction, at int) (int, bool) {
	from, to := int(m.slots[2*i.a]), int(m.slots[2*i.a+1])
	if from < 0 || to < 0 {
		return at, true
	}
	n := to - from
	m.left -= n
	start := at
	if i.back {
		start = at - n
	}
	if start < 0 || start+n > len(m.text) {
		return at, false
	}
	for k := range n {
		if m.text[from+k] != m.text[start+k] {
			return at, false
		}
	}
	if i.back {
		return start, true
	}
	return at + n, true
}

func (m *machine) leave(pc, at int) {
	m.stack = append(m.stack, choice{openWay, int32(pc), int32(at)})
}

func (m *machine) save(slot int, v int32) {
	m.stack = append(m.stack, choice{oldSlot, int32(slot), m.slots[slot]})
	m.slots[slot] = v
}

func (m *machine) turn(counter int, v int32) {
	m.stack = append(m.stack, choice{oldCount, int32(counter), m.count[counter]})
	m.count[counter] = v
}

func (m *machine) pop() choice {
	last := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return last
}

// undo gives back an old value.
func (m *machine) undo(c choice) {
	switch c.kind {
	case oldSlot:
		m.slots[c.a] = c.b
	case oldCount:
		m.count[c.a] = c.b
	}
}

// back goes to the last way left open; below 0 where there is none.
func (m *machine) back(base int) (pc, at int) {
	for len(m.stack) > base {
		c := m.pop()
		if c.kind == openWay {
			return int(c.a), int(c.b)
		}
		m.undo(c)
	}
	return -1, 0
}

// settle forgets the ways left open since base: a look is not entered again. The
// old values stay, for what comes back to before it.
func (m *machine) settle(base int) {
	kept := m.stack[:base]
	for _, c := range m.stack[base:] {
		if c.kind != openWay {
			kept = append(kept, c)
		}
	}
	m.stack = kept
}

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
	code             code
	not, back        bool
	lazy             bool
	a, b             int
	minimum, maximum int
	set              set
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
	loop := p.emit(instruction{code: doLoop, a: counter, minimum: n.minimum, maximum: n.maximum, lazy: n.lazy})
	p.emit(instruction{code: doTake, a: counter})
	if low, high := n.groups(); high > 0 {
		p.emit(instruction{code: doForget, a: 2 * low, b: 2 * high})
	}
	p.add(n.sub[0], back)
	p.emit(instruction{code: doTurn, a: counter, b: loop, minimum: n.minimum})
	p.list[loop].b = p.here()
}
