package yamltree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"plantstore/conformance/internal/jsontree"
)

func (c *converter) mapping(members []*ast.MappingValueNode, depth int, at place) (*jsontree.Value, error) {
	v := jsontree.NewObject()
	v.Members = make([]jsontree.Member, 0, len(members))
	first := make(map[string]place, len(members))
	merged := map[string]int{} // where v has the members of other mappings
	for _, m := range members {
		if _, ok := m.Key.(*ast.MergeKeyNode); ok {
			if err := c.merge(v, first, merged, m, depth, at); err != nil {
				return nil, err
			}
			continue
		}
		name, p, err := c.key(m.Key, at)
		if err != nil {
			return nil, err
		}
		if before, ok := first[name]; ok {
			if err := c.t.repeated(v, name, c.t.errAt(p, "duplicate key %q, first at %d:%d", name, before.line, before.col)); err != nil {
				return nil, err
			}
			continue
		}
		first[name] = p
		x, err := c.value(m.Value, depth+1, p, p)
		var wrong *Error
		if c.t.loose && errors.As(err, &wrong) && wrong.one {
			c.t.Faults = append(c.t.Faults, Fault{In: v, Name: name, Err: wrong})
			x, err = &jsontree.Value{Kind: jsontree.Null, Mark: c.t.places.add(spot{p, p})}, nil
		}
		if err != nil {
			return nil, err
		}
		if i, ok := merged[name]; ok {
			v.Members[i].Value = x
			delete(merged, name)
			continue
		}
		v.Members = append(v.Members, jsontree.M(c.once(name), x))
	}
	return v, nil
}

// merge adds the members of one mapping, or of several, that a mapping does not have itself. The
// earlier one wins (YAML merge key, yaml.org/type/merge.html).
func (c *converter) merge(v *jsontree.Value, first map[string]place, merged map[string]int, m *ast.MappingValueNode, depth int, at place) error {
	if p := c.placeOf(m.Key); p.line > 0 {
		at = p
	}
	x, err := c.value(m.Value, depth+1, at, at)
	if err != nil {
		return err
	}
	list := []*jsontree.Value{x}
	if x.Kind == jsontree.Array {
		list = x.Items
	}
	for _, one := range list {
		if one.Kind != jsontree.Object {
			return c.t.errAt(at, "a merge key (<<) needs a mapping, or a list of them")
		}
		for _, member := range one.Members {
			_, own := first[member.Name]
			if _, known := merged[member.Name]; own || known {
				continue
			}
			merged[member.Name] = len(v.Members)
			v.Members = append(v.Members, member)
		}
	}
	return nil
}

// key spells a key as text: 200, true and null are names like any other in JSON.
func (c *converter) key(n ast.Node, at place) (string, place, error) {
	if k, ok := n.(*ast.MappingKeyNode); ok {
		n = k.Value
	}
	if n == nil {
		return "", at, c.t.errAt(at, "a key is missing")
	}
	if p := c.placeOf(n); p.line > 0 {
		at = p
	}
	switch k := n.(type) {
	case *ast.MergeKeyNode:
		return "", at, c.t.errAt(at, "a merge key (<<) is not supported here")
	case *ast.TagNode:
		if k.Start.Value != "!!str" {
			return "", at, c.t.errAt(at, "tag %s is not supported in a key", k.Start.Value)
		}
		return c.key(k.Value, at)
	case *ast.AnchorNode:
		c.anchors[nameOf(k.Name)] = &anchor{node: k.Value, shift: c.shift}
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
func (c *converter) tagged(n *ast.TagNode, depth int, at, key place) (*jsontree.Value, error) {
	tag := n.Start.Value
	v, err := c.value(n.Value, depth+1, at, key)
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
			return nil, c.t.errAt(at, "%s before a value that is not a scalar", tag).about()
		}
		return &jsontree.Value{Kind: jsontree.String, Text: text, Mark: v.Mark}, nil
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
		return nil, c.t.errAt(at, "tag %s is not supported", tag).about()
	}
	if scalar {
		mark := v.Mark
		if v, _ = typed(text); v != nil {
			v.Mark = mark
		}
	}
	if v == nil || v.Kind != want || tag == "!!int" && !jsontree.IsInteger(v.Text) {
		return nil, c.t.errAt(at, "%s before a value of another type", tag).about()
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
		if n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType {
			return n.Value, true, true
		}
		return plainText(n.Token, n.Value), false, true
	case *ast.NullNode:
		if n.Token == nil || n.Token.Type == token.ImplicitNullType {
			return "", false, true
		}
		return plainText(n.Token, n.Token.Value), false, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return plainText(n.GetToken(), n.GetToken().Value), false, true
	}
	return "", false, false
}

