package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// pathText makes another text of the value of a path parameter.
type pathText func(right string) string

// segmentLengths are beyond what a column, a file name or a router holds.
var segmentLengths = []int{300, 1000}

// digitCounts are of numbers beyond a phone or article number, and beyond int64.
var digitCounts = []int{13, 20, 19, 40}

var pathTexts = plan.Mutator{
	Name: "path-texts",
	Doc:  "Sends path parameters with a NUL, of hundreds of characters and of many digits, because they reach a database, a file name or a parser of numbers before anything checks them.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.section || p.up.path != "path" {
				return nil
			}
			with := func(kind string, list []pathText) []plan.Class {
				build := func(g *generate.Gen, make pathText) *message.Message {
					m := p.in(g)
					right := p.get(m)
					switch right.Kind {
					case jsontree.String:
						p.set(m, jsontree.NewString(make(right.Text)))
					case jsontree.Number:
						p.set(m, numberOrText(make(right.Text)))
					default:
						return nil
					}
					return m
				}
				return ahead(slices.Concat(sorted(s, p.where(), kind, list, build), invalid(s, p.where(), kind, list, build)))
			}
			out := slices.Concat(with("nul-behind", []pathText{behind("\x00")}), with("long-segment", lengthened(segmentLengths)))
			if p.number() || p.patterned() {
				digits := with("many-digits", digitsOf(digitCounts))
				for i := range digits {
					digits[i].First = 2
				}
				out = append(out, digits...)
			}
			return out
		})
	},
}

func numberOrText(text string) *jsontree.Value {
	if jsontree.ValidNumber(text) {
		return jsontree.NewNumber(text)
	}
	return jsontree.NewString(text)
}

// lengthened repeats the last letter or digit.
func lengthened(lengths []int) []pathText {
	var out []pathText
	for _, n := range lengths {
		out = append(out, func(right string) string { return right + strings.Repeat(lastLetter(right), max(0, n-len(right))) })
	}
	return out
}

func digitsOf(counts []int) []pathText {
	var out []pathText
	for _, n := range counts {
		out = append(out, func(string) string { return strings.Repeat("1234567890", n/10+1)[:n] })
	}
	return out
}
