package generate

import (
	"math/big"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// modest keeps the numbers of a body within those of the examples, if there are any, and
// makes them small if the target takes no others.
func (g *Gen) modest(shape *contract.Shape, path string, s *contract.Schema, v *jsontree.Value) *jsontree.Value {
	if g.Op.Body == nil || shape != g.Op.Body.Shape {
		return v
	}
	if g.id.Small.Has(g.Op) {
		keepSmall(s, path[strings.LastIndexByte(path, '/')+1:], v)
		return v
	}
	if most := g.Op.Body.Usual[path]; most != nil {
		return upTo(s, most, v)
	}
	if path != "" {
		return v // examples give the numbers of the body's own members
	}
	for i := range v.Members {
		m := &v.Members[i]
		most, p := g.Op.Body.Usual["/"+jsontree.EscapePointer(m.Name)], s.Property(m.Name)
		if most != nil && p != nil {
			m.Value = upTo(p.Schema, most, m.Value)
		}
	}
	return v
}

// upTo returns a number that is not above another one, as far as the schema has such.
func upTo(s *contract.Schema, most *big.Int, v *jsontree.Value) *jsontree.Value {
	n, whole := new(big.Int).SetString(v.Text, 10)
	low, high, step := Bounds(s)
	if v.Kind != jsontree.Number || !whole || s.Enum != nil || s.Const != nil || n.Cmp(most) <= 0 || most.Cmp(low) < 0 || most.Cmp(high) > 0 {
		return v
	}
	span := new(big.Int).Sub(most, low)
	span.Div(span, step).Add(span, big.NewInt(1))
	return jsontree.NewNumber(n.Mod(n, span).Mul(n, step).Add(n, low).String())
}
