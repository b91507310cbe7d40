package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
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
	Doc:  "White space wherever JSON allows it.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Body == nil {
			return nil
		}
		var out []plan.Class
		for _, group := range styles {
			out = append(out, sorted(s, wholeBody, group.kind, group.styles, func(g *generate.Gen, style jsontree.Style) *request.Message {
				m := g.Mild()
				m.Style = style
				return m
			})...)
		}
		return out
	},
}

// escaped is a spelling of a text; the text is put where any text may stand.
type escaped struct {
	text string
	mode jsontree.EscapeMode
}

type escapeGroup struct {
	kind          string
	names, values bool
	list          []escaped
}

const upper = jsontree.All | jsontree.UpperHex

var escapes = []escapeGroup{
	{"escaped-names", true, false, []escaped{{"§", jsontree.All}, {"§", upper}, {"§", jsontree.All}}},
	{"escaped-values", false, true, []escaped{{"§", jsontree.All}, {"jklmnoz §", upper}, {"a b c §", jsontree.All}}},
	{"escaped-all", true, true, []escaped{{"§", jsontree.All}, {"jkmno §", upper}}},
	{"escaped-latin", false, true, []escaped{{"é ü ß §", jsontree.ASCII}, {"Çñø §", jsontree.ASCII | jsontree.UpperHex}}},
	{"escaped-wide", false, true, []escaped{{"漢字 §", jsontree.ASCII}, {"ключ § 한", jsontree.ASCII | jsontree.UpperHex}}},
	{"escaped-pairs", false, true, []escaped{{"🌱 §", jsontree.ASCII}, {"§ 𝒜🌵", jsontree.ASCII | jsontree.UpperHex}, {"𠮷§", upper}}},
	{"escaped-solidus", false, true, []escaped{{"a/b §", jsontree.Solidus}, {"</p> §", jsontree.Solidus}, {"/§/", jsontree.Solidus}}},
	{"escaped-short", false, true, []escaped{{`say "hi" §`, jsontree.Minimal}, {`back\slash §`, jsontree.Minimal}, {`"\/" §`, jsontree.All | jsontree.Short}}},
	{"escaped-long", false, true, []escaped{{`say "hi" §`, jsontree.Long}, {`back\slash §`, jsontree.Long}, {`a/b §`, jsontree.All}}},
}

var escaping = plan.Mutator{
	Name: "escapes",
	Doc:  "Names and strings spelled with the escapes that JSON allows: the same text in other bytes.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Body == nil {
			return nil
		}
		at := freeTexts(s)
		var out []plan.Class
		for _, group := range escapes {
			if len(at) == 0 && !group.names {
				continue
			}
			out = append(out, sorted(s, wholeBody, group.kind, group.list, func(g *generate.Gen, e escaped) *request.Message {
				m := g.Mild()
				if len(at) > 0 && e.text != "§" {
					at[0].set(m.Tree, jsontree.NewString(fill(g, e.text)))
				}
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if group.values && v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, e.mode)
					}
					for i := range v.Members {
						if group.names {
							v.Members[i].Raw = jsontree.Quote(v.Members[i].Name, e.mode)
						}
					}
				})
				return m
			})...)
		}
		return out
	},
}

// freeTexts lists the required members that take any text.
func freeTexts(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if p.free() && p.certain() {
			out = append(out, p)
		}
	}
	return out
}
