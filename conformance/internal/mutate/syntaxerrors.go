package mutate

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var syntaxErrors = plan.Mutator{
	Name: "syntax-errors",
	Doc:  "Makes every kind of small syntax error at every token of a valid body, because parsers accept extensions of JSON.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		baselineText, fullText, strayText := generate.Probe(s.Op).Baseline().Body(), full(s, generate.Probe(s.Op)).Body(), strayBase.message(s, generate.Probe(s.Op)).Body()
		for _, k := range slices.Concat(delimiterKinds, insertKinds, valueKinds, numberKinds, stringKinds) {
			spots := k.spots(baselineText, baselineBase)
			if (k.optional || len(spots) == 0) && len(fullText) > len(baselineText) {
				spots = append(spots, k.spots(fullText, fullBase)...)
			}
			if s.Most > 0 {
				spots = telling(k.kind, spots)
			}
			spots = append(spread(spots, mostSpots), spread(k.spots(strayText, strayBase), strayEach)...)
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind, plan.ExpectNotJSON), spots, func(g *generate.Gen, at spot) *message.Message {
				m := at.base.message(s, g)
				m.Raw = k.apply(m.Body(), at)
				return m
			})...)
		}
		return append(out, notNumbers(s)...)
	},
}

// mostSpots bounds the cases of one kind if a body has many tokens.
const (
	mostSpots = 48
	strayEach = 11
)

// spot is one change at one token of one body.
type spot struct {
	token, edit int
	base        base
	on          byte // the first byte of the token
}

// telling puts the spots first at which a parser that takes the word gives a value of the
// right type: a number that is none where there was a number, other literals where there
// was one. Elsewhere a check of types would hide what the parser takes.
func telling(kind string, spots []spot) []spot {
	right := "-0123456789"
	if strings.HasPrefix(kind, "literal-") {
		right = "tfn"
	}
	var first, others []spot
	for _, at := range spots {
		if strings.IndexByte(right, at.on) >= 0 {
			first = append(first, at)
		} else {
			others = append(others, at)
		}
	}
	return append(first, others...)
}

// spots lists the changes of a text that are no JSON any more. White space alone may count
// as no body; malformed-body sends it.
func (k *tokenKind) spots(b []byte, in base) []spot {
	tokens, err := jsontree.Tokens(b)
	if err != nil {
		return nil
	}
	var out []spot
	for i, t := range tokens {
		if !k.on(t) || in == strayBase && !strings.Contains(t.Pointer, stray) {
			continue
		}
		for j := range k.edits {
			at := spot{i, j, in, b[t.Start]}
			changed := k.change(b, t, j)
			if broken(changed) && broken(k.change(ones(b, t), t, j)) && len(bytes.TrimSpace(changed)) > 0 && !likeUTF16(changed) {
				out = append(out, at)
			}
		}
	}
	return out
}

// likeUTF16 reports whether a text looks like UTF-16 or UTF-32, which some parsers then read (RFC 4627, 3).
func likeUTF16(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 4)], 0) >= 0 }

func (k *tokenKind) apply(b []byte, at spot) []byte {
	tokens, err := jsontree.Tokens(b)
	if err != nil {
		return b
	}
	if at.token < len(tokens) && k.on(tokens[at.token]) {
		if changed := k.change(b, tokens[at.token], at.edit); broken(changed) {
			return changed
		}
	}
	// The target takes other lists than those that were planned.
	if list := k.spots(b, at.base); len(list) > 0 {
		same := slices.IndexFunc(list, func(other spot) bool { return other.edit == at.edit })
		other := list[max(0, same)]
		return k.change(b, tokens[other.token], other.edit)
	}
	return b
}
