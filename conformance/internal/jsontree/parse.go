package jsontree

import (
	"fmt"
	"slices"
	"strconv"
)

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

// Token is one token of a text. Commas and brackets carry the pointer of their
// container, names and colons that of the member, values their own; pointers
// are cut at 4096 bytes. Depth is the number of containers around the token: a
// bracket stands outside its own.
type Token struct {
	Kind       TokenKind
	Start, End int
	Pointer    string
	Depth      int
}

// Tokens gives the tokens of a valid text in order, without white space. Its
// errors are those of Parse.
func Tokens(b []byte) ([]Token, error) {
	sc := newScanner(string(b), DefaultDepth)
	stack := []tokenLevel{{}} // the lowest stands for the text
	var out []Token
	for {
		k, err := sc.next()
		top := &stack[len(stack)-1]
		if err != nil {
			if se, ok := err.(*SyntaxError); ok {
				se.Pointer = cutText(top.place(sc.state), maxErrorPointer)
			}
			return nil, err
		}
		if k == endOfText {
			return out, nil
		}
		t := Token{Kind: k, Start: sc.start, End: sc.end, Depth: len(stack) - 1}
		switch k {
		case NameToken:
			name := sc.s[sc.start+1 : sc.end-1]
			if sc.str.escaped {
				name = unquote(name)
			}
			top.member = child(top.pointer, name)
			t.Pointer = top.member
		case Colon:
			t.Pointer = top.member
		case Comma:
			t.Pointer = top.pointer
		case EndObject, EndArray:
			t.Pointer, t.Depth = top.pointer, t.Depth-1
			stack = stack[:len(stack)-1]
		default:
			if top.array {
				top.member = child(top.pointer, strconv.Itoa(top.next))
				top.next++
			}
			t.Pointer = top.member
			if k == BeginObject || k == BeginArray {
				stack = append(stack, tokenLevel{object: k == BeginObject, array: k == BeginArray, pointer: t.Pointer})
			}
		}
		out = append(out, t)
	}
}

type tokenLevel struct {
	object  bool
	array   bool   // neither is the text itself
	pointer string // of the container
	member  string // of the item read last
	next    int
}

// place is the pointer for a syntax error, as Parse gives it.
func (l *tokenLevel) place(s state) string {
	switch {
	case l.object && (s == wantColon || s == wantValue):
		return l.member
	case s == wantValueOrEnd || s == wantValue && l.array:
		return child(l.pointer, strconv.Itoa(l.next))
	}
	return l.pointer
}

// NameOffset returns the byte offset of the name of member n, from 0, of the object
// that starts at an offset of a valid text, or -1 if there is none.
func NameOffset(text string, object, n int) int {
	sc := newScanner(text, DefaultDepth)
	sc.pos = object
	for {
		switch k, err := sc.next(); {
		case err != nil || k == endOfText || len(sc.stack) == 0:
			return -1
		case k == NameToken && len(sc.stack) == 1:
			if n--; n < 0 {
				return sc.start
			}
		}
	}
}

// SyntaxError says that a text is not JSON by the grammar of RFC 8259.
type SyntaxError struct {
	Offset  int    // byte offset of the first byte that cannot be right
	Pointer string // JSON pointer of the place, at most 200 bytes
	Msg     string
	Behind  bool // what comes before the offset is a complete text
}

// Error gives the offset, the place and the reason in one line.
func (e *SyntaxError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Msg)
	}
	return fmt.Sprintf("invalid JSON at byte %d, %q: %s", e.Offset, e.Pointer, e.Msg)
}

// DepthError says that a text nests deeper than the limit; what follows the
// offset was not looked at (RFC 8259, section 9 allows such limits).
type DepthError struct {
	Limit  int
	Offset int
}

// Error gives the limit and the offset of the bracket that exceeds it.
func (e *DepthError) Error() string {
	return fmt.Sprintf("JSON nested deeper than %d at byte %d", e.Limit, e.Offset)
}

// SizeError says that a text holds more values than the limit.
type SizeError struct {
	Limit  int
	Offset int
}

// Error returns the limit and the offset of the first value beyond it.
func (e *SizeError) Error() string {
	return fmt.Sprintf("JSON of more than %d values at byte %d", e.Limit, e.Offset)
}

// IssueKind names a defect that the grammar allows but that harms interoperation.
type IssueKind uint8

// The kinds of issue, with the section of RFC 8259 that warns of them.
const (
	DuplicateName IssueKind = iota // section 4
	InvalidUTF8                    // section 8.1
	LoneSurrogate                  // section 8.2
	ByteOrderMark                  // section 8.1
)

// String names the issue as reports do.
func (k IssueKind) String() string {
	switch k {
	case DuplicateName:
		return "duplicate name"
	case InvalidUTF8:
		return "invalid UTF-8"
	case LoneSurrogate:
		return "lone surrogate"
	case ByteOrderMark:
		return "byte order mark"
	}
	return fmt.Sprintf("issue %d", uint8(k))
}

// Issue is one such defect and its place. For DuplicateName the offset is that
// of the later name; for the encoding issues that of the first bad byte or escape.
type Issue struct {
	Kind    IssueKind
	Offset  int
	Pointer string // at most 200 bytes
}

// Document is a parsed text.
type Document struct {
	Root *Value
	// Issues in the order found: the first 16, and always the first of each kind.
	Issues []Issue
	// Depth is the number of containers around the deepest point; 0 for a scalar.
	Depth int
}

// Has reports whether the text has an issue of that kind.
func (d *Document) Has(k IssueKind) bool {
	return d != nil && slices.ContainsFunc(d.Issues, func(i Issue) bool { return i.Kind == k })
}

const maxIssues = 16

// wants reports whether another issue of the kind is kept: asked first, since
// building its pointer costs the depth.
func (d *Document) wants(k IssueKind) bool { return len(d.Issues) < maxIssues || !d.Has(k) }
