package mutators

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

var keywordViolations = plan.Mutator{
	Name: "keyword-violations",
	Doc:  "Sends values that each keyword of the schema just refuses, such as similar words, numbers past a bound and texts of a wrong length, because comparisons are often off by one.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			with := func(kind string, list []*jsontree.Value) []plan.Class {
				return invalid(s, p.where(), kind, list, func(g *generate.Gen, v *jsontree.Value) *request.Message {
					return p.with(g, v.Clone())
				})
			}
			return slices.Concat(
				with("beside-enum", beside(p.schema.Enum)),
				with("beside-const", besideOne(p.schema.Const)),
				with("beyond-bound", outerBounds(p.schema)),
				with("not-multiple", offMultiple(p.schema)),
				p.outerLengths(s), p.edges(s), p.spoiled(s), p.outsidePattern(s))
		})
	},
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

// outerBounds are the numbers just beyond the bounds, by one and by little.
func outerBounds(s *contract.Schema) []*jsontree.Value {
	var out []*jsontree.Value
	step := stepOf(s)
	for _, b := range bounds(s) {
		r, ok := jsontree.Rat(b.text)
		if !ok {
			continue
		}
		out = append(out, jsontree.NewNumber(b.text)) // an exclusive bound itself
		far := new(big.Rat).Mul(r, big.NewRat(1000, 1))
		list := []*big.Rat{step, new(big.Rat).Add(step, step), big.NewRat(100, 1), big.NewRat(1_000_000, 1), big.NewRat(1<<40, 1), far.Abs(far)}
		if !s.Whole() {
			list = append(list, big.NewRat(1, 2), big.NewRat(1, 100), big.NewRat(1, 1_000_000_000))
		}
		for _, by := range list {
			n := new(big.Rat).Mul(by, big.NewRat(-b.inward, 1))
			out = append(out, jsontree.NewNumber(decimal(n.Add(n, r))))
		}
	}
	if s.Type() == "number" || s.Type() == "integer" {
		out = append(out, jsontree.NewNumber("-1"), jsontree.NewNumber("0"))
	}
	return distinct(out)
}

func offMultiple(s *contract.Schema) []*jsontree.Value {
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

// sized is a text of n characters, padded with one.
type sized struct {
	n   int
	pad string
}

// outerLengths are texts just shorter or longer than allowed: in characters,
// not in bytes or in UTF-16 units.
func (p *place) outerLengths(s *plan.Space) []plan.Class {
	if p.schema.MinLength == nil && p.schema.MaxLength == nil || p.schema.Enum != nil {
		return nil
	}
	var short, long []sized
	for _, pad := range []string{"e", "é", "植", "🌱"} {
		if n := p.schema.MinLength; n != nil && *n > 0 {
			short = append(short, sized{*n - 1, pad}, sized{0, pad}, sized{*n / 2, pad})
		}
		if n := p.schema.MaxLength; n != nil && *n < longest {
			long = append(long, sized{*n + 1, pad}, sized{*n + 2, pad}, sized{2 * *n, pad}, sized{*n + 1000, pad})
		}
	}
	build := func(g *generate.Gen, t sized) *request.Message {
		v := padded(g, t.n, t.pad)
		if p.schema.Pattern != "" {
			// Keep to the beginning of a text that the pattern takes.
			if fit := g.BaselineText(p.schema); t.n < len(fit) {
				v = fit[:t.n]
			} else {
				v = fit + strings.Repeat(lastLetter(fit), t.n-len(fit))
			}
		}
		if p.schema.Format != "" && t.pad == "e" {
			v = cmp.Or(ofFormat(p.schema, t.n), v)
		}
		return p.with(g, jsontree.NewString(v))
	}
	return append(invalid(s, p.where(), "too-short", short, build), invalid(s, p.where(), "too-long", long, build)...)
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

// spoiled are texts that nearly match a pattern or keep a format.
func (p *place) spoiled(s *plan.Space) []plan.Class {
	if p.schema.Pattern == "" && p.schema.Format == "" || p.schema.Type() != "string" || p.schema.Enum != nil {
		return nil
	}
	nearly := spoiling
	if p.schema.Pattern == "" && varied(p.schema.Format) {
		nearly = nil
	}
	out := invalid(s, p.where(), "nearly", nearly, func(g *generate.Gen, spoil func(string) string) *request.Message {
		m := p.with(g, jsontree.NewString(spoil(g.BaselineText(p.schema))))
		if p.schema.Pattern == "" {
			return m
		}
		for range spoilings {
			if r := m.Reading(); r != nil && r.Kind == contract.Invalid {
				return m
			}
			p.set(m, jsontree.NewString(spoil(g.BaselineText(p.schema))))
		}
		if m.Reading() == nil {
			return p.in(g) // it cannot be written
		}
		return m
	})
	if p.schema.Pattern != "" {
		for i := range out {
			out[i].Expected = plan.ExpectNothing // whether a spoilt text still matches depends on the text
		}
	}
	return append(out, invalid(s, p.where(), "outside-format", notOfFormat(p.schema.Format), func(g *generate.Gen, text string) *request.Message {
		return p.with(g, jsontree.NewString(text))
	})...)
}
