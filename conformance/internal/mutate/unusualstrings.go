package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// unusualStringGroups are strings that some stores refuse or change.
var unusualStringGroups = []textGroup{
	{"empty", []string{""}},
	{"blank", []string{" ", "   ", "          ", "\u3000"}},
	{"white-space-before", []string{" §", "   §", "\u00A0§", "\u3000§"}},
	{"white-space-behind", []string{"§ ", "§    ", "§\u00A0", "§\u2003"}},
	{"white-space-inside", []string{"a\u00A0§", "a\u2009§", "§\u3000植", "a\u2028§", "a\u2029§", "a\u0085§"}},
	{"newline", []string{"a\n§", "a\r\n§", "§\n", "\n§", "a\r§"}},
	{"tab", []string{"a\t§", "§\t", "\t§"}},
	{"control", []string{"a\x01§", "\x1B[31m§", "a\x08§", "a\x7F§", "a\x0C§", "a\x0B§", "\x1A§", "a\u009F§"}},
	{"nul", []string{"a\x00§", "§\x00", "\x00§", "\x00"}},
	{"zero-width", []string{"a\u200B§", "a\u200C§", "\u200D§", "§\u2060", "\u200B"}},
	{"joined-emoji", []string{"👩\u200D🌾 §", "👨\u200D👩\u200D👧 §", "🏳\uFE0F\u200D🌈 §"}},
	{"direction", []string{"\u202E§", "\u200F§", "\u2066§\u2069", "a\u061C§"}},
	{"soft-hyphen", []string{"a\u00AD§"}},
	{"byte-order-mark", []string{"\uFEFF§", "a\uFEFF§"}},
	{"tag-characters", []string{"a\U000E0061§", "§\U000E0001"}},
	{"private-use", []string{"a\uE000§", "a\uF8FF§", "a\U000F0000§", "a\U0010FFFD§"}},
	{"noncharacter", []string{"a\uFFFE§", "a\uFFFF§", "a\uFDD0§", "a\U0010FFFF§", "a\U0001FFFE§"}},
	{"unassigned", []string{"a\u0378§", "a\U0003FFFD§", "a\u2FE0§"}},
	{"newer-than-unicode-9", []string{"a\u32FF§", "a\u20BF§", "\u0560§", "a🥲§", "a🫠§", "a𞤀\U0001E94B§", "a\U00030000§", "a\U0002CEB0§"}},
	{"replacement", []string{"a\uFFFD§", "\uFFFD"}},
	{"mark-first", []string{"\u0301§", "\u0345§", "\uFE0F§"}},
	{"markup-blank", []string{"<br>\n§", "a\n\n\nb§"}},
}

// lengthsAbove are lengths between what every store holds and what most hold.
var lengthsAbove = []int{65, 66, 70, 80, 99, 100, 101, 119, 120, 127, 128, 129, 150, 190, 191, 192, 199, 200, 201, 240, 253, 254, 255}

var longLengths = []int{256, 257, 300, 500, 511, 512, 513, 1000, 1024, 1025, 2048, 4096}

var unusualStrings = plan.Mutator{
	Name: "unusual-strings",
	Doc:  "Sends valid strings that some servers refuse, such as empty, blank and very long ones and ones with control characters, because a server must refuse them properly or keep them unchanged.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			n := rank(s, p, (*place).free)
			var out []plan.Class
			for _, group := range unusualStringGroups {
				out = append(out, mayRefuse(s, p.where(), group.kind, sampleOf(group.items, n), func(g *generate.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewString(fill(g, text)))
				})...)
			}
			with := func(kind string, list []int, pad string) []plan.Class {
				return mayRefuse(s, p.where(), kind, sampleOf(list, n), func(g *generate.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(padded(g, n, pad)))
				})
			}
			some := []int{65, 100, 128, 191, 255}
			return slices.Concat(out,
				with("length-above", lengthsAbove, "e"), with("length-above-wide", some, "é"),
				with("length-above-cjk", some, "植"), with("length-above-astral", some, "🌱"),
				with("long", longLengths, "e"), with("long-wide", []int{256, 512, 1000}, "植"), with("long-astral", []int{256, 1000}, "🌱"),
				p.huge(s),
				mayRefuse(s, p.where(), "long-words", []int{100, 255, 600}, func(g *generate.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(strings.Repeat("a b ", n/4)+g.Word()))
				}))
		})
	},
}

// hugeTexts are tried only if a shorter text may be refused already. The schema check
// need not decide each of them.
var hugeTexts = []int{10_000, 70_000}

func (p *place) huge(s *plan.Space) []plan.Class {
	build := func(g *generate.Gen, n int) *message.Message { return p.with(g, jsontree.NewString(padded(g, n, "e"))) }
	if len(judged(s, p.where(), longLengths[len(longLengths)-1:], build)[openapi.MayRefuse]) == 0 || p.schema.MaxLength != nil {
		return nil
	}
	return heavy(listed(of(plan.FamilyMayRefuse, p.where(), "long-heavy", plan.ExpectMayRefuse), hugeTexts, build))
}
