package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// shortCodes are texts that chats, blogs and word processors turn into signs.
var shortCodes = []textGroup{
	{"emoji-code", []string{":seedling: §", "§ :cactus:", ":+1: §", "a:rose:§", ":smile:", "§ :heart: :100:", ":flag-de: §", "::§::"}},
	{"emoticon", []string{":) §", ":-) §", "§ ;-)", "§ :D", "<3 §", ":'( §"}},
	{"sign-code", []string{"(c) §", "(r) §", "(tm) §", "-> §", "=> §", "1/2 §", "§ +-", "`` §"}},
	{"markdown", []string{"# §", "- §", "> §", "1. §", "[§](x)", "![§](x)", "~~§~~", "| § |", "---"}},
}

// oneSign are the printable characters of ASCII that are neither letters nor digits, but
// for those that are tried as words.
func oneSign() []string {
	var known []string
	for _, group := range slices.Concat(words, lookAlikes) {
		known = append(known, group.items...)
	}
	var out []string
	for c := '!'; c <= '~'; c++ {
		if c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			out = append(out, string(c))
		}
	}
	return slices.DeleteFunc(out, func(sign string) bool { return slices.Contains(known, sign) })
}

// shortNames are the names of unknown members that code takes for something else, or does
// not expect.
var shortNames = []string{"null", "true", "NaN", "undefined", "false", ":smile:", "a", "_", "$", "é", "\u200E", "\u0301", "\"\"", "{}", ","}

var shortTexts = plan.Mutator{
	Name: "short-texts",
	Doc:  "Sends single signs, and codes of emoji and signs, because code that strips, unquotes or decorates texts fails on one character and replaces the codes.",
	Classes: func(s *plan.Space) []plan.Class {
		out := each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			var out []plan.Class
			n := rank(s, p, (*place).free)
			for _, group := range append([]textGroup{{"one-sign", oneSign()}}, shortCodes...) {
				out = append(out, sorted(s, p.where(), group.kind, sampleOf(group.items, n), func(g *generate.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})...)
			}
			return out
		})
		if !takesMore(s) {
			return out
		}
		return append(out, mayRefuse(s, plan.Place{Name: "unknown-member"}, "short-name", shortNames, func(g *generate.Gen, name string) *message.Message {
			m := g.Baseline()
			if m.Tree.Kind != jsontree.Object || m.Tree.Get(name) != nil {
				return nil
			}
			m.Tree.Members = append(m.Tree.Members, jsontree.M(name, jsontree.NewNumber("1")))
			return m
		})...)
	},
}
