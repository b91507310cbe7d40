package mutate

import (
	"math/big"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// numberBound is one bound of a number and the way into the range.
type numberBound struct {
	keyword, text string
	inward        int64
}

func bounds(s *openapi.Schema) []numberBound {
	var out []numberBound
	for _, b := range []numberBound{{"minimum", s.Minimum, 1}, {"maximum", s.Maximum, -1},
		{"exclusiveMinimum", s.Above, 1}, {"exclusiveMaximum", s.Below, -1}} {
		if b.text != "" {
			out = append(out, b)
		}
	}
	return out
}

// stepOf returns the distance between two numbers that a schema allows: its
// multipleOf, or 1.
func stepOf(s *openapi.Schema) *big.Rat {
	if r, ok := jsontree.Rat(s.Multiple); ok && s.Multiple != "" && r.Sign() > 0 {
		return r
	}
	return big.NewRat(1, 1)
}

// decimal writes a rational exactly if it ends within 30 decimal places.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(30), "0")
}

// distinct drops values that are there already.
func distinct(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if !slices.ContainsFunc(out, func(o *jsontree.Value) bool { return jsontree.Equal(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}
