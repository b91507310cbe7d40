package mutate

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// room is where an object takes members that no property names.
type room struct {
	name   func(g *plan.Gen, v *jsontree.Value) (string, bool) // that an object does not have yet
	schema *schema.Schema
}

func (p *place) rooms() []room {
	s := p.schema
	if s.Type() != "object" {
		return nil
	}
	var out []room
	for _, k := range s.Patterns {
		out = append(out, room{func(g *plan.Gen, _ *jsontree.Value) (string, bool) { return g.Named(k.Pattern) }, k.Schema})
	}
	if !s.Closed && (s.Extra != nil || s.Names != nil) {
		out = append(out, room{func(g *plan.Gen, v *jsontree.Value) (string, bool) {
			name, _, ok := g.AdditionalName(s, v)
			return name, ok
		}, s.Extra})
	}
	return out
}

var additionalMembers = plan.Mutator{
	Name: "additional-members",
	Doc:  "Adds members that patternProperties, additionalProperties or propertyNames allow, with matching and other values, because servers often ignore the schema of such members.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			rooms := p.rooms()
			var fit []room
			var bad []misfit
			for _, r := range rooms {
				for range givenEach {
					fit = append(fit, r)
				}
				if r.schema == nil {
					continue
				}
				for _, value := range unfit {
					bad = append(bad, misfit{r, value})
				}
			}
			return slices.Concat(
				sorted(s, p.where(), "further-member", fit, p.additional),
				p.keys(s),
				invalid(s, p.where(), "unfit-further-member", bad, p.unfitting),
				p.fullest(s))
		})
	},
}

// mapKeys are keys of a map to which a language gives a meaning, or which programs often change.
var mapKeys = []string{"__proto__", "constructor", "UpperCase", "a.b", "a b", "$a", "été"}

// keys are members of a map under each of the keys.
func (p *place) keys(s *plan.Space) []plan.Class {
	if p.schema.Type() != "object" || p.schema.Closed || p.schema.Extra == nil || p.schema.Names != nil || len(p.schema.Properties) > 0 {
		return nil
	}
	return sorted(s, p.where(), "key", mapKeys, func(g *plan.Gen, key string) *message.Message {
		return p.additional(g, room{func(*plan.Gen, *jsontree.Value) (string, bool) { return key, true }, p.schema.Extra})
	})
}

// misfit is a member that is let in, with a value that may not be.
type misfit struct {
	room  room
	value another
}

func (p *place) additional(g *plan.Gen, r room) *message.Message {
	return p.unfitting(g, misfit{r, func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value { return right }})
}

func (p *place) unfitting(g *plan.Gen, bad misfit) *message.Message {
	m := p.in(g)
	v := p.get(m)
	name, ok := bad.room.name(g, v)
	if !ok || v == nil || v.Kind != jsontree.Object || v.Get(name) != nil {
		return nil
	}
	v.Set(name, bad.value(g, g.BaselineValue(bad.room.schema)))
	return m
}

// fullest are objects with as many members as are just allowed.
func (p *place) fullest(s *plan.Space) []plan.Class {
	var counts []int
	if n := p.schema.MinProps; n != nil {
		counts = append(counts, *n, *n+1)
	}
	if n := p.schema.MaxProps; n != nil {
		counts = append(counts, *n-1, *n)
	}
	slices.Sort(counts)
	return sorted(s, p.where(), "members", slices.Compact(counts), func(g *plan.Gen, n int) *message.Message {
		m := p.in(g)
		v := p.get(m)
		if v == nil || v.Kind != jsontree.Object {
			return nil // a schema that names no type has other must-accept values
		}
		for _, q := range p.members() {
			if v.Get(q.Name) == nil && len(v.Members) < n && !q.Schema.Never && !q.Schema.ReadOnly {
				v.Set(q.Name, g.BaselineValue(q.Schema))
			}
		}
		for len(v.Members) < min(n, maxItems) {
			name, of, ok := g.AdditionalName(p.schema, v)
			if !ok || v.Get(name) != nil {
				return nil
			}
			v.Set(name, g.BaselineValue(of))
		}
		if len(v.Members) != n {
			return nil
		}
		return m
	})
}

// extra is an unknown member and where it stands: before or behind the others.
type extra struct {
	name  string
	value func(g *plan.Gen) *jsontree.Value
	first bool
}

func fixed(v *jsontree.Value) func(*plan.Gen) *jsontree.Value {
	return func(*plan.Gen) *jsontree.Value { return v.Clone() }
}

