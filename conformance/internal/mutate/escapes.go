package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
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
	optional      bool // in a body with the optional members
}

const upper = jsontree.All | jsontree.UpperHex

var escapes = []escapeGroup{
	{kind: "escaped-names", names: true, list: []escaped{{"§", jsontree.All}, {"§", upper}, {"§", jsontree.All}}},
	{kind: "escaped-optional-names", names: true, list: []escaped{{"§", jsontree.All}, {"§", upper}}, optional: true},
	{kind: "escaped-values", values: true, list: []escaped{{"§", jsontree.All}, {"jklmnoz §", upper}, {"a b c §", jsontree.All}}},
	{kind: "escaped-all", names: true, values: true, list: []escaped{{"§", jsontree.All}, {"jkmno §", upper}}},
	{kind: "escaped-latin", values: true, list: []escaped{{"é ü ß §", jsontree.ASCII}, {"Çñø §", jsontree.ASCII | jsontree.UpperHex}}},
	{kind: "escaped-wide", values: true, list: []escaped{{"漢字 §", jsontree.ASCII}, {"ключ § 한", jsontree.ASCII | jsontree.UpperHex}}},
	{kind: "escaped-pairs", values: true, list: []escaped{{"🌱 §", jsontree.ASCII}, {"§ 𝒜🌵", jsontree.ASCII | jsontree.UpperHex}, {"𠮷§", upper}}},
	{kind: "escaped-solidus", values: true, list: []escaped{{"a/b §", jsontree.Solidus}, {"</p> §", jsontree.Solidus}, {"/§/", jsontree.Solidus}}},
	{kind: "escaped-short", values: true, list: []escaped{{`say "hi" §`, jsontree.Minimal}, {`back\slash §`, jsontree.Minimal}, {`"\/" §`, jsontree.All | jsontree.Short}}},
	{kind: "escaped-long", values: true, list: []escaped{{`say "hi" §`, jsontree.Long}, {`back\slash §`, jsontree.Long}, {`a/b §`, jsontree.All}}},
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
			if len(at) == 0 && !group.names || group.optional && len(optional(s)) == 0 {
				continue
			}
			classes := sorted(s, wholeBody, group.kind, group.list, func(g *generate.Gen, e escaped) *message.Message {
				m := g.Baseline()
				if group.optional {
					m = full(s, g)
				}
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
			})
			if group.optional {
				classes = written(classes)
			}
			out = append(out, classes...)
		}
		return out
	},
}
