package settings

import (
	"github.com/goccy/go-yaml/ast"
)

// pair is one line of a mapping.
type pair struct {
	key   string
	line  int
	value ast.Node
}

func line(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 1
}

// mapping reads the pairs of a mapping.
func (f *file) mapping(n ast.Node, hint string) ([]pair, error) {
	var list []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		list = n.Values
	case *ast.MappingValueNode:
		list = []*ast.MappingValueNode{n}
	default:
		return nil, mistakef(hint, "%s: not a mapping", place(f.name, line(n)))
	}
	var out []pair
	for _, v := range list {
		key, err := f.scalar(v.Key)
		if err != nil {
			return nil, err
		}
		out = append(out, pair{key.value, key.line, v.Value})
	}
	return out, nil
}

// entry reads the texts of a key.
func (f *file) entry(p pair, origin string) (entry, error) {
	e := entry{key: p.key, line: p.line, origin: origin}
	nodes := []ast.Node{p.value}
	if s, ok := p.value.(*ast.SequenceNode); ok {
		e.list, nodes = true, s.Values
	}
	for _, n := range nodes {
		t, err := f.scalar(n)
		if err != nil {
			return e, err
		}
		e.texts = append(e.texts, t)
	}
	return e, nil
}

// scalar reads a text. Numbers keep the form in which they are written.
func (f *file) scalar(n ast.Node) (text, error) {
	t := text{line: line(n)}
	switch n := n.(type) {
	case *ast.StringNode:
		t.value = n.Value
	case *ast.LiteralNode:
		t.value = n.Value.Value
	case *ast.BoolNode:
		t.value, t.truth = n.Token.Value, true
	case *ast.IntegerNode, *ast.FloatNode:
		t.value = n.GetToken().Value
	case *ast.NullNode:
		return t, mistakef("write one, or remove the line", "%s: no value", place(f.name, t.line))
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode:
		return t, mistakef("put a text that starts with * or & in quotes", "%s: YAML aliases and anchors are not read", place(f.name, t.line))
	default:
		return t, mistakef("write a text, or a list of texts for a flag that is repeatable", "%s: not a text", place(f.name, t.line))
	}
	return t, nil
}
