package mutate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// cut is a place where a text is cut off: at the end of a token, or inside it.
type cut struct {
	token  int
	inside bool
	full   bool
}

// maxCuts is the maximum number of places at which a body is cut off.
const maxCuts = 500

var truncatedBody = plan.Mutator{
	Name: "truncated-body",
	Doc:  "Cuts a valid body off after each token and inside it, because parsers accept the beginning of a text.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var at, within []cut
		for _, isFull := range []bool{false, true} {
			b := cutBase(s, plan.Probe(s.Op), isFull)
			tokens, err := jsontree.Tokens(b)
			if err != nil || isFull && len(b) == len(cutBase(s, plan.Probe(s.Op), false)) {
				continue
			}
			for i, t := range tokens {
				for _, c := range []cut{{i, false, isFull}, {i, true, isFull}} {
					if _, err := jsontree.Parse(c.of(b, t)); err == nil || c.inside && t.End-t.Start < 2 {
						continue
					}
					if c.inside {
						within = append(within, c)
					} else {
						at = append(at, c)
					}
				}
			}
		}
		build := func(g *plan.Gen, c cut) *message.Message {
			m := g.Baseline()
			m.Raw = c.apply(cutBase(s, g, c.full))
			return m
		}
		return append(listed(of(plan.FamilyNotJSON, wholeBody, "cut-off-between"), spread(at, maxCuts), build),
			listed(of(plan.FamilyNotJSON, wholeBody, "cut-off-inside"), spread(within, maxCuts), build)...)
	},
}

func cutBase(s *plan.Space, g *plan.Gen, isFull bool) []byte {
	if isFull {
		return full(s, g).Body()
	}
	return g.Baseline().Body()
}

// apply cuts a body where it was planned, or at the next token at which that breaks it: the target
// may take other lists than those that were planned.
func (c cut) apply(b []byte) []byte {
	tokens, err := jsontree.Tokens(b)
	for i := 0; err == nil && i < len(tokens); i++ {
		short := c.of(b, tokens[(c.token+i)%len(tokens)])
		if _, err := jsontree.Parse(short); err != nil && len(short) > 0 {
			return short
		}
	}
	return b
}

// of cuts a body at one of its tokens.
func (c cut) of(b []byte, t jsontree.Token) []byte {
	if c.inside {
		return b[:(t.Start+t.End)/2]
	}
	return b[:t.End]
}

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
			return slices.Concat(emptyForm(s), withoutBoundary(s), withoutContent(s), badEscapes(s))
		}
		g := plan.Probe(s.Op)
		var out []plan.Class
		for _, k := range wholeKinds() {
			build := func(g *plan.Gen, change func(*message.Message, []byte) []byte) *message.Message {
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
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, k.kind), list, build)...)
		}
		out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, "text-in-last-chunk"), []string{"x", "}"}, changed(func(m *message.Message, text string) {
			m.Raw, m.Framing = append(m.Body(), text...), message.LastChunk
		}))...)
		return append(append(out, empty(s)), withoutContent(s)...)
	},
}

// withoutContent has fields that speak of a body, and none: many clients send a length of zero.
func withoutContent(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || s.Op.Body.Required {
		return nil
	}
	return listed(unstated(of(plan.FamilyMayRefuse, wholeBody, "fields-of-no-body")), [][]string{nil, {"Content-Type"}}, changed(func(m *message.Message, drop []string) {
		m.Tree, m.Raw, m.Drop = nil, []byte{}, append(m.Drop, drop...)
	}))
}

// emptyForm is no body, and a form without members, where a form or a text is required.
func emptyForm(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || !s.Op.Body.Required {
		return nil
	}
	build := changed(func(m *message.Message, without string) {
		m.Tree, m.Raw = nil, []byte{}
		if without == "members" {
			m.Tree, m.Raw = jsontree.NewObject(), nil
		}
	})
	kinds := []string{"bytes", "members"}
	by := judged(s, wholeBody, kinds, build)
	class := of(plan.FamilyNotJSON, wholeBody, "empty")
	class.First = 1
	out := append(invalid(s, wholeBody, "empty", kinds, build), listed(class, by[schema.NotJSON], build)...)
	return append(out, listed(of(plan.FamilyMayRefuse, wholeBody, "empty-form"), by[schema.MayRefuse], build)...)
}

