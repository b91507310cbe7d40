package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// encodings are strings, between their quotes, that readers decode differently
// (RFC 8259, 8).
var encodings = []textGroup{
	{"lone-high-surrogate", []string{`\ud83d`, `a\uD800`, `\udbffa`}},
	{"lone-low-surrogate", []string{`\ude00`, `a\uDC00a`, `\udfff`}},
	{"surrogates-swapped", []string{`\ude00\ud83d`, `\ud83d\ud83d`, `\ud83d\u0041`}},
	{"surrogate-bytes", []string{"\xED\xA0\x80", "\xED\xB0\x80", "\xED\xA0\xBD\xED\xB8\x80"}},
	{"stray-continuation", []string{"\x80", "a\xBFa", "\x80\x80\x80"}},
	{"cut-sequence", []string{"\xC3", "\xE2\x82", "\xF0\x9F\x8C"}},
	{"overlong", []string{"\xC0\xAF", "\xE0\x80\xAF", "\xC1\x81", "\xC0\x80", "\xF0\x80\x80\xAF"}},
	{"beyond-unicode", []string{"\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80"}},
	{"invalid-byte", []string{"\xFE", "\xFF", "\xFF\xFE"}},
	{"latin1", []string{"K\xF6nig", "caf\xE9", "\xA0"}},
}

// encoding is the place of classes that change how the body is encoded.
var encoding = plan.Place{Name: "encoding"}

var textEncoding = plan.Mutator{
	Name: "text-encoding",
	Doc:  "Sends strings that are not valid Unicode, a byte order mark, and bodies in UTF-16 and UTF-32, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		if at := freeTexts(s); len(at) > 0 {
			for _, group := range encodings {
				out = append(out, mayRefuse(s, encoding, group.kind, group.items, func(g *generate.Gen, text string) *message.Message {
					m := g.Baseline()
					w := g.Word()
					at[0].set(m, &jsontree.Value{Kind: jsontree.String, Text: w + text, Raw: `"` + w + text + `"`})
					return m
				})...)
			}
		}
		for _, p := range inJSON(s, tried(s)) {
			if !p.free() || p.up == nil || p.up.up != nil {
				continue
			}
			out = append(out, mayRefuse(s, encoding, "in-"+p.slug, []string{`\ud83d`, `\ude00`, "\xFF", "\xC3"}, func(g *generate.Gen, text string) *message.Message {
				m := g.Baseline()
				w := g.Word()
				p.set(m, &jsontree.Value{Kind: jsontree.String, Text: w + text, Raw: `"` + w + text + `"`})
				return m
			})...)
		}
		for _, group := range encodings {
			out = append(out, mayRefuse(s, encoding, "name-with-"+group.kind, group.items[:1], func(g *generate.Gen, text string) *message.Message {
				m := g.Baseline()
				if m.Tree.Kind != jsontree.Object {
					return nil
				}
				m.Tree.Members = append(m.Tree.Members, jsontree.Member{Name: text, Raw: `"x` + text + `"`, Value: jsontree.NewNumber("1")})
				return m
			})...)
		}
		out = append(out, mayRefuse(s, encoding, "utf16-utf32", wideEncodings, func(g *generate.Gen, change func(*message.Message, []byte) []byte) *message.Message {
			m := g.Baseline()
			m.Raw = change(m, m.Body())
			return m
		})...)
		return append(out, mayRefuse(s, encoding, "byte-order-mark", []string{"\xEF\xBB\xBF", "\xEF\xBB\xBF ", "\xEF\xBB\xBF\n", "\xEF\xBB"}, func(g *generate.Gen, before string) *message.Message {
			m := g.Baseline()
			m.Raw = slices.Concat([]byte(before), m.Body())
			return m
		})...)
	},
}
