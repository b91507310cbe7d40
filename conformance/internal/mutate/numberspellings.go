package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// misspelling turns the digits of a number into texts that are not numbers, but that some
// parsers read as one.
type misspelling struct {
	kind  string
	texts []func(digits string) string
}

var misspellings = []misspelling{
	{"letters-behind", []func(string) string{between("", "abc"), between("", "px"), between("", ";x")}},
	{"letters-before", []func(string) string{between("x", ""), between("#", "")}},
	{"other-digits", []func(string) string{digitsFrom('０'), digitsFrom('٠')}},
	{"grouped", []func(string) string{grouped("_"), grouped("'")}},
	{"several", []func(string) string{between("", ",1"), between("", " 1"), between("1;", "")}},
	{"in-brackets", []func(string) string{between("[", "]"), between("(", ")"), between("'", "'")}},
}

var numberSpellings = plan.Mutator{
	Name: "number-spellings",
	Doc:  "Sends text such as 12abc where a parameter or a form has a number, because many parsers stop at the first letter, or accept several numbers.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.number() || !p.section && (s.Op.Body == nil || !s.Op.Body.Form()) {
				return nil
			}
			var out []plan.Class
			for _, k := range misspellings {
				out = append(out, ahead(invalid(s, p.where(), k.kind, k.texts, func(g *generate.Gen, spell func(string) string) *message.Message {
					m := p.in(g)
					if right := p.get(m); right != nil {
						p.set(m, jsontree.NewString(spell(right.String())))
					}
					return m
				}))...)
			}
			return out
		})
	},
}

func between(before, behind string) func(string) string {
	return func(digits string) string { return before + digits + behind }
}

// digitsFrom writes the digits of a script from its zero on.
func digitsFrom(zero rune) func(string) string {
	return func(digits string) string {
		return strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return zero + c - '0'
			}
			return c
		}, digits)
	}
}

// grouped puts a mark in front of the last digit.
func grouped(mark string) func(string) string {
	return func(digits string) string {
		if len(digits) < 2 {
			digits = "0" + digits
		}
		return digits[:len(digits)-1] + mark + digits[len(digits)-1:]
	}
}
