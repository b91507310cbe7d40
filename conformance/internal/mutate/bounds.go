package mutate

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

var boundaryValues = plan.Mutator{
	Name: "boundary-values",
	Doc:  "Sends values that each keyword of the schema just allows, such as listed values, bounds and lengths, because comparisons are often off by one.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			with := func(kind string, list []*jsontree.Value) []plan.Class {
				return sorted(s, p.where(), kind, list, func(g *plan.Gen, v *jsontree.Value) *message.Message {
					return p.with(g, v.Clone())
				})
			}
			return slices.Concat(
				first(mostFirst, with("enum", p.schema.Enum)),
				first(mostFirst, with("boolean", booleans(p.schema))),
				first(1, with("null", nulls(p.schema))),
				with("any-type", anyTypes(p)),
				first(2, with("bound", innerBounds(p.schema, s.Max > 0))),
				with("fraction", fractions(p.schema)),
				p.innerLengths(s), p.samples(s), first(mostFirst, p.insidePattern(s)), p.spelled(s), p.files(s), first(2, p.counts(s)), first(mostFirst, p.branches(s)))
		})
	},
}

// mostFirst bounds the cases of a list that come first.
const mostFirst = 8

// ends puts the last item of a list behind the first, where few are tried.
func ends(s *plan.Space, list []int) []int {
	if s.Max == 0 || len(list) < 3 {
		return list
	}
	return slices.Concat(list[:1], list[len(list)-1:], list[1:len(list)-1])
}

func booleans(s *schema.Schema) []*jsontree.Value {
	if s.Type() != "boolean" || s.Enum != nil {
		return nil
	}
	return []*jsontree.Value{jsontree.NewBool(true), jsontree.NewBool(false)}
}

func nulls(s *schema.Schema) []*jsontree.Value {
	if !s.MayNull && (s.Types == nil || !s.Allows("null")) {
		return nil
	}
	return []*jsontree.Value{jsontree.NewNull()}
}

// anyTypes are values of each type, for a member of a body whose schema allows any value.
func anyTypes(p *place) []*jsontree.Value {
	s := p.schema
	if s.Types != nil || s.Enum != nil || s.Const != nil || s.Not != nil || len(s.OneOf)+len(s.AnyOf)+len(s.Properties) > 0 || s.Items != nil || !p.member || !strings.HasPrefix(p.path, "/") {
		return nil
	}
	return []*jsontree.Value{
		jsontree.NewNull(), jsontree.NewNumber("0"), jsontree.NewArray(jsontree.NewNull()), jsontree.NewBool(false),
		jsontree.NewObject(jsontree.M("a", jsontree.NewNumber("1"))), jsontree.NewString(""), jsontree.NewObject(), jsontree.NewNumber("-1.5"),
	}
}

func fractions(s *schema.Schema) []*jsontree.Value {
	if s.Type() != "number" || s.Enum != nil {
		return nil
	}
	var out []*jsontree.Value
	for _, text := range []string{"0.5", "1.5", "2.25", "3.75", "10.125", "99.99", "0.1", "12345.678", "100.01"} {
		out = append(out, jsontree.NewNumber(text))
	}
	return out
}

// innerBounds are the numbers at and one step inside the bounds. Where few are tried,
// the bounds themselves come first.
func innerBounds(s *schema.Schema, few bool) []*jsontree.Value {
	var out []*jsontree.Value
	if few {
		for _, b := range bounds(s) {
			out = append(out, jsontree.NewNumber(b.text))
		}
	}
	step := stepOf(s)
	for _, b := range bounds(s) {
		r, ok := jsontree.Rat(b.text)
		if !ok {
			continue
		}
		for _, by := range []int64{0, 1, 2} {
			n := new(big.Rat).Mul(step, big.NewRat(by*b.inward, 1))
			n.Add(n, r)
			out = append(out, jsontree.NewNumber(decimal(n)))
			if !s.Whole() && by == 0 {
				n.Add(n, big.NewRat(b.inward, 100))
				out = append(out, jsontree.NewNumber(decimal(n)))
			}
		}
	}
	if s.Multiple != "" {
		for _, k := range []int64{1, 2, 3, 10, 101} {
			out = append(out, jsontree.NewNumber(decimal(new(big.Rat).Mul(step, big.NewRat(k, 1)))))
		}
	}
	return distinct(out)
}

// innerLengths are strings just as long as the bounds allow.
func (p *place) innerLengths(s *plan.Space) []plan.Class {
	if !p.free() || p.schema.MinLength == nil && p.schema.MaxLength == nil {
		return nil
	}
	var list []int
	if n := p.schema.MinLength; n != nil {
		list = append(list, *n, *n+1)
	}
	if n := p.schema.MaxLength; n != nil {
		list = append(list, *n-1, *n)
	}
	var out []plan.Class
	for _, pad := range []struct{ kind, char string }{{"bound-length", "e"}, {"bound-length-astral", "🌱"}} {
		out = append(out, first(2, sorted(s, p.where(), pad.kind, ends(s, list), func(g *plan.Gen, n int) *message.Message {
			if n < 0 || n > longest {
				return nil
			}
			return p.with(g, jsontree.NewString(padded(g, n, pad.char)))
		}))...)
	}
	return out
}

