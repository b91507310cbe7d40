package yamltree

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"plantstore/conformance/internal/jsontree"
)

// anchor is a named node; it is open while its own value is being read.
type anchor struct {
	node ast.Node
	open bool
}

// converter turns the library's nodes into values and notes their places.
type converter struct {
	t       *Tree
	anchors map[string]*anchor
	nodes   int
}

// value converts a node; one without a place of its own stands where from is.
func (c *converter) value(n ast.Node, pointer string, depth int, from place) (*jsontree.Value, error) {
	at := from
	if n != nil {
		if p := placeOfNode(n); p.line > 0 {
			at = p
		}
	}
	if c.nodes++; c.nodes > maxNodes {
		return nil, c.t.errAt(at, "more than %d nodes, aliases resolved", maxNodes)
	}
	if depth > maxDepth {
		return nil, c.t.errAt(at, "nested deeper than %d", maxDepth)
	}
	c.t.at[pointer] = at
	switch n := n.(type) {
	case nil:
		return jsontree.NewNull(), nil
	case *ast.MappingNode:
		return c.mapping(n.Values, pointer, depth, at)
	case *ast.MappingValueNode:
		return c.mapping([]*ast.MappingValueNode{n}, pointer, depth, at)
	case *ast.SequenceNode:
		return c.sequence(n, pointer, depth, at)
	case *ast.TagNode:
		return c.tagged(n, pointer, depth, at)
	case *ast.AnchorNode:
		a := &anchor{node: n.Value, open: true}
		c.anchors[nameOf(n.Name)] = a
		v, err := c.value(n.Value, pointer, depth+1, at)
		a.open = false
		return v, err
	case *ast.AliasNode:
		a := c.anchors[nameOf(n.Value)]
		switch {
		case a == nil:
			return nil, c.t.errAt(at, "alias *%s without an anchor before it", nameOf(n.Value))
		case a.open:
			return nil, c.t.errAt(at, "alias *%s inside its own anchor", nameOf(n.Value))
		}
		return c.value(a.node, pointer, depth+1, at)
	}
	text, quoted, ok := scalarText(n)
	if !ok {
		return nil, c.t.errAt(at, "a %s is not supported here", strings.ToLower(n.Type().String()))
	}
	if quoted {
		return jsontree.NewString(text), nil
	}
	v, msg := plain(text)
	if msg != "" {
		return nil, c.t.errAt(at, "%s", msg)
	}
	return v, nil
}

func (c *converter) sequence(n *ast.SequenceNode, pointer string, depth int, at place) (*jsontree.Value, error) {
	v := jsontree.NewArray()
	for i, item := range n.Values {
		x, err := c.value(item, fmt.Sprintf("%s/%d", pointer, i), depth+1, at)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, x)
	}
	return v, nil
}

func nameOf(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}
