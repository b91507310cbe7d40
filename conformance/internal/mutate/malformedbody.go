package mutate

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// wholeKind changes a valid text as a whole.
type wholeKind struct {
	kind string
	list []func(m *message.Message, b []byte) []byte
}

func behindText(texts ...string) []func(*message.Message, []byte) []byte {
	out := make([]func(*message.Message, []byte) []byte, len(texts))
	for i, t := range texts {
		out[i] = func(_ *message.Message, b []byte) []byte { return append(slices.Clone(b), t...) }
	}
	return out
}

func beforeText(texts ...string) []func(*message.Message, []byte) []byte {
	out := make([]func(*message.Message, []byte) []byte, len(texts))
	for i, t := range texts {
		out[i] = func(_ *message.Message, b []byte) []byte { return append([]byte(t), b...) }
	}
	return out
}

func insteadText(texts ...string) []func(*message.Message, []byte) []byte {
	out := make([]func(*message.Message, []byte) []byte, len(texts))
	for i, t := range texts {
		out[i] = func(*message.Message, []byte) []byte { return []byte(t) }
	}
	return out
}

func joinedBy(sep string) func(*message.Message, []byte) []byte {
	return func(_ *message.Message, b []byte) []byte { return slices.Concat(b, []byte(sep), b) }
}

func wholeKinds() []wholeKind {
	return []wholeKind{
		{"text-behind", behindText("x", " x", "\nx", "\"", "\\", ".", "%", "\x00", "\x1A", "\u00A0", "--boundary--", "</html>", "\r\n\r\nx")},
		{"text-far-behind", behindText(strings.Repeat(" ", 600)+"x", strings.Repeat("\n", 5000)+"{}")}, // beyond what a reader holds
		{"bracket-behind", behindText("}", "]", "}}", "{", "[", ")", "]}")},
		{"comma-behind", behindText(",", ", ", ":", ";")},
		{"second-value-behind", behindText("{}", " {}", "[]", "null", " 1", "true", "\"x\"", "\n{}\n", ",{}")},
		{"same-value-behind", []func(*message.Message, []byte) []byte{joinedBy(""), joinedBy(" "), joinedBy("\n"), joinedBy(","), joinedBy("\r\n"), joinedBy("\x1E"), joinedBy("\x00")}},
		{"text-before", beforeText(")]}',\n", ")]}'", ")]}'\n", ")]}\n", "while(true);", "{}&&", "/**/", "json=", "while(1);", "callback(", "for(;;);", "\x1E", "data: ", "x", "var x = ", "HTTP/1.1 200 OK\r\n\r\n", "\"\"", "null ", "---\n")},
		{"comma-before", beforeText(",", ":", "}", "]", "{", ";")},
		{"wrapped-in-call", []func(*message.Message, []byte) []byte{
			func(_ *message.Message, b []byte) []byte { return slices.Concat([]byte("f("), b, []byte(");")) },
			func(_ *message.Message, b []byte) []byte { return slices.Concat([]byte("("), b, []byte(")")) },
			func(_ *message.Message, b []byte) []byte { return slices.Concat([]byte("<"), b, []byte(">")) },
			func(_ *message.Message, b []byte) []byte { return slices.Concat([]byte("```\n"), b, []byte("\n```")) },
		}},
		{"white-space-behind", behindText("\u0085", "\u2028", "\u2029", "\u3000", "\u2003", "\u1680", "\u200B", "\f", "\v", "\x1C", "\x1F", "\uFEFF")},
		{"white-space-before", beforeText("\u0085", "\u2028", "\u2029", "\u3000", "\u2003", "\u1680", "\u200B", "\f", "\v", "\x1C", "\x1F", "\u00A0")},
		{"white-space-only", insteadText(" ", "\n", "\r\n", "   \t\r\n ", strings.Repeat(" ", 100))},
		{"bare-words", insteadText("x", "hello world", "undefined", "None", "true false", "-", "'", "\"", "\\", "@", "%7B%7D", "EOF")},
		{"brackets-alone", insteadText("{", "[", "}", "]", "{]", "[}", "{{}}", "{[}]", "(){}", "[,]", "{,}", "{:}", "[1,]", "{\"a\"}", "{\"a\":}")},
		{"other-notation", inNotations()},
		{"other-format", []func(*message.Message, []byte) []byte{asForm, asXML, asYAML, asLines, asMultipart, asBinary}},
		{"packed", []func(*message.Message, []byte) []byte{zipped, asBase64, asURL, asHex}},
		{"bytes", insteadText("\x00", "\xFF\xFE", "\x80", "\x00\x00\x00\x02{}", "\x82\xA1", "\xD9\xD9\xF7", "\x1F\x8B", "PK\x03\x04")},
	}
}

