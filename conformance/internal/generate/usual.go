package generate

import (
	"math/big"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// modest keeps the numbers of a body within those of the examples, if there are any, and
// makes them small if the target takes no others.
func (g *Gen) modest(shape *openapi.Shape, path string, s *openapi.Schema, v *jsontree.Value) {
	body := g.Op.Body
	if body == nil || shape != body.Shape {
		return
	}
	small := g.id.Small.Has(g.Op)
	if !small && len(body.Usual) == 0 {
		return
	}
	changed := false
	eachNumber(s, path, v, func(path string, s *openapi.Schema, v *jsontree.Value) {
		most := body.Usual[path]
		if small {
			most = mostSmall(s)
		}
		if most == nil {
			return
		}
		if to := upTo(s, most, v); to != v {
			*v, changed = *to, true
		}
	})
	if changed {
		g.orderedBelow(s, v)
	}
}

// orderedBelow puts the pairs of all objects of a value in order again.
func (g *Gen) orderedBelow(s *openapi.Schema, v *jsontree.Value) {
	switch {
	case s == nil || v == nil || g.judge() == nil:
	case v.Kind == jsontree.Array:
		for i, item := range v.Items {
			g.orderedBelow(s.Item(i), item)
		}
	case v.Kind == jsontree.Object:
		for _, m := range v.Members {
			if p := s.Property(m.Name); p != nil {
				g.orderedBelow(p.Schema, m.Value)
			}
		}
		g.ordered(s, v, free)
	}
}

// upTo returns a number that is not above another one, as far as the schema has such.
func upTo(s *openapi.Schema, most *big.Int, v *jsontree.Value) *jsontree.Value {
	n, whole := new(big.Int).SetString(v.Text, 10)
	low, high, step := Bounds(s)
	if v.Kind != jsontree.Number || !whole || s.Enum != nil || s.Const != nil || n.Cmp(most) <= 0 || most.Cmp(low) < 0 || most.Cmp(high) > 0 {
		return v
	}
	span := new(big.Int).Sub(most, low)
	span.Div(span, step).Add(span, big.NewInt(1))
	return jsontree.NewNumber(n.Mod(n, span).Mul(n, step).Add(n, low).String())
}
