package mutate

import (
	"cmp"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// notNumber is a word in place of the number of a member.
type notNumber struct {
	place *place
	word  string
}

// mostNotNumbers bounds the cases if a body has many such members.
const mostNotNumbers = 48

// notNumbers are words such as NaN at optional members that may be 0. A parser that accepts the
// word makes it 0, or a value that passes every comparison with a bound.
func notNumbers(s *plan.Space) []plan.Class {
	var at []*place
	for _, p := range inJSON(s, tried(s)) {
		if p.member && !p.needed && p.number() {
			if r := p.with(generate.Probe(s.Op), jsontree.NewInt(0)).Reading(); r != nil && r.Kind == openapi.MustAccept {
				at = append(at, p)
			}
		}
	}
	// Numbers come before integers: a type check refuses the words at integers.
	slices.SortStableFunc(at, func(p, q *place) int { return cmp.Compare(q.schema.Type(), p.schema.Type()) })
	var list []notNumber
	for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
		for _, p := range at {
			list = append(list, notNumber{p, word})
		}
	}
	return ahead(listed(of(plan.FamilyNotJSON, wholeBody, "not-a-number-inside", plan.ExpectNotJSON), spread(list, mostNotNumbers), func(g *generate.Gen, one notNumber) *message.Message {
		m := one.place.with(g, jsontree.NewInt(0))
		b := m.Body()
		tokens, err := jsontree.Tokens(b)
		i := slices.IndexFunc(tokens, func(t jsontree.Token) bool { return t.Kind == jsontree.NumberToken && t.Pointer == one.place.at })
		if err == nil && i >= 0 {
			m.Raw = spliced(b, tokens[i], one.word)
		}
		return m
	}))
}
