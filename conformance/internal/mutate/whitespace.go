package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// styleGroup is one kind of white space.
type styleGroup struct {
	kind   string
	styles []jsontree.Style
}

// everywhere puts the same white space wherever the grammar allows it (RFC
// 8259, section 2).
func everywhere(w string) jsontree.Style {
	return jsontree.Style{Before: w, After: w, Colon: w + ":" + w, Comma: w + "," + w, Open: w, Close: w}
}

var styles = []styleGroup{
	{"blanks", []jsontree.Style{everywhere(" "), {Colon: ": ", Comma: ", "}, {Colon: " :", Comma: " ,"}, {Open: " ", Close: " "}}},
	{"long-blanks", []jsontree.Style{everywhere(strings.Repeat(" ", 40)), {Colon: ":" + strings.Repeat(" ", 500)}}},
	{"newlines", []jsontree.Style{everywhere("\n"), everywhere("\r\n"), everywhere("\r"), everywhere("\n\n\n")}},
	{"tabs", []jsontree.Style{everywhere("\t"), everywhere("\t\t \t")}},
	{"mixed-white-space", []jsontree.Style{everywhere(" \n"), everywhere("\r\n\t "), everywhere(" \t\r\n \t\r\n")}},
	{"indented", []jsontree.Style{{Indent: "  "}, {Indent: "\t"}, {Indent: "    ", After: "\n"}, {Indent: "\r"}}},
	{"leading-white-space", []jsontree.Style{{Before: " "}, {Before: "\n"}, {Before: "\r\n\t "}, {Before: strings.Repeat(" ", 1000)}}},
	{"trailing-white-space", []jsontree.Style{{After: " "}, {After: "\n"}, {After: "\r\n"}, {After: "\r\n\r\n"}, {After: strings.Repeat("\n", 1000)}}},
}

var whiteSpace = plan.Mutator{
	Name: "white-space",
	Doc:  "Puts white space wherever JSON allows it, because a hand-written parser accepts it only in the usual places (RFC 8259, 2).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, group := range styles {
			out = append(out, sorted(s, wholeBody, group.kind, group.styles, func(g *generate.Gen, style jsontree.Style) *message.Message {
				m := g.Baseline()
				m.Style = style
				return m
			})...)
		}
		return out
	},
}
