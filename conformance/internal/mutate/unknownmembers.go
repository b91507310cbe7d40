package mutate

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// extra is an unknown member and where it stands: before or behind the others.
type extra struct {
	name  string
	value func(g *generate.Gen) *jsontree.Value
	first bool
}

func fixed(v *jsontree.Value) func(*generate.Gen) *jsontree.Value {
	return func(*generate.Gen) *jsontree.Value { return v.Clone() }
}

// inner is a whole other baseline body.
func inner(g *generate.Gen) *jsontree.Value { return g.Baseline().Tree }

type extraGroup struct {
	kind string
	list []extra
}

func called(names ...string) []extra {
	out := make([]extra, len(names))
	for i, n := range names {
		out[i] = extra{name: n, value: freshText}
	}
	return out
}

func extraGroups() []extraGroup {
	return []extraGroup{
		{"behind", []extra{{"extra", freshText, false}, {"colour", freshText, false}, {"x", fixed(jsontree.NewNumber("1")), false}}},
		{"before", []extra{{"extra", freshText, true}, {"x", fixed(jsontree.NewNull()), true}}},
		{"of-any-type", []extra{{"extra", fixed(jsontree.NewNull()), false}, {"extra", fixed(jsontree.NewBool(true)), false},
			{"extra", fixed(jsontree.NewNumber("1.5")), false}, {"extra", fixed(jsontree.NewArray(jsontree.NewNumber("1"), jsontree.NewNull())), false},
			{"extra", fixed(jsontree.NewObject(jsontree.M("a", jsontree.NewObject()))), false}}},
		{"special-name", called("__proto__", "constructor", "prototype", "toString", "$ref", "$where", "_id", "__class__", "@type", "class", "hasOwnProperty", "length",
			"self", "cls", "args", "kwargs", "type", "$type", "createdAt", "version", "__v", "valueOf", "then")},
		{"odd-name", called("a b", "a.b", "a/b", "a[0]", "ключ", "🌱", "\"", "\\", "\n", "\u0000", " ", "-", "1", "0")},
		{"empty-name", called("")},
		{"long-name", called(strings.Repeat("n", 300), strings.Repeat("n", 5000), strings.Repeat("植", 200))},
		{"odd-text", []extra{{"note", fixed(jsontree.NewString("a\x00b")), false}, {"note", fixed(&jsontree.Value{Kind: jsontree.String, Text: "\uFFFD", Raw: `"\ud83d"`}), false}}},
		{"with-same-names", []extra{{"extra", inner, false}, {"extra", inner, true},
			{"extra", func(g *generate.Gen) *jsontree.Value { return jsontree.NewArray(inner(g)) }, false}}},
		{"object-of-the-language", []extra{
			{"__proto__", fixed(jsontree.NewObject(jsontree.M("polluted", jsontree.NewBool(true)))), true},
			{"constructor", fixed(jsontree.NewObject(jsontree.M("prototype", jsontree.NewObject()))), false},
			{"$where", fixed(jsontree.NewObject(jsontree.M("$ne", jsontree.NewNull()))), false}}},
	}
}

var unknownMembers = plan.Mutator{
	Name: "unknown-members",
	Doc:  "Adds members that the schema neither names nor forbids, because a server may ignore or refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, p := range tried(s) {
			if p.schema.Type() != "object" || p.schema.Closed || !p.certain() {
				continue
			}
			at := plan.Place{Name: "unknown-member"}
			if p.up != nil {
				at.Name += "." + p.slug
			}
			groups := extraGroups()
			groups = append(groups, extraGroup{"near-name", called(nearNames(p)...)})
			for _, group := range groups {
				list := group.list
				if p.up != nil {
					list = list[:min(1, len(list))]
				}
				out = append(out, mayRefuse(s, at, group.kind, list, p.extra)...)
			}
			if p.up == nil {
				out = append(out, mayRefuse(s, at, "many", []int{10, 100, 300}, p.many)...)
			}
		}
		return out
	},
}

// nearNames are the names of members in another case, beside the right ones.
func nearNames(p *place) []string {
	var out []string
	for _, m := range p.members() {
		for _, n := range names(m.Name, []func(string) string{strings.ToUpper, title, before("_"), behind(" ")}) {
			if p.schema.Property(n) == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

func (p *place) extra(g *generate.Gen, e extra) *message.Message {
	m := p.in(g)
	v := p.get(m)
	if v.Get(e.name) != nil {
		return nil
	}
	at := len(v.Members)
	if e.first {
		at = 0
	}
	v.Members = slices.Insert(v.Members, at, jsontree.M(e.name, e.value(g)))
	return m
}

func (p *place) many(g *generate.Gen, n int) *message.Message {
	m := p.in(g)
	v := p.get(m)
	for i := range n {
		v.Members = append(v.Members, jsontree.M("extra"+strconv.Itoa(i), jsontree.NewNumber("1")))
	}
	return m
}