var malformedBody = plan.Mutator{
	Name: "malformed-body",
	Doc:  "Puts text before or after a valid body, or sends other formats or nothing, because parsers stop after the first value, readers after the first chunk, and frameworks detect formats.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return slices.Concat(emptyForm(s), withoutBoundary(s), withoutContent(s))
		}
		g := generate.Probe(s.Op)
		var out []plan.Class
		for _, k := range wholeKinds() {
			build := func(g *generate.Gen, change func(*message.Message, []byte) []byte) *message.Message {
				m := g.Baseline()
				m.Raw = change(m, m.Body())
				return m
			}
			var list []func(*message.Message, []byte) []byte
			for _, change := range k.list {
				m := g.Baseline()
				b := m.Body()
				raw := change(m, b)
				blank := !s.Op.Body.Required && len(bytes.TrimSpace(raw)) == 0 // it may be taken for none
				if !blank && broken(raw) && broken(change(m, ones(b, jsontree.Token{End: len(b)}))) {
					list = append(list, change)
				}
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind, plan.ExpectNotJSON), list, build)...)
		}
		out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, "text-in-last-chunk", plan.ExpectNotJSON), []string{"x", "}"}, func(g *generate.Gen, text string) *message.Message {
			m := g.Baseline()
			m.Raw, m.Framing = append(m.Body(), text...), message.LastChunk
			return m
		})...)
		return append(append(out, empty(s)), withoutContent(s)...)
	},
}

// withoutContent has fields that speak of a body, and none: many clients send a length of zero.
func withoutContent(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || s.Op.Body.Required {
		return nil
	}
	return listed(of(plan.FamilyMayRefuse, wholeBody, "fields-of-no-body", plan.ExpectNothing), [][]string{nil, {"Content-Type"}}, func(g *generate.Gen, drop []string) *message.Message {
		m := g.Baseline()
		m.Tree, m.Raw, m.Drop = nil, []byte{}, append(m.Drop, drop...)
		return m
	})
}

// emptyForm is no body, and a form without members, where a form or a text is required.
func emptyForm(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || !s.Op.Body.Required {
		return nil
	}
	build := func(g *generate.Gen, without string) *message.Message {
		m := g.Baseline()
		m.Tree, m.Raw = nil, []byte{}
		if without == "members" {
			m.Tree, m.Raw = jsontree.NewObject(), nil
		}
		return m
	}
	kinds := []string{"bytes", "members"}
	by := judged(s, wholeBody, kinds, build)
	class := of(plan.FamilyNotJSON, wholeBody, "empty", plan.ExpectNotJSON)
	class.First = 1
	out := append(invalid(s, wholeBody, "empty", kinds, build), listed(class, by[openapi.NotJSON], build)...)
	return append(out, listed(of(plan.FamilyMayRefuse, wholeBody, "empty-form", plan.ExpectMayRefuse), by[openapi.MayRefuse], build)...)
}

// withoutBoundary is a body in parts whose content type does not say where they end.
func withoutBoundary(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || !s.Op.Body.Required || !sameMedia(s.Op.Body.Media, "multipart/form-data") {
		return nil
	}
	fields := fieldOf("Content-Type", "multipart/form-data", "multipart/form-data; charset=utf-8")
	return ahead(listed(of(plan.FamilyNotJSON, wholeBody, "no-boundary", plan.ExpectNotJSON), fields, func(g *generate.Gen, f exchange.Field) *message.Message {
		m := g.Baseline()
		m.Fields = append(m.Fields, f)
		return m
	}))
}

const emptyCases = 4

// empty is no body at all: with the baseline head, without a content type, and without a
// length, as curl sends it (RFC 9112, 6.3).
func empty(s *plan.Space) plan.Class {
	family, expected := plan.FamilyNotJSON, plan.ExpectNotJSON
	if !s.Op.Body.Required {
		family, expected = plan.FamilyValid, plan.ExpectMustAccept
	}
	class := of(family, wholeBody, "empty", expected)
	class.First = 1
	return single(class, emptyCases, func(g *generate.Gen, draw int) *message.Message {
		m := g.Baseline()
		m.Tree, m.Raw = nil, []byte{}
		if !s.Op.Body.Required {
			m.Raw = nil // no body, and no field that speaks of one
			return m
		}
		if draw%2 == 1 {
			m.Drop = append(m.Drop, "Content-Type")
		}
		if draw >= emptyCases/2 {
			m.Drop = append(m.Drop, "Content-Length")
		}
		return m
	})
}
