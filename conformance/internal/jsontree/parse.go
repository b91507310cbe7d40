package jsontree

import "slices"

// DefaultDepth is the nesting that Parse and Tokens accept.
const DefaultDepth = 200_000

// Parse reads exactly one JSON text (RFC 8259). A text outside the grammar is a
// *SyntaxError, one nested deeper than DefaultDepth a *DepthError. What the
// grammar allows but other parsers stumble over is in Issues. A leading byte
// order mark is skipped and is an issue; UTF-16 and UTF-32 are syntax errors.
func Parse(b []byte) (*Document, error) { return ParseLimit(b, DefaultDepth) }

// ParseLimit is Parse with another limit on nesting; 0 accepts scalars only.
func ParseLimit(b []byte, maxDepth int) (*Document, error) {
	return ParseText(string(b), maxDepth, 0)
}

// ParseText is ParseLimit for a string, whose parts the values share. More than
// maxNodes values are a *SizeError; 0 sets no limit.
func ParseText(text string, maxDepth, maxNodes int) (*Document, error) {
	p := parser{sc: newScanner(text, maxDepth), doc: new(Document)}
	if p.sc.bom {
		p.doc.Issues = []Issue{{Kind: ByteOrderMark}}
	}
	for {
		k, err := p.sc.next()
		if err != nil {
			if se, ok := err.(*SyntaxError); ok {
				se.Pointer = p.place()
			}
			return nil, err
		}
		if k == endOfText {
			p.doc.Depth = p.sc.depth
			return p.doc, nil
		}
		p.take(k)
		if maxNodes > 0 && p.nodes > maxNodes {
			return nil, &SizeError{Limit: maxNodes, Offset: p.sc.start}
		}
	}
}

type parser struct {
	sc    scanner
	doc   *Document // apart, so that it does not keep the parser alive
	open  []frame
	now   contents // of the open containers, the innermost last
	made  contents // slabs that those of closed ones are in
	slab  []Value
	nodes int // values so far
}

func (p *parser) take(k TokenKind) {
	switch k {
	case BeginObject, BeginArray:
		v := p.add()
		v.Kind = Array
		if k == BeginObject {
			v.Kind = Object
		}
		p.open = append(p.open, frame{v: v, from: p.now.size(v.Kind)})
	case EndObject, EndArray:
		p.close()
	case NameToken:
		p.name()
	case StringToken:
		v := p.add()
		v.Kind, v.Text = String, p.text()
		p.encoding()
	case NumberToken:
		v := p.add()
		v.Kind, v.Text = Number, p.sc.s[p.sc.start:p.sc.end]
	case Literal:
		v := p.add()
		if c := p.sc.s[p.sc.start]; c != 'n' {
			v.Kind, v.Bool = Bool, c == 't'
		}
	}
}

// slabValues are as many values as fill 8 KiB, a size that the allocator does not round.
const slabValues = 93

// add puts a fresh value where the next one belongs. Values come from slabs,
// since one allocation each is most of the cost of parsing.
func (p *parser) add() *Value {
	if len(p.slab) == cap(p.slab) {
		p.slab = make([]Value, 0, min(max(4, 2*cap(p.slab)), slabValues))
	}
	p.nodes++
	p.slab = append(p.slab, Value{Mark: uint32(p.sc.start) + 1})
	v := &p.slab[len(p.slab)-1]
	if len(p.open) == 0 {
		p.doc.Root = v
		return v
	}
	if p.open[len(p.open)-1].v.Kind == Array {
		p.now.items = append(p.now.items, v)
	} else {
		p.now.members[len(p.now.members)-1].Value = v
	}
	return v
}

func (p *parser) text() string {
	inside := p.sc.s[p.sc.start+1 : p.sc.end-1]
	if p.sc.str.escaped {
		return unquote(inside)
	}
	return inside
}

const fewNames = 16

func (p *parser) name() {
	f := &p.open[len(p.open)-1]
	name, before := p.text(), p.now.members[f.from:]
	var dup bool
	switch {
	case len(before) < fewNames:
		dup = slices.ContainsFunc(before, func(m Member) bool { return m.Name == name })
	case f.seen == nil:
		f.seen = make(map[string]struct{}, 2*fewNames)
		for i := range before {
			f.seen[before[i].Name] = struct{}{}
		}
		fallthrough
	default:
		_, dup = f.seen[name]
		f.seen[name] = struct{}{}
	}
	if p.now.members == nil {
		p.now.members = make([]Member, 0, 4)
	}
	p.now.members = append(p.now.members, Member{Name: name})
	if dup {
		p.note(DuplicateName, p.sc.start)
	}
	p.encoding()
}

func (p *parser) encoding() {
	if p.sc.str.invalid >= 0 {
		p.note(InvalidUTF8, p.sc.str.invalid)
	}
	if p.sc.str.lone >= 0 {
		p.note(LoneSurrogate, p.sc.str.lone)
	}
}

func (p *parser) note(k IssueKind, offset int) {
	if p.doc.wants(k) {
		p.doc.Issues = append(p.doc.Issues, Issue{Kind: k, Offset: offset, Pointer: p.here(len(p.open))})
	}
}