// badEscapes is a form with percent signs that begin no escape, in a value and in unknown members. Servers
// decode forms and queries in different places, and either may fail on them.
func badEscapes(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || !sameMedia(s.Op.Body.Media, "application/x-www-form-urlencoded") {
		return nil
	}
	build := changed(func(m *message.Message, text string) { m.Raw = append(m.Body(), text...) })
	by := judged(s, wholeBody, []string{"%", "%zz", "&" + queryName + "=%", "&" + queryName + "=%zz", "&%2=1"}, build)
	return listed(unstated(of(plan.FamilyMayRefuse, wholeBody, "bad-escapes")), by[schema.MayRefuse], build)
}

// withoutBoundary is a body in parts whose content type does not say where they end.
func withoutBoundary(s *plan.Space) []plan.Class {
	if s.Op.Body == nil || !s.Op.Body.Required || !sameMedia(s.Op.Body.Media, "multipart/form-data") {
		return nil
	}
	fields := fieldOf("Content-Type", "multipart/form-data", "multipart/form-data; charset=utf-8")
	return ahead(listed(of(plan.FamilyNotJSON, wholeBody, "no-boundary"), fields, changed(func(m *message.Message, f exchange.Field) {
		m.Fields = append(m.Fields, f)
	})))
}

const emptyCases = 4

// empty is no body at all: with the baseline head, without a content type, and without a
// length, as curl sends it (RFC 9112, 6.3).
func empty(s *plan.Space) plan.Class {
	family := plan.FamilyNotJSON
	if !s.Op.Body.Required {
		family = plan.FamilyValid
	}
	class := of(family, wholeBody, "empty")
	class.First = 1
	return single(class, emptyCases, changed(func(m *message.Message, draw int) {
		m.Tree, m.Raw = nil, []byte{}
		if !s.Op.Body.Required {
			m.Raw = nil // no body, and no field that speaks of one
			return
		}
		if draw%2 == 1 {
			m.Drop = append(m.Drop, "Content-Type")
		}
		if draw >= emptyCases/2 {
			m.Drop = append(m.Drop, "Content-Length")
		}
	}))
}

const (
	maxSlips   = 3
	slipTries  = 32
	slipLetter = "{}[]:,\"\\'0123456789.+-eEtfnulrsa/* \n\x00\t#;=()<>"
)

// slips draws a few random changes of single bytes.
func slips(b []byte) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		out := slices.Clone(b)
		for range 1 + p.Rng.Intn(maxSlips) {
			if len(out) < 2 {
				break
			}
			i := p.Rng.Intn(len(out))
			c := slipLetter[p.Rng.Intn(len(slipLetter))]
			switch p.Rng.Intn(4) {
			case 0:
				out = slices.Delete(out, i, i+1)
			case 1:
				out = slices.Insert(out, i, c)
			case 2:
				out[i] = c
			default:
				j := max(1, i)
				out[j-1], out[j] = out[j], out[j-1]
			}
		}
		return gopter.NewGenResult(out, gopter.NoShrinker)
	}
}

var randomSyntaxErrors = plan.Mutator{
	Name: "random-syntax-errors",
	Doc:  "Changes random characters of a valid body, because a fixed list of syntax errors misses some.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		return []plan.Class{single(of(plan.FamilyNotJSON, wholeBody, "random"), cmp.Or(s.Draws/2, 1),
			func(g *plan.Gen, _ int) *message.Message {
				m := g.Baseline()
				b := m.Body()
				m.Raw = append(slices.Clone(b), '}')
				for range slipTries {
					drawn, _ := slips(b)(g.Params()).Retrieve()
					if _, err := jsontree.Parse(drawn.([]byte)); err != nil {
						m.Raw = drawn.([]byte)
						break
					}
				}
				return m
			})}
	},
}

// base is the body that a near miss is made in.
type base uint8

// The bases: the baseline body, one with every optional member, and one with an
// unknown member, where a check of types sees nothing.
const (
	baselineBase base = iota
	fullBase
	strayBase
)

const stray = "zExtra"

func (b base) message(s *plan.Space, g *plan.Gen) *message.Message {
	switch m := g.Baseline(); {
	case b == fullBase:
		return full(s, g)
	case b == strayBase && m.Tree.Kind == jsontree.Object:
		m.Tree.Members = append(m.Tree.Members, jsontree.M(stray, jsontree.NewArray(jsontree.NewNumber("5"), jsontree.NewString("t5"),
			jsontree.NewBool(true), jsontree.NewNull(), jsontree.NewObject(jsontree.M("k5", jsontree.NewNumber("7"))))))
		return m
	default:
		return m
	}
}

// insideObject writes a member of any text behind the members of a body.
func insideObject(m *message.Message, member string) []byte {
	b := m.Body()
	if len(m.Tree.Members) > 0 {
		member = "," + member
	}
	return append(append([]byte{}, b[:len(b)-1]...), member+"}"...)
}
