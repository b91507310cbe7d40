package mutate

import (
	"math/big"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// strangers are texts of the form of those in a list, such as FVS for EUR. A server that
// checks only the form takes them.
func strangers(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if v.Kind != jsontree.String || v.Text == "" {
			continue
		}
		for by := rune(1); by < 10; by++ {
			text := strings.Map(func(c rune) rune { return turned(c, by) }, v.Text)
			if text != v.Text && !slices.ContainsFunc(list, func(one *jsontree.Value) bool { return one.Text == text }) {
				out = append(out, jsontree.NewString(text))
				break
			}
		}
	}
	return distinct(out)
}

// turned returns the letter or digit so many places further, of the same kind.
func turned(c, by rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+by)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+by)%26
	case c >= '0' && c <= '9':
		return '0' + (c-'0'+by)%10
	}
	return c
}

// casings are the texts of a list in other letter case.
func casings(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if v.Kind == jsontree.String {
			for _, t := range []string{title(v.Text), strings.ToUpper(v.Text), strings.ToLower(v.Text)} {
				out = append(out, jsontree.NewString(t))
			}
		}
	}
	return distinct(out)
}

// beside are values that are nearly one of a list: other case, blanks, parts,
// another type.
func beside(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		out = append(out, besideOne(v)...)
	}
	if len(list) > 1 && list[0].Kind == jsontree.String && list[1].Kind == jsontree.String {
		out = append(out, jsontree.NewString(list[0].Text+","+list[1].Text), jsontree.NewString(list[0].Text+list[1].Text))
	}
	return distinct(out)
}

func besideOne(v *jsontree.Value) []*jsontree.Value {
	if v == nil {
		return nil
	}
	var texts []string
	out := []*jsontree.Value{jsontree.NewNull(), jsontree.NewArray(v.Clone()), jsontree.NewNumber("0")}
	switch v.Kind {
	case jsontree.String:
		t := v.Text
		texts = []string{strings.ToUpper(t), strings.ToLower(t), title(t), " " + t, t + " ", t + "\n", t + "s", butLast(t), butFirst(t),
			"", alike(t), t + "\u0000", "\"" + t + "\"", t + t, strings.ReplaceAll(t, "-", "_"), strings.ReplaceAll(t, "_", "-"), "other"}
	case jsontree.Number:
		texts = []string{v.Text}
		if r, ok := jsontree.Rat(v.Text); ok {
			for _, by := range []int64{1, -1, 10} {
				out = append(out, jsontree.NewNumber(decimal(new(big.Rat).Add(r, big.NewRat(by, 1)))))
			}
			out = append(out, jsontree.NewNumber(decimal(new(big.Rat).Add(r, big.NewRat(1, 1000)))))
		}
	default:
		texts = []string{v.String()}
		out = append(out, jsontree.NewNumber("1"), jsontree.NewBool(!v.Bool))
	}
	for _, t := range texts {
		out = append(out, jsontree.NewString(t))
	}
	return out
}

// outerBounds are the numbers just beyond the bounds, by one and by little, of each bound in
// turn.
func outerBounds(s *openapi.Schema) []*jsontree.Value {
	var lists [][]*jsontree.Value
	step := stepOf(s)
	for _, b := range bounds(s) {
		r, ok := jsontree.Rat(b.text)
		if !ok {
			continue
		}
		list := []*jsontree.Value{jsontree.NewNumber(b.text)} // an exclusive bound itself
		far := new(big.Rat).Mul(r, big.NewRat(1000, 1))
		steps := []*big.Rat{step, new(big.Rat).Add(step, step), big.NewRat(100, 1), big.NewRat(1_000_000, 1), big.NewRat(1<<40, 1), far.Abs(far)}
		if !s.Whole() {
			steps = append(steps, big.NewRat(1, 2), big.NewRat(1, 100), big.NewRat(1, 1_000_000_000))
		}
		for _, by := range steps {
			n := new(big.Rat).Mul(by, big.NewRat(-b.inward, 1))
			list = append(list, jsontree.NewNumber(decimal(n.Add(n, r))))
		}
		lists = append(lists, list)
	}
	out := inTurn(lists)
	if s.Type() == "number" || s.Type() == "integer" {
		out = append(out, jsontree.NewNumber("-1"), jsontree.NewNumber("0"))
	}
	return distinct(out)
}

func offMultiple(s *openapi.Schema) []*jsontree.Value {
	step, ok := jsontree.Rat(s.Multiple)
	if s.Multiple == "" || !ok {
		return nil
	}
	base := new(big.Rat)
	if low, _, _ := generate.Bounds(s); low != nil {
		base.SetInt(low)
	}
	var out []*jsontree.Value
	for _, by := range []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1), new(big.Rat).Quo(step, big.NewRat(2, 1)), new(big.Rat).Quo(step, big.NewRat(10, 1)), big.NewRat(3, 2)} {
		for _, k := range []int64{1, 2, 7} {
			n := new(big.Rat).Mul(step, big.NewRat(k, 1))
			out = append(out, jsontree.NewNumber(decimal(n.Add(n, by).Add(n, base))))
		}
	}
	return distinct(out)
}

func lastLetter(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return "e"
	}
	return string(r[len(r)-1])
}

// spoilings is how many texts are spoilt until one does not match its pattern.
const spoilings = 4
