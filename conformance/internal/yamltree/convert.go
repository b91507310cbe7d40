package yamltree

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"plantstore/conformance/internal/jsontree"
)

// anchor is a named node; it is open while its own value is being read.
type anchor struct {
	node  ast.Node
	open  bool
	shift int32 // of the part that it is in
}

// converter turns the library's nodes into values and notes their places.
type converter struct {
	t       *Tree
	anchors map[string]*anchor
	nodes   int
	shift   int32 // lines before the part of the text that the nodes are of
	// names are kept once each: the same few stand a million times.
	names map[string]string
}

// value converts a node. If the node has no place of its own, it gets the place from.
// Its name, if any, is at key.
func (c *converter) value(n ast.Node, depth int, from, key place) (*jsontree.Value, error) {
	at := from
	if n != nil {
		if p := c.placeOf(n); p.line > 0 {
			at = p
		}
	}
	if c.nodes++; c.nodes > maxNodes {
		return nil, c.t.errAt(at, "more than %d nodes, aliases resolved: split the document", maxNodes)
	}
	if depth > maxDepth {
		return nil, c.t.errAt(at, "nested deeper than %d", maxDepth)
	}
	v, err := c.unmarked(n, depth, at, key)
	if err == nil && v.Mark == 0 {
		v.Mark = c.t.places.add(spot{at, key})
	}
	return v, err
}

// unmarked is value but for the place, unless what is inside has one already.
func (c *converter) unmarked(n ast.Node, depth int, at, key place) (*jsontree.Value, error) {
	switch n := n.(type) {
	case nil:
		return jsontree.NewNull(), nil
	case *ast.MappingNode:
		return c.mapping(n.Values, depth, at)
	case *ast.MappingValueNode:
		return c.mapping([]*ast.MappingValueNode{n}, depth, at)
	case *ast.SequenceNode:
		return c.sequence(n, depth, at)
	case *ast.TagNode:
		return c.tagged(n, depth, at, key)
	case *ast.AnchorNode:
		a := &anchor{node: n.Value, open: true, shift: c.shift}
		c.anchors[nameOf(n.Name)] = a
		v, err := c.value(n.Value, depth+1, at, key)
		a.open = false
		return v, err
	case *ast.AliasNode:
		return c.alias(n, depth, at, key)
	}
	text, quoted, ok := scalarText(n)
	if !ok {
		return nil, c.t.errAt(at, "a %s is not supported here", strings.ToLower(n.Type().String()))
	}
	if quoted {
		return jsontree.NewString(text), nil
	}
	v, msg := typed(text)
	if msg != "" {
		return nil, c.t.errAt(at, "%s", msg).about()
	}
	return v, nil
}

func (c *converter) alias(n *ast.AliasNode, depth int, at, key place) (*jsontree.Value, error) {
	a := c.anchors[nameOf(n.Value)]
	switch {
	case a == nil:
		return nil, c.t.errAt(at, "alias *%s without an anchor before it", nameOf(n.Value)).about()
	case a.open:
		return nil, c.t.errAt(at, "alias *%s inside its own anchor", nameOf(n.Value)).about()
	}
	here := c.shift
	c.shift = a.shift
	v, err := c.value(a.node, depth+1, at, key)
	c.shift = here
	return v, err
}

func (c *converter) sequence(n *ast.SequenceNode, depth int, at place) (*jsontree.Value, error) {
	v := jsontree.NewArray()
	for _, item := range n.Values {
		x, err := c.value(item, depth+1, at, place{})
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, x)
	}
	return v, nil
}

// once returns the single copy of a name.
func (c *converter) once(name string) string {
	if known, ok := c.names[name]; ok {
		return known
	}
	name = strings.Clone(name) // the library's is cut from a longer text
	c.names[name] = name
	return name
}

// placeOf returns where a node starts in the whole text.
func (c *converter) placeOf(n ast.Node) place {
	p := placeOfNode(n)
	if p.line > 0 {
		p.line += c.shift
	}
	return p
}

func nameOf(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// The library keeps several copies of the text that it reads: 54 MB of comments
// took 859 MB. A large text is therefore read one entry of its outermost block
// mapping at a time, and a large entry is split in the same way.

// sizes say, in bytes, what is split.
type sizes struct {
	from  int // a text up to this size is read whole
	part  int // an entry above this size is split in turn
	whole int // the largest text or value that cannot be split
}

func usual() sizes { return sizes{from: 1 << 20, part: 256 << 10, whole: 6 << 20} }

// errWhole says that a text cannot be split into entries and must be read as a whole.
// A wrong split is always noticed: if a quoted scalar or a bracket is still open at
// the end of a part, the part does not parse.
var errWhole = errors.New("not in parts")

// lines is a run of lines of the text.
type lines struct {
	text  string
	first int32 // lines of the text before it
}

// parts reads a document as a block mapping, entry by entry.
func (c *converter) parts(text string) (*jsontree.Value, error) {
	if strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		return nil, errWhole // a carriage return alone ends a line too
	}
	rest, started := lines{text: text}, false
	for rest.text != "" {
		line := rest.line()
		switch start := strings.TrimRight(line, " \t\r\n") == "---"; {
		case strings.HasPrefix(line, "%"), start && started:
			return nil, errWhole
		case start:
			started = true
			rest.drop(line)
		case !idle(line):
			return c.block(rest, 0, place{1, 1}, place{})
		default:
			rest.drop(line)
		}
	}
	return nil, errWhole
}

