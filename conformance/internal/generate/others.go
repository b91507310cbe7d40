package generate

import (
	"math/big"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// narrowed reports whether a schema may refuse its simplest value: one that is no object
// and no array.
func narrowed(s *openapi.Schema, v *jsontree.Value) bool {
	if v.Kind == jsontree.Object || v.Kind == jsontree.Array {
		return false
	}
	return s.Not != nil || len(s.AnyOf)+len(s.OneOf) > 0 || len(s.Enum) > 1 && bounded(s)
}

// bounded reports whether a schema says more of a value than that it is listed.
func bounded(s *openapi.Schema) bool {
	return s.Minimum+s.Maximum+s.Above+s.Below+s.Multiple+s.Pattern+s.Format != "" || s.MinLength != nil || s.MaxLength != nil || s.Types != nil
}

// mostOthers bounds the values that are tried where the simplest one is not allowed.
const mostOthers = 16

// others are further values of a schema, which it may allow where it does not allow its
// simplest one. They take few fresh numbers: a case has only so many.
func (g *Gen) others(s *openapi.Schema, v *jsontree.Value, depth int) []*jsontree.Value {
	var out []*jsontree.Value
	for _, listed := range s.Enum[:min(len(s.Enum), mostOthers)] {
		out = append(out, g.copied(listed))
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		for _, one := range list[:min(len(list), mostOthers)] {
			out = append(out, g.baseline(one, depth+1))
		}
	}
	if s.Const != nil || len(s.Enum) > 0 {
		return out
	}
	switch v.Kind {
	case jsontree.Bool:
		out = append(out, jsontree.NewBool(!v.Bool))
	case jsontree.Number:
		out = append(out, around(s, v)...)
	case jsontree.String:
		if s.AnyText() {
			for n := 1; n < mostOthers; n *= 2 {
				out = append(out, jsontree.NewString(v.Text+strings.Repeat("e", n)))
			}
		}
		out = append(out, jsontree.NewString(g.BaselineText(s)), jsontree.NewString(g.BaselineText(s)))
	}
	return out
}

// around are the numbers behind a number, up to the upper bound and from the lower one on.
func around(s *openapi.Schema, v *jsontree.Value) []*jsontree.Value {
	low, high, step := Bounds(s)
	n, whole := new(big.Int).SetString(v.Text, 10)
	if !whole {
		return nil
	}
	var out []*jsontree.Value
	for range mostOthers {
		if n = new(big.Int).Add(n, step); n.Cmp(high) > 0 {
			n = new(big.Int).Set(low)
		}
		out = append(out, jsontree.NewNumber(n.String()))
	}
	return append(out, jsontree.NewNumber(low.String()), jsontree.NewNumber(high.String()))
}
