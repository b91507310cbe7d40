package mutators

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

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
	Doc:  "Spells names and strings with escapes, because the same text in other bytes is the same value (RFC 8259, 7).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		at := freeTexts(s)
		var out []plan.Class
		for _, group := range escapes {
			if len(at) == 0 && !group.names {
				continue
			}
			out = append(out, sorted(s, wholeBody, group.kind, group.list, func(g *generate.Gen, e escaped) *request.Message {
				m := g.Baseline()
				if len(at) > 0 && e.text != "§" {
					at[0].set(m, jsontree.NewString(fill(g, e.text)))
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