// inner is a whole other baseline body.
func inner(g *plan.Gen) *jsontree.Value { return g.Baseline().Tree }

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
			{"extra", func(g *plan.Gen) *jsontree.Value { return jsontree.NewArray(inner(g)) }, false}}},
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

func (p *place) extra(g *plan.Gen, e extra) *message.Message {
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

func (p *place) many(g *plan.Gen, n int) *message.Message {
	m := p.in(g)
	v := p.get(m)
	for i := range n {
		v.Members = append(v.Members, jsontree.M("extra"+strconv.Itoa(i), jsontree.NewNumber("1")))
	}
	return m
}

var unknownBesideOptional = plan.Mutator{
	Name: "unknown-beside-optional",
	Doc:  "Adds an unknown member to a body with all optional members, because code can lose an optional member there.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		sc := s.Op.Body.Shape.Schema
		if sc.Type() != "object" || sc.Closed || len(sc.Optional()) == 0 {
			return nil
		}
		return mayRefuse(s, wholeBody, "unknown-member", []bool{true, false}, func(g *plan.Gen, first bool) *message.Message {
			m := g.Baseline()
			for _, p := range leftOut(s, m) {
				m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
			}
			at := len(m.Tree.Members)
			if first {
				at = 0
			}
			m.Tree.Members = slices.Insert(m.Tree.Members, at, jsontree.M(g.Word(), jsontree.NewNumber("1")))
			return m
		})
	},
}

// maxUnknown is how many unknown members fit into a body of the largest size.
const maxUnknown = 700

var unknownSizes = plan.Mutator{
	Name: "unknown-sizes",
	Doc:  "Adds unknown members whose names, texts, items and number are around the sizes of common buffers and tables, because a server that ignores them reads them all the same.",
	Classes: func(s *plan.Space) []plan.Class {
		if !takesMore(s) {
			return nil
		}
		at := plan.Place{Name: "unknown-member"}
		extra := func(name string, v *jsontree.Value) func(g *plan.Gen) *message.Message {
			return func(g *plan.Gen) *message.Message {
				m := g.Baseline()
				if m.Tree.Kind != jsontree.Object || m.Tree.Get(name) != nil {
					return nil
				}
				m.Tree.Members = append(m.Tree.Members, jsontree.M(name, v))
				return m
			}
		}
		out := mayRefuse(s, at, "name-of-size", sizedTexts(), func(g *plan.Gen, t sizedText) *message.Message {
			return extra(wideText(t.bytes, t.letter), jsontree.NewNumber("1"))(g)
		})
		out = append(out, mayRefuse(s, at, "text-of-size", sizedTexts(), func(g *plan.Gen, t sizedText) *message.Message {
			return extra("extra", jsontree.NewString(wideText(t.bytes, t.letter)))(g)
		})...)
		counts := []int{5, 6, 7, 8, 9, 11, 16, 17, 31, 32, 33, 64, 128, 256, maxUnknown}
		out = append(out, mayRefuse(s, at, "members-in-all", counts, membersInAll)...)
		out = append(out, mayRefuse(s, at, "members-before", counts, func(g *plan.Gen, n int) *message.Message {
			return membersBefore(s, g, n)
		})...)
		return append(out, mayRefuse(s, at, "items", []int{127, 128, 129, 255, 256, 257, 1000, 1024, 4000}, func(g *plan.Gen, n int) *message.Message {
			list := jsontree.NewArray()
			for range n {
				list.Items = append(list.Items, jsontree.NewNumber("1"))
			}
			return extra("extra", list)(g)
		})...)
	},
}

// membersInAll adds members until there are n.
func membersInAll(g *plan.Gen, n int) *message.Message {
	m := g.Baseline()
	for i := 0; m.Tree.Kind == jsontree.Object && len(m.Tree.Members) < n; i++ {
		if name := "x" + strconv.Itoa(i); m.Tree.Get(name) == nil {
			m.Tree.Members = append(m.Tree.Members, jsontree.M(name, jsontree.NewNumber("1")))
		}
	}
	return m
}

// membersBefore puts n members before those of the schema, the optional ones last: a
// server that reads only so many loses them without noticing.
func membersBefore(s *plan.Space, g *plan.Gen, n int) *message.Message {
	m := membersInAll(g, n)
	if m.Tree.Kind != jsontree.Object {
		return nil
	}
	known := len(g.Baseline().Tree.Members)
	slices.Reverse(m.Tree.Members[:known])
	slices.Reverse(m.Tree.Members[known:])
	slices.Reverse(m.Tree.Members)
	for _, p := range leftOut(s, m) {
		m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
	}
	return m
}
