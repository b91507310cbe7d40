package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const (
	allOrders     = 4 // members up to which every order is tried
	mostRotations = 100
	orderRepeats  = 4 // cases at least
)

var memberOrder = plan.Mutator{
	Name: "member-order",
	Doc:  "Sends the members of the body in another order, because the members of a JSON object are unordered (RFC 8259, 4).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		return written(append(orders(s, "order", (*generate.Gen).Baseline), orders(s, "order-with-optional", func(g *generate.Gen) *message.Message { return full(s, g) })...))
	},
}

func orders(s *plan.Space, kind string, base func(*generate.Gen) *message.Message) []plan.Class {
	m := base(generate.Probe(s.Op))
	n := len(m.Tree.Members)
	if n < 2 || kind != "order" && n == len(generate.Probe(s.Op).Baseline().Tree.Members) {
		return nil
	}
	list := permutations(n)
	for len(list) < orderRepeats {
		list = append(list, list...)
	}
	return sorted(s, wholeBody, kind, list, func(g *generate.Gen, order []int) *message.Message {
		m := base(g)
		if len(m.Tree.Members) != len(order) {
			return nil // short names may meet, and then one is left
		}
		members := make([]jsontree.Member, len(order))
		for i, j := range order {
			members[i] = m.Tree.Members[j]
		}
		m.Tree.Members = members
		return m
	})
}

// permutations returns every order of n things except the first. For many things it
// returns the reverse and the rotations, a sample of them if there are too many.
func permutations(n int) [][]int {
	first := make([]int, n)
	for i := range first {
		first[i] = i
	}
	var out [][]int
	if n > allOrders {
		back := slices.Clone(first)
		slices.Reverse(back)
		out = append(out, back)
		for i := 1; i < n; i += 1 + n/mostRotations {
			out = append(out, slices.Concat(first[i:], first[:i]))
		}
		return out
	}
	var grow func(done, rest []int)
	grow = func(done, rest []int) {
		if len(rest) == 0 && !slices.Equal(done, first) {
			out = append(out, slices.Clone(done))
		}
		for i := range rest {
			grow(append(done[:len(done):len(done)], rest[i]), slices.Concat(rest[:i], rest[i+1:]))
		}
	}
	grow(nil, first)
	return out
}
