package yamltree

import (
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"plantstore/conformance/internal/jsontree"
)

func (c *converter) mapping(members []*ast.MappingValueNode, pointer string, depth int, at place) (*jsontree.Value, error) {
	v := jsontree.NewObject()
	first := make(map[string]place, len(members))
	for _, m := range members {
		name, p, err := c.key(m.Key, at)
		if err != nil {
			return nil, err
		}
		if before, ok := first[name]; ok {
			return nil, c.t.errAt(p, "duplicate key %q, first at %d:%d", name, before.line, before.col)
		}
		first[name] = p
		below := pointer + "/" + jsontree.EscapePointer(name)
		c.t.keys[below] = p
		x, err := c.value(m.Value, below, depth+1, p)
		if err != nil {
			return nil, err
		}
		v.Members = append(v.Members, jsontree.M(name, x))
	}
	return v, nil
}

// key spells a key as text: 200, true and null are names like any other in JSON.
func (c *converter) key(n ast.Node, at place) (string, place, error) {
	if k, ok := n.(*ast.MappingKeyNode); ok {
		n = k.Value
	}
	if n == nil {
		return "", at, c.t.errAt(at, "a key is missing")
	}
	if p := placeOfNode(n); p.line > 0 {
		at = p
	}
	switch k := n.(type) {
	case *ast.MergeKeyNode:
		return "", at, c.t.errAt(at, "merge keys (<<) are not supported")
	case *ast.TagNode:
		if k.Start.Value != "!!str" {
			return "", at, c.t.errAt(at, "tag %s is not supported in a key", k.Start.Value)
		}
		return c.key(k.Value, at)
	case *ast.AnchorNode:
		c.anchors[nameOf(k.Name)] = &anchor{node: k.Value}
		return c.key(k.Value, at)
	case *ast.AliasNode:
		if a := c.anchors[nameOf(k.Value)]; a != nil {
			text, _, ok := scalarText(a.node)
			if ok {
				return text, at, nil
			}
		}
		return "", at, c.t.errAt(at, "a key must be a scalar")
	}
	text, _, ok := scalarText(n)
	if !ok {
		return "", at, c.t.errAt(at, "a key must be a scalar")
	}
	return text, at, nil
}

// tagged reads a node with a tag of the core schema (YAML 1.2.2, section 10.3).
func (c *converter) tagged(n *ast.TagNode, pointer string, depth int, at place) (*jsontree.Value, error) {
	tag := n.Start.Value
	v, err := c.value(n.Value, pointer, depth+1, at)
	if err != nil {
		return nil, err
	}
	text, _, scalar := scalarText(n.Value)
	if n.Value == nil {
		scalar = true
	}
	var want jsontree.Kind
	switch tag {
	case "!!str", "!":
		if !scalar {
			return nil, c.t.errAt(at, "%s before a value that is no scalar", tag)
		}
		return jsontree.NewString(text), nil
	case "!!map":
		want = jsontree.Object
	case "!!seq":
		want = jsontree.Array
	case "!!null":
		want = jsontree.Null
	case "!!bool":
		want = jsontree.Bool
	case "!!int", "!!float":
		want = jsontree.Number
	default:
		return nil, c.t.errAt(at, "tag %s is not supported", tag)
	}
	if scalar {
		v, _ = plain(text)
	}
	if v == nil || v.Kind != want || tag == "!!int" && !jsontree.IsInteger(v.Text) {
		return nil, c.t.errAt(at, "%s before a value of another type", tag)
	}
	return v, nil
}

// scalarText gives the text of a scalar and whether it was quoted or a block.
func scalarText(n ast.Node) (text string, quoted, ok bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		if n.Value == nil {
			return "", true, true
		}
		return n.Value.Value, true, true
	case *ast.StringNode:
		return n.Value, n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType, true
	case *ast.NullNode:
		if n.Token == nil || n.Token.Type == token.ImplicitNullType {
			return "", false, true
		}
		return n.Token.Value, false, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, false, true
	}
	return "", false, false
}

// placeOfNode gives where a node starts: a mapping at its first key, not at
// the colon that the library takes for its token.
func placeOfNode(n ast.Node) place {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return placeOfNode(n.Values[0])
		}
		return placeOfToken(n.Start)
	case *ast.MappingValueNode:
		if n.Key != nil {
			return placeOfToken(n.Key.GetToken())
		}
		return placeOfToken(n.Start)
	case *ast.DirectiveNode:
		return placeOfToken(n.Start)
	}
	return placeOfToken(n.GetToken())
}
