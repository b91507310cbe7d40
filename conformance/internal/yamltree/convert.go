package yamltree

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

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