func (l *lines) line() string {
	if i := strings.IndexByte(l.text, '\n'); i >= 0 {
		return l.text[:i+1]
	}
	return l.text
}

func (l *lines) drop(line string) { l.text, l.first = l.text[len(line):], l.first+1 }

// idle reports whether a line is blank or a comment; inside a block scalar such a
// line is text.
func idle(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line == "" || line[0] == '#' || strings.TrimRight(line, "\r\n") == ""
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// block reads a block mapping whose entries begin at one indentation.
func (c *converter) block(l lines, depth int, from, key place) (*jsontree.Value, error) {
	if depth > maxDepth {
		return nil, errWhole
	}
	if c.nodes++; c.nodes > maxNodes {
		return nil, c.t.errAt(from, "more than %d nodes, aliases resolved: split the document", maxNodes)
	}
	v := jsontree.NewObject()
	seen := map[string]place{}
	at := -1
	for l.text != "" {
		if line := l.line(); idle(line) {
			l.drop(line)
			continue
		}
		if at < 0 {
			at = indent(l.line())
			v.Mark = c.t.places.add(spot{place{l.first + 1, int32(at) + 1}, key})
		}
		entry, ok := l.entry(at)
		if !ok {
			return nil, errWhole
		}
		name, p, x, err := c.entry(entry, depth, at)
		if err != nil {
			return nil, err
		}
		if before, twice := seen[name]; twice {
			if err := c.t.repeated(v, name, c.t.errAt(p, "duplicate key %q, first at %d:%d", name, before.line, before.col)); err != nil {
				return nil, err
			}
			continue
		}
		seen[name] = p
		v.Members = append(v.Members, jsontree.M(c.once(name), x))
	}
	return v, nil
}

// entry removes and returns the lines before the next entry of the same indentation.
// Comments and blank lines between the two are dropped.
func (l *lines) entry(at int) (lines, bool) {
	first := l.line()
	if indent(first) != at || strings.ContainsAny(first[at:at+1], "-?\t{[&*!|>%@`") || strings.HasPrefix(first, "...") || strings.HasPrefix(first[at:], "<<") {
		return lines{}, false
	}
	out := lines{first: l.first}
	rest, end, n := *l, len(first), len(first)
	rest.drop(first)
	for rest.text != "" {
		line := rest.line()
		n += len(line)
		switch depth := indent(line); {
		case idle(line):
		case depth < at || at == 0 && (strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")):
			return lines{}, false
		case depth == at && line[at] == '-' && idle(line[at+1:]):
			return lines{}, false // the library has a reading of its own of an empty item
		case depth == at && !strings.HasPrefix(line[at:], "- "):
			out.text = l.text[:end]
			*l = rest
			return out, true
		}
		if !idle(line) || indent(line) > at {
			end = n
		}
		rest.drop(line)
	}
	out.text = l.text[:end]
	*l = lines{}
	return out, true
}

// entry reads one entry, and splits it again if it is large.
func (c *converter) entry(l lines, depth, at int) (string, place, *jsontree.Value, error) {
	if len(l.text) > c.t.sizes.part {
		nodes, places := c.nodes, len(c.t.places.list)
		name, p, v, err := c.large(l, depth, at)
		if !errors.Is(err, errWhole) {
			return name, p, v, err
		}
		c.nodes, c.t.places.list = nodes, c.t.places.list[:places]
		if len(l.text) > c.t.sizes.whole {
			return "", place{}, nil, c.t.errAt(place{l.first + 1, int32(at) + 1},
				"a value of %d bytes in one piece: want a block mapping, or less than %d", len(l.text), c.t.sizes.whole)
		}
	}
	node, err := c.single(l)
	if err != nil {
		return "", place{}, nil, err
	}
	c.shift = l.first
	defer func() { c.shift = 0 }()
	name, p, err := c.key(node.Key, place{l.first + 1, 1})
	if err != nil {
		return "", place{}, nil, err
	}
	v, err := c.value(node.Value, depth+1, p, p)
	return name, p, v, err
}

// large reads an entry whose value is a block mapping on lines of its own.
func (c *converter) large(l lines, depth, at int) (string, place, *jsontree.Value, error) {
	head := lines{text: l.line(), first: l.first}
	l.drop(head.text)
	below := l
	for below.text != "" && idle(below.line()) {
		below.drop(below.line())
	}
	if below.text == "" || indent(below.line()) <= at {
		return "", place{}, nil, errWhole
	}
	node, err := c.single(head)
	if err != nil {
		return "", place{}, nil, errWhole
	}
	if text, quoted, ok := scalarText(node.Value); node.Value != nil && (!ok || quoted || text != "") {
		return "", place{}, nil, errWhole
	}
	c.shift = head.first
	name, p, err := c.key(node.Key, place{head.first + 1, 1})
	c.shift = 0
	if err != nil {
		return "", place{}, nil, err
	}
	v, err := c.block(l, depth+1, p, p)
	return name, p, v, err
}

// single reads a text that holds one entry of a mapping.
func (c *converter) single(l lines) (*ast.MappingValueNode, error) {
	tokens := lexer.Tokenize(l.text)
	if _, deep := tooDeep(tokens); deep {
		return nil, errWhole
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil || len(file.Docs) != 1 {
		return nil, errWhole
	}
	switch n := file.Docs[0].Body.(type) {
	case *ast.MappingValueNode:
		return n, nil
	case *ast.MappingNode:
		if len(n.Values) == 1 && !n.IsFlowStyle {
			return n.Values[0], nil
		}
	}
	return nil, errWhole
}
