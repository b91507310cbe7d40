package jsontree

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
	slab  []Value
	nodes int // values so far
}

// frame is an open container; seen holds the names of a large object.
type frame struct {
	v    *Value
	seen map[string]struct{}
}

func (p *parser) take(k TokenKind) {
	switch k {
	case BeginObject, BeginArray:
		v := p.add()
		v.Kind = Array
		if k == BeginObject {
			v.Kind = Object
		}
		p.open = append(p.open, frame{v: v})
	case EndObject, EndArray:
		p.open[len(p.open)-1] = frame{}
		p.open = p.open[:len(p.open)-1]
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

// add puts a fresh value where the next one belongs. Values come from slabs,
// since one allocation each is most of the cost of parsing.
func (p *parser) add() *Value {
	if len(p.slab) == cap(p.slab) {
		p.slab = make([]Value, 0, min(max(4, 2*cap(p.slab)), 256))
	}
	p.nodes++
	p.slab = append(p.slab, Value{Mark: uint32(p.sc.start) + 1})
	v := &p.slab[len(p.slab)-1]
	if len(p.open) == 0 {
		p.doc.Root = v
		return v
	}
	if c := p.open[len(p.open)-1].v; c.Kind == Array {
		c.Items = append(c.Items, v)
	} else {
		c.Members[len(c.Members)-1].Value = v
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
	name, v := p.text(), f.v
	var dup bool
	switch {
	case len(v.Members) < fewNames:
		dup = v.index(name) >= 0
	case f.seen == nil:
		f.seen = make(map[string]struct{}, 2*fewNames)
		for i := range v.Members {
			f.seen[v.Members[i].Name] = struct{}{}
		}
		fallthrough
	default:
		_, dup = f.seen[name]
		f.seen[name] = struct{}{}
	}
	if v.Members == nil {
		v.Members = make([]Member, 0, 4)
	}
	v.Members = append(v.Members, Member{Name: name})
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
		p.doc.Issues = append(p.doc.Issues, Issue{Kind: k, Offset: offset, Pointer: p.here()})
	}
}

// here is the pointer of the value or member added last.
func (p *parser) here() string {
	var b pointerBuilder
	for i := range p.open {
		if b.full() {
			break
		}
		v := p.open[i].v
		if v.Kind == Array {
			b.index(max(0, len(v.Items)-1))
		} else if len(v.Members) > 0 {
			b.name(v.Members[len(v.Members)-1].Name)
		}
	}
	return b.String()
}

// place is the pointer for a syntax error: the value that was wanted or was
// being read, else the container.
func (p *parser) place() string {
	if len(p.open) == 0 {
		return ""
	}
	top := p.open[len(p.open)-1].v
	p.open = p.open[:len(p.open)-1]
	base := p.here()
	b := pointerBuilder{max: maxErrorPointer, b: []byte(base)}
	switch {
	case p.sc.state == wantValueOrEnd || p.sc.state == wantValue && top.Kind == Array:
		b.index(len(top.Items))
	case p.sc.state == wantColon || p.sc.state == wantValue:
		b.name(top.Members[len(top.Members)-1].Name)
	}
	return b.String()
}
