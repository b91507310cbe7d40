package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

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
		if len(out) > 0 && len(judged(s, plan.Place{Name: "number"}, []string{"[[]]"}, withExtra)[openapi.MayRefuse]) > 0 {
			out = append(out, nesting(s)...)
		}
		return append(out, each(s, func(p *place) []plan.Class {
			if !p.number() || !p.schema.Whole() {
				return nil
			}
			var list []plan.Class
			for _, group := range heavyNumbers {
				list = append(list, invalid(s, p.where(), group.kind, group.items, func(g *generate.Gen, item string) *message.Message {
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
func withExtra(g *generate.Gen, raw string) *message.Message {
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
		c := listed(of(plan.FamilyMayRefuse, plan.Place{Name: "nesting"}, kind, plan.ExpectMayRefuse), by[kind], func(g *generate.Gen, d deep) *message.Message {
			return withExtra(g, strings.Repeat(d.open, d.depth)+d.last+strings.Repeat(d.close, d.depth))
		})
		if by[kind][0].depth >= heavyDepth {
			c = heavy(c)
		}
		out = append(out, c...)
	}
	return out
}
