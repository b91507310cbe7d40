package mutate

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var keywordViolations = plan.Mutator{
	Name: "keyword-violations",
	Doc:  "Sends values that each keyword of the schema just refuses, such as similar words, numbers past a bound and texts of a wrong length, because comparisons are often off by one.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			with := func(kind string, list []*jsontree.Value) []plan.Class {
				return invalid(s, p.where(), kind, list, func(g *generate.Gen, v *jsontree.Value) *message.Message {
					return p.with(g, v.Clone())
				})
			}
			return sharp(
				with("stranger", strangers(p.schema.Enum)),
				with("other-case", casings(p.schema.Enum)),
				with("beside-enum", beside(p.schema.Enum)),
				with("beside-const", besideOne(p.schema.Const)),
				with("beyond-bound", outerBounds(p.schema)),
				with("not-multiple", offMultiple(p.schema)),
				p.outerLengths(s), p.blank(s), p.spoiltEnds(s), p.spoiled(s), p.outsidePattern(s))
		})
	},
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
	build := func(g *generate.Gen, t sized) *message.Message {
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

// spoiled are texts that nearly match a pattern or keep a format.
func (p *place) spoiled(s *plan.Space) []plan.Class {
	if p.schema.Pattern == "" && p.schema.Format == "" || p.schema.Type() != "string" || p.schema.Enum != nil {
		return nil
	}
	nearly := spoiling
	if p.schema.Pattern == "" && varied(p.schema.Format) {
		nearly = nil
	}
	if p.schema.Pattern != "" && s.Most == 0 { // otherwise spoiltEnds has these
		nearly = append(slices.Clone(nearly), tooLong(p.schema.Pattern), tooShort(p.schema.Pattern))
	}
	out := invalid(s, p.where(), "nearly", nearly, func(g *generate.Gen, spoil func(string) string) *message.Message {
		m := p.with(g, jsontree.NewString(spoil(g.BaselineText(p.schema))))
		if p.schema.Pattern == "" {
			return m
		}
		for range spoilings {
			if r := m.Reading(); r != nil && r.Kind == openapi.Invalid {
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
		out = unlabelled(out)
	}
	missing := func(g *generate.Gen, miss func(string) string) *message.Message {
		return p.with(g, jsontree.NewString(miss(g.BaselineText(p.schema))))
	}
	out = append(out, invalid(s, p.where(), "near-format", misses(p.schema.Format), missing)...)
	out = append(out, invalid(s, p.where(), "digit-for-hyphen", hyphenless(p.schema.Format), missing)...)
	return append(out, invalid(s, p.where(), "outside-format", notOfFormat(p.schema.Format), func(g *generate.Gen, text string) *message.Message {
		return p.with(g, jsontree.NewString(text))
	})...)
}
