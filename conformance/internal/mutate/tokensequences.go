package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// structural are the tokens of the grammar that are no values (RFC 8259, 2).
var structural = []string{"{", "}", "[", "]", ":", ","}

// sequenceEdit changes the sequence of tokens at one of them.
type sequenceEdit struct {
	token int
	text  string // the structural token, if any
	base  base
}

// sequenceKind is one kind of change; part tells what two tokens in a row become.
type sequenceKind struct {
	kind  string
	texts []string
	most  int
	part  func(a, b jsontree.Token, text, one, two string) (string, bool)
}

var sequenceKinds = []sequenceKind{
	{"swapped", []string{""}, 16, func(_, _ jsontree.Token, _, one, two string) (string, bool) { return two + one, true }},
	{"inserted", structural, 36, func(_, _ jsontree.Token, text, one, two string) (string, bool) { return one + text + two, true }},
	{"replaced", structural, 20, func(a, _ jsontree.Token, text, one, two string) (string, bool) {
		return text + two, onDelimiters(a) && one != text && one != ","
	}},
	{"repeated", []string{""}, 8, func(_, _ jsontree.Token, _, one, two string) (string, bool) { return one + two + one + two, true }},
}

var tokenSequences = plan.Mutator{
	Name: "token-sequences",
	Doc:  "Swaps, repeats, inserts and replaces tokens at each place of a body, also inside an unknown member, because parsers that keep no state take tokens in any order.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, k := range sequenceKinds {
			var list []sequenceEdit
			for _, in := range []base{baselineBase, strayBase} {
				b := in.message(s, generate.Probe(s.Op)).Body()
				tokens, err := jsontree.Tokens(b)
				if err != nil {
					continue
				}
				var edits []sequenceEdit
				for i := range len(tokens) - 1 {
					for _, text := range k.texts {
						edit := sequenceEdit{i, text, in}
						changed, ok := k.apply(b, tokens, edit)
						if _, err := jsontree.Parse(changed); ok && err != nil {
							edits = append(edits, edit)
						}
					}
				}
				list = append(list, spread(edits, k.most/2)...)
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind, plan.ExpectNotJSON), list, func(g *generate.Gen, edit sequenceEdit) *message.Message {
				m := edit.base.message(s, g)
				m.Raw = k.near(m.Body(), edit)
				return m
			})...)
		}
		return out
	},
}

// near applies an edit where it was planned, or at the next token that it breaks: the target may take
// other lists than those that were planned.
func (k *sequenceKind) near(b []byte, edit sequenceEdit) []byte {
	tokens, err := jsontree.Tokens(b)
	for i := 0; err == nil && i < len(tokens)-1; i++ {
		at := edit
		at.token = (edit.token + i) % (len(tokens) - 1)
		changed, ok := k.apply(b, tokens, at)
		if _, err := jsontree.Parse(changed); ok && err != nil {
			return changed
		}
	}
	return b
}

func (k *sequenceKind) apply(b []byte, tokens []jsontree.Token, edit sequenceEdit) ([]byte, bool) {
	one, two := tokens[edit.token], tokens[edit.token+1]
	text, ok := k.part(one, two, edit.text, string(b[one.Start:one.End]), string(b[two.Start:two.End]))
	return slices.Concat(b[:one.Start], []byte(text), b[two.End:]), ok
}