// plainText returns the text of a plain scalar with the tabs inside it, which the
// library drops in most places. Lines are folded as in YAML 1.2.2, 6.5.
func plainText(tk *token.Token, text string) string {
	if !strings.Contains(tk.Origin, "\t") {
		return text
	}
	var out strings.Builder
	breaks := 0
	for line := range strings.SplitSeq(strings.TrimSpace(tk.Origin), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			breaks++
			continue
		}
		switch {
		case out.Len() == 0:
		case breaks == 0:
			out.WriteByte(' ')
		default:
			out.WriteString(strings.Repeat("\n", breaks))
		}
		out.WriteString(line)
		breaks = 0
	}
	return out.String()
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

// places turns the marks of values into lines and columns. A large document has
// a million values, and few of their places are ever asked for: a value carries
// four bytes, and the rest is worked out on demand. In JSON that takes a pass
// over the text, so it is meant for complaints.
type places struct {
	json string // the text if it is JSON: a mark is an offset, plus 1
	list []spot // else a mark is an index, plus 1
}

// spot is the place of a value and of its name.
type spot struct{ value, name place }

type place struct{ line, col int32 }

// add records a spot and returns its mark.
func (p *places) add(s spot) uint32 {
	p.list = append(p.list, s)
	return uint32(len(p.list))
}

func (p *places) value(v *jsontree.Value) (place, bool) {
	switch {
	case v.Mark == 0:
		return place{}, false
	case p.list == nil:
		return placeOf(p.json, int(v.Mark)-1), true
	}
	return p.list[v.Mark-1].value, true
}

func (p *places) name(of *jsontree.Value, member int) (place, bool) {
	switch v := of.Members[member].Value; {
	case p.list == nil && of.Mark > 0:
		at := jsontree.NameOffset(p.json, int(of.Mark)-1, member)
		return placeOf(p.json, at), at >= 0
	case p.list == nil || v.Mark == 0:
		return place{}, false
	default:
		return p.list[v.Mark-1].name, true
	}
}

// Position returns line and column, from 1, of the value at the pointer, or of its
// nearest ancestor that exists. The place of a block mapping is its first key.
func (t *Tree) Position(pointer string) (line, col int) {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if p, ok := t.places.value(s.value); ok {
			return int(p.line), int(p.col)
		}
	}
	return 1, 1
}

// NamePosition returns line and column of the member's name, or of the nearest
// ancestor that has one, or 1:1 if there is none.
func (t *Tree) NamePosition(pointer string) (line, col int) {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if s.in == nil || s.in.Kind != jsontree.Object {
			continue
		}
		if p, ok := t.places.name(s.in, s.n); ok {
			return int(p.line), int(p.col)
		}
	}
	return 1, 1
}

// Line returns the line of the value at the pointer, from 1, or of its nearest ancestor
// that exists. The line of a member is that of its name.
func (t *Tree) Line(pointer string) int {
	for _, s := range slices.Backward(t.steps(pointer)) {
		if s.in != nil && s.in.Kind == jsontree.Object {
			if p, ok := t.places.name(s.in, s.n); ok {
				return int(p.line)
			}
		}
		if p, ok := t.places.value(s.value); ok {
			return int(p.line)
		}
	}
	return 1
}

// step is a value on the way to a pointer: member or item n of what it is in.
type step struct {
	value, in *jsontree.Value
	n         int
}

// steps lists the values on the way to a pointer, the root first, and ends where the
// pointer leads nowhere.
func (t *Tree) steps(pointer string) []step {
	if t.Root == nil {
		return nil
	}
	v := t.Root
	out := []step{{value: v}}
	if pointer == "" {
		return out
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next, n := v.Child(token)
		if next == nil {
			break
		}
		out = append(out, step{value: next, in: v, n: n})
		v = next
	}
	return out
}

// Where returns Position as "name:line:col".
func (t *Tree) Where(pointer string) string {
	line, col := t.Position(pointer)
	return fmt.Sprintf("%s:%d:%d", t.name, line, col)
}

func placeOf(text string, offset int) place {
	passed := text[:min(max(offset, 0), len(text))]
	line := strings.Count(passed, "\n")
	return place{int32(line) + 1, int32(utf8.RuneCountInString(passed[strings.LastIndexByte(passed, '\n')+1:])) + 1}
}
