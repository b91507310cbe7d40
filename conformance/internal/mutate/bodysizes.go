package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

const (
	framedEach   = 4
	framedLength = 20_000
)

var bodySizes = plan.Mutator{
	Name: "body-sizes",
	Doc:  "Sends large and chunked bodies, and bodies that wait for 100 Continue, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		padded := func(g *generate.Gen, n int) *message.Message {
			m := g.Baseline()
			b := m.Body()
			m.Raw = append(append(make([]byte, 0, len(b)+n), b...), strings.Repeat(" ", n)...)
			return m
		}
		inside := func(g *generate.Gen, n int) *message.Message {
			m := g.Baseline()
			if len(m.Tree.Members)+len(m.Tree.Items) == 0 {
				return nil // there is no inside
			}
			m.Style.Open = strings.Repeat("\n", n)
			return m
		}
		extra := func(g *generate.Gen, n int) *message.Message {
			m := g.Baseline()
			m.Tree.Set("extra", jsontree.NewRaw(`"`+strings.Repeat("x", n)+`"`))
			return m
		}
		framed := func(kind string, f message.Framing, cases []int) []plan.Class {
			return listed(of(plan.FamilyMayRefuse, transport, kind, plan.ExpectMayRefuse), cases, func(g *generate.Gen, pad int) *message.Message {
				m := padded(g, pad)
				m.Framing = f
				return m
			})
		}
		size := func(kind string) plan.Class { return of(plan.FamilyMayRefuse, transport, kind, plan.ExpectMayRefuse) }
		sizes := largeSizes
		if s.Most > 0 {
			sizes = slices.Clone(sizes)
			slices.Reverse(sizes) // where few are tried, the largest
		}
		out := listed(size("large-body"), sizes, padded)
		if inside(generate.Probe(s.Op), 0) != nil {
			out = append(out, listed(size("large-body-inside"), sizes, inside)...)
		}
		out = append(out, heavy(listed(size("huge-body"), hugeSizes, padded))...)
		if !s.Op.Body.Shape.Schema.Closed && s.Op.Body.Shape.Schema.Type() == "object" && len(judged(s, transport, []int{1}, extra)[openapi.MayRefuse]) > 0 {
			out = append(out, listed(size("large-body-of-one-member"), sizes, extra)...)
			out = append(out, heavy(listed(size("huge-body-of-one-member"), hugeMember, extra))...)
		}
		few := make([]int, framedEach)
		few[framedEach-1] = framedLength
		out = append(out, framed("chunked", message.Chunked, few)...)
		return append(out, framed("expect-continue", message.Expect, few)...)
	},
}
