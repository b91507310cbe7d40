package mutate

import (
	"slices"
	"strconv"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// mostUnknown is how many unknown members fit into a body of the largest size.
const mostUnknown = 700

var unknownSizes = plan.Mutator{
	Name: "unknown-sizes",
	Doc:  "Adds unknown members whose names, texts, items and number are around the sizes of common buffers and tables, because a server that ignores them reads them all the same.",
	Classes: func(s *plan.Space) []plan.Class {
		if !takesMore(s) {
			return nil
		}
		at := plan.Place{Name: "unknown-member"}
		extra := func(name string, v *jsontree.Value) func(g *generate.Gen) *message.Message {
			return func(g *generate.Gen) *message.Message {
				m := g.Baseline()
				if m.Tree.Kind != jsontree.Object || m.Tree.Get(name) != nil {
					return nil
				}
				m.Tree.Members = append(m.Tree.Members, jsontree.M(name, v))
				return m
			}
		}
		out := mayRefuse(s, at, "name-of-size", sizedTexts(), func(g *generate.Gen, t sizedText) *message.Message {
			return extra(wideText(t.bytes, t.letter), jsontree.NewNumber("1"))(g)
		})
		out = append(out, mayRefuse(s, at, "text-of-size", sizedTexts(), func(g *generate.Gen, t sizedText) *message.Message {
			return extra("extra", jsontree.NewString(wideText(t.bytes, t.letter)))(g)
		})...)
		counts := []int{5, 6, 7, 8, 9, 11, 16, 17, 31, 32, 33, 64, 128, 256, mostUnknown}
		out = append(out, mayRefuse(s, at, "members-in-all", counts, membersInAll)...)
		out = append(out, mayRefuse(s, at, "members-before", counts, func(g *generate.Gen, n int) *message.Message {
			return membersBefore(s, g, n)
		})...)
		return append(out, mayRefuse(s, at, "items", []int{127, 128, 129, 255, 256, 257, 1000, 1024, 4000}, func(g *generate.Gen, n int) *message.Message {
			list := jsontree.NewArray()
			for range n {
				list.Items = append(list.Items, jsontree.NewNumber("1"))
			}
			return extra("extra", list)(g)
		})...)
	},
}

// membersInAll adds members until there are n.
func membersInAll(g *generate.Gen, n int) *message.Message {
	m := g.Baseline()
	for i := 0; m.Tree.Kind == jsontree.Object && len(m.Tree.Members) < n; i++ {
		if name := "x" + strconv.Itoa(i); m.Tree.Get(name) == nil {
			m.Tree.Members = append(m.Tree.Members, jsontree.M(name, jsontree.NewNumber("1")))
		}
	}
	return m
}

// membersBefore puts n members before those of the schema, the optional ones last: a
// server that reads only so many loses them without noticing.
func membersBefore(s *plan.Space, g *generate.Gen, n int) *message.Message {
	m := membersInAll(g, n)
	if m.Tree.Kind != jsontree.Object {
		return nil
	}
	known := len(g.Baseline().Tree.Members)
	slices.Reverse(m.Tree.Members[:known])
	slices.Reverse(m.Tree.Members[known:])
	slices.Reverse(m.Tree.Members)
	for _, p := range leftOut(s, m) {
		m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
	}
	return m
}