const sampleCases = 8

// samples are fresh texts of a pattern or a format.
func (p *place) samples(s *plan.Space) []plan.Class {
	if p.schema.Type() != "string" || p.free() || p.schema.Enum != nil || p.schema.Const != nil {
		return nil
	}
	return sorted(s, p.where(), "sample", make([]int, sampleCases), func(g *plan.Gen, _ int) *message.Message {
		return p.with(g, jsontree.NewString(g.BaselineText(p.schema)))
	})
}

// insidePattern are texts with signs in the middle that the pattern takes, such as an apostrophe in
// a name: all of them, and each by itself.
func (p *place) insidePattern(s *plan.Space) []plan.Class {
	if !p.patterned() {
		return nil
	}
	text, shape := plan.Probe(s.Op).BaselineText(p.schema), p.shape(s)
	letter, _ := utf8.DecodeRuneInString(text)
	var signs []string
	for _, mark := range marks {
		if unicode.IsPunct(mark) || unicode.IsSymbol(mark) || mark == ' ' {
			if !shape.Mismatches(p.schema.Pattern, p.inside(text, string(mark))) {
				signs = append(signs, string(mark))
			}
		}
	}
	if signs = spread(signs, maxMarks); len(signs) > 1 {
		signs = slices.Insert(signs, 0, strings.Join(signs, string(letter)))
	}
	return sorted(s, p.where(), "inside-pattern", signs, func(g *plan.Gen, mark string) *message.Message {
		return p.with(g, jsontree.NewString(p.inside(g.BaselineText(p.schema), mark)))
	})
}

// inside returns a text with signs in its middle, in the place of other characters where it would
// be too long.
func (p *place) inside(text, signs string) string {
	r, n := []rune(text), utf8.RuneCountInString(signs)
	over := 0
	if p.schema.MaxLength != nil {
		over = min(max(0, len(r)+n-*p.schema.MaxLength), len(r))
	}
	before := (len(r) - over) / 2
	return string(r[:before]) + signs + string(r[before+over:])
}

// counts are arrays with as many items as the bounds just allow.
func (p *place) counts(s *plan.Space) []plan.Class {
	if p.schema.Type() != "array" || p.schema.Items == nil {
		return nil
	}
	list := []int{1, 2, 3}
	if !p.section && !s.Op.Body.Form() { // there, an empty array has no text
		list = append(list, 0)
	}
	if n := p.schema.MinItems; n != nil {
		list = append(list, *n, *n+1)
	}
	if n := p.schema.MaxItems; n != nil {
		list = append(list, *n-1, *n)
	}
	slices.Sort(list)
	out := sorted(s, p.where(), "items", ends(s, slices.Compact(list)), func(g *plan.Gen, n int) *message.Message {
		return p.items(g, n)
	})
	return append(out, sorted(s, p.where(), "items-listed", p.listedTogether(), func(g *plan.Gen, items []*jsontree.Value) *message.Message {
		return p.with(g, jsontree.NewArray(items...).Clone())
	})...)
}

// listedTogether returns the values of the enum of the items, as many in one array as it may have: a server
// may handle each alone, and break on two.
func (p *place) listedTogether() [][]*jsontree.Value {
	values, most := p.schema.Items.Enum, mostFirst
	if len(values) < 2 {
		return nil
	}
	if p.schema.MaxItems != nil {
		most = min(most, *p.schema.MaxItems)
	}
	return slices.Collect(slices.Chunk(values, max(1, most)))
}

// branches are baseline values of the further alternatives.
func (p *place) branches(s *plan.Space) []plan.Class {
	var list, listed []*schema.Schema
	for _, alt := range [][]*schema.Schema{p.schema.OneOf, p.schema.AnyOf} {
		for i, one := range alt {
			if i > 0 {
				list = append(list, one)
			}
			listed = append(listed, eachValue(one)...)
		}
	}
	return append(sorted(s, p.where(), "alternative", list, p.taking), first(mostFirst, sorted(s, p.where(), "alternative-value", listed, p.taking))...)
}

// eachValue are schemas of the single values that a schema lists after its first.
func eachValue(s *schema.Schema) []*schema.Schema {
	values := s.Enum
	if s.Const == nil {
		values = append(slices.Clone(values), booleans(s)...)
	}
	var out []*schema.Schema
	for i, v := range values {
		if i > 0 && i < mostFirst {
			out = append(out, &schema.Schema{Const: v, Pointer: s.Pointer})
		}
	}
	return out
}

// taking is a baseline message with a value of an alternative.
func (p *place) taking(g *plan.Gen, alt *schema.Schema) *message.Message {
	v := g.BaselineValue(alt)
	if v.Kind == jsontree.Object {
		own := *p.schema
		own.OneOf, own.AnyOf = nil, nil
		for _, m := range g.BaselineValue(&own).Members {
			if v.Get(m.Name) != nil {
				continue
			}
			if q := alt.Property(m.Name); q != nil && q.Schema.Pointer != "" {
				m.Value = g.BaselineValue(q.Schema) // the alternative is narrower: a tag, say
			}
			v.Members = append(v.Members, m)
		}
	}
	return p.with(g, v)
}

// deep is nesting in an unknown member.
type deep struct {
	kind       string
	depth      int
	open, last string
	close      string
}

const heavyDepth = 500

func depths() []deep {
	var out []deep
	for _, d := range []struct {
		kind  string
		depth int
	}{{"depth-16", 16}, {"depth-64", 64}, {"depth-200", 200}, {"depth-500", 500}, {"depth-1000", 1000}, {"depth-10000", 10_000}, {"depth-30000", 30_000}, {"depth-100000", 100_000}} {
		out = append(out, deep{d.kind, d.depth, "[", "", "]"})
		if d.depth <= 10_000 {
			out = append(out, deep{d.kind, d.depth, `{"a":`, "1", "}"})
		}
	}
	return out
}

// bigNumbers are numbers beyond what any type holds.
func bigNumbers() []textGroup {
	return []textGroup{
		{"digits-400", []string{strings.Repeat("9", 400), "-" + strings.Repeat("1", 400), "0." + strings.Repeat("1", 400)}},
		{"digits-10000", []string{strings.Repeat("7", 10_000)}},
		{"exponent", []string{"1e400", "-1e400", "1e-400", "1e99999", "1E+4000"}},
		{"exponent-huge", []string{"1e1000000000", "1e-1000000000", "1e99999999999999999999", "0e1000000000"}},
		{"precision", []string{"0.1000000000000000055511151231257827", "3.141592653589793238462643383279", "1.00000000000000000000000000000001"}},
	}
}

// heavyNumbers are no int64, and may cost a server dearly to find out.
var heavyNumbers = []numberGroup{
	{"digits-400", []string{strings.Repeat("9", 400), "-" + strings.Repeat("9", 400), "#" + strings.Repeat("0", 400)}},
	{"digits-10000", []string{strings.Repeat("7", 7_000)}},
	{"exponent-huge", []string{"1e1000000000", "1e99999999999999999999", "-1e1000000000", "1.5e2147483648"}},
	{"exponent-tiny", []string{"1e-1000000000", "1e-99999999999999999999", "1.5e-2147483649"}},
}

var extremeValues = plan.Mutator{
	Name: "extreme-values",
	Doc:  "Sends deep nesting and huge numbers, because a recursive parser or exact arithmetic can exhaust the server.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, group := range bigNumbers() {
			out = append(out, heavy(mayRefuse(s, plan.Place{Name: "number"}, group.kind, group.items, withExtra))...)
		}
		if len(out) > 0 && len(judged(s, plan.Place{Name: "number"}, []string{"[[]]"}, withExtra)[schema.MayRefuse]) > 0 {
			out = append(out, nesting(s)...)
		}
		return append(out, each(s, func(p *place) []plan.Class {
			if !p.number() || !p.schema.Whole() {
				return nil
			}
			var list []plan.Class
			for _, group := range heavyNumbers {
				list = append(list, invalid(s, p.where(), group.kind, group.items, func(g *plan.Gen, item string) *message.Message {
					m := p.in(g)
					p.set(m, jsontree.NewNumber(spelled(item, p.get(m).Text)))
					return m
				})...)
			}
			return heavy(list)
		})...)
	},
}

// withExtra returns a baseline request with an unknown member that has this value.
func withExtra(g *plan.Gen, raw string) *message.Message {
	m := g.Baseline()
	if m.Tree.Kind != jsontree.Object {
		return nil
	}
	m.Tree.Members = append(m.Tree.Members, jsontree.M("extra", jsontree.NewRaw(raw)))
	return m
}

// nesting is not tried on the judge beforehand, which costs too much: depth
// changes nothing about an unknown member.
func nesting(s *plan.Space) []plan.Class {
	var out []plan.Class
	by := map[string][]deep{}
	var kinds []string
	for _, d := range depths() {
		if by[d.kind] == nil {
			kinds = append(kinds, d.kind)
		}
		by[d.kind] = append(by[d.kind], d)
	}
	for _, kind := range kinds {
		c := listed(of(plan.FamilyMayRefuse, plan.Place{Name: "nesting"}, kind), by[kind], func(g *plan.Gen, d deep) *message.Message {
			return withExtra(g, strings.Repeat(d.open, d.depth)+d.last+strings.Repeat(d.close, d.depth))
		})
		if by[kind][0].depth >= heavyDepth {
			c = heavy(c)
		}
		out = append(out, c...)
	}
	return out
}
