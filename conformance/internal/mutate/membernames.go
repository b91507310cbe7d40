package mutate

import (
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const missingEach = 4

var missingMembers = plan.Mutator{
	Name: "missing-members",
	Doc:  "Leaves out one or two required members, because servers often fill in a default for a missing member.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := required(s)
		for i, p := range list {
			out = append(out, invalid(s, p.where(), "missing", make([]int, missingEach), without(p))...)
			out = append(out, invalid(s, p.where(), "missing-but-nested", []int{0, 1, 2, 3}, nestedOnly(p))...)
			out = append(out, ahead(invalid(s, p.where(), "missing-beside-others", make([]int, 1), amongOthers(p)))...)
			for _, q := range list[i+1:] {
				if q.up == p.up {
					out = append(out, invalid(s, p.up.where(), "missing-"+lastPart(p)+"-"+lastPart(q), make([]int, 1), without(p, q))...)
				}
			}
		}
		return out
	},
}

// without returns a baseline request that lacks the members.
func without(list ...*place) func(*plan.Gen, int) *message.Message {
	return func(g *plan.Gen, _ int) *message.Message {
		m := list[0].in(g)
		for _, p := range list {
			if up := p.up.get(m); up != nil {
				up.Remove(p.name)
			}
		}
		return m
	}
}

// nestedOnly returns a request that has the member in an unknown member alone: in an object, in
// one in an array, or where JavaScript keeps what an object inherits.
func nestedOnly(p *place) func(*plan.Gen, int) *message.Message {
	return func(g *plan.Gen, draw int) *message.Message {
		m := p.in(g)
		up := p.up.get(m)
		if p.up.schema.Closed || up == nil || up.Kind != jsontree.Object || up.Get(p.name) == nil {
			return nil
		}
		name, inside := stray, jsontree.NewObject(jsontree.M(p.name, up.Get(p.name)))
		switch draw {
		case 1:
			inside = jsontree.NewArray(inside)
		case 2:
			name = "__proto__"
		case 3:
			name, inside = "constructor", jsontree.NewObject(jsontree.M("prototype", inside))
		}
		up.Remove(p.name)
		up.Set(name, inside)
		return m
	}
}

// amongOthers returns a request with every other member of an object below the top and
// without the one. An empty object may be refused for being empty, and a parameter
// cannot even hold one.
func amongOthers(p *place) func(*plan.Gen, int) *message.Message {
	return func(g *plan.Gen, _ int) *message.Message {
		if p.up.up == nil {
			return nil
		}
		m := p.in(g)
		up := p.up.get(m)
		if up == nil || up.Kind != jsontree.Object {
			return nil
		}
		up.Remove(p.name)
		if len(up.Members) > 0 {
			return nil // the plain case has others already
		}
		for _, q := range p.up.members() {
			if q.Name != p.name && !q.Schema.Never && !q.Schema.ReadOnly && p.up.schema.Property(q.Name) != nil {
				up.Set(q.Name, g.BaselineValue(q.Schema))
			}
		}
		if len(up.Members) == 0 {
			return nil
		}
		return m
	}
}

func lastPart(p *place) string { return p.slug[strings.LastIndexByte(p.slug, '.')+1:] }

// renaming spells a member name in another way.
type renaming struct {
	kind string
	to   []func(string) string
}

var renamings = []renaming{
	{"wrong-case", []func(string) string{strings.ToUpper, title, camel, lastUpper, strings.ToLower}},
	{"blank-in-name", []func(string) string{before(" "), behind(" "), before("\t"), behind("\n"), split(" ")}},
	{"affix-in-name", []func(string) string{before("_"), behind("_"), behind("s"), before("$"), before("@"), behind("[]"), split("_"), split("-"), behind("."), before("/"), behind("2")}},
	{"quoted-name", []func(string) string{wrap(`"`, `"`), wrap("'", "'"), wrap("`", "`"), wrap("[", "]")}},
	{"cut-name", []func(string) string{butLast, butFirst, twice, reversed}},
	{"alike-name", []func(string) string{alike, fullWidth, behind("\u0301")}},
	{"invisible-in-name", []func(string) string{split("\u200B"), behind("\u200D"), before("\uFEFF"), split("\u0000"), split("\u00AD")}},
	{"other-word", []func(string) string{synonyms(0), synonyms(1), synonyms(2), synonyms(3), before("-"), before("x_"), wrap("$", "$")}},
	{"empty-name", []func(string) string{func(string) string { return "" }}},
}

var renamedMembers = plan.Mutator{
	Name: "renamed-members",
	Doc:  "Sends a required member under a similar name, because names are compared character by character (RFC 8259, 8.3).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, p := range required(s) {
			for _, r := range append(renamings[:len(renamings):len(renamings)], renaming{"name-of-resource", ofResource(s)}) {
				out = append(out, invalid(s, p.where(), r.kind, names(p.name, r.to), func(g *plan.Gen, name string) *message.Message {
					m := p.in(g)
					up := p.up.get(m)
					for i := range up.Members {
						if up.Members[i].Name == p.name {
							up.Members[i].Name = name
						}
					}
					return m
				})...)
			}
		}
		return out
	},
}

// synonyms are the names that other interfaces use for such a member.
func synonyms(n int) func(string) string {
	words := map[string][]string{
		"id":    {"identifier", "uuid", "key", "number"},
		"name":  {"title", "label", "displayName", "fullName"},
		"title": {"name", "label", "subject", "heading"},
	}
	return func(name string) string {
		if list := words[strings.ToLower(name)]; n < len(list) {
			return list[n]
		}
		return name
	}
}

// ofResource are the names that put the resource in front: plantId, plant_id,
// plant.id.
func ofResource(s *plan.Space) []func(string) string {
	one := resource(s)
	return []func(string) string{
		func(n string) string { return one + title(n) }, before(one + "_"), before(one + "-"), before(one + "."), before(one),
	}
}

// names applies the renamings; the name itself and repeats are dropped.
func names(name string, to []func(string) string) []string {
	seen := map[string]bool{name: true}
	var out []string
	for _, f := range to {
		if n := f(name); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// snake turns a camel case name into a snake case one.
func snake(n string) string {
	var out strings.Builder
	for i, c := range n {
		if unicode.IsUpper(c) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}

func lowerFirst(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

func before(s string) func(string) string { return func(n string) string { return s + n } }

func behind(s string) func(string) string { return func(n string) string { return n + s } }

func wrap(a, b string) func(string) string { return func(n string) string { return a + n + b } }

func split(s string) func(string) string {
	return func(n string) string {
		r := []rune(n)
		return string(r[:len(r)/2]) + s + string(r[len(r)/2:])
	}
}

func title(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

func lastUpper(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[len(r)-1] = unicode.ToUpper(r[len(r)-1])
	}
	return string(r)
}

// camel turns a snake or kebab name into camel case.
func camel(n string) string {
	parts := strings.FieldsFunc(n, func(c rune) bool { return c == '_' || c == '-' })
	for i := 1; i < len(parts); i++ {
		parts[i] = title(parts[i])
	}
	return strings.Join(parts, "")
}

func butLast(n string) string {
	r := []rune(n)
	return string(r[:max(0, len(r)-1)])
}

func butFirst(n string) string {
	r := []rune(n)
	return string(r[min(1, len(r)):])
}

func twice(n string) string { return n + n }

func reversed(n string) string {
	var out strings.Builder
	r := []rune(n)
	for i := len(r) - 1; i >= 0; i-- {
		out.WriteRune(r[i])
	}
	return out.String()
}

// alike spells a name with letters of another script that look the same.
func alike(n string) string {
	return strings.NewReplacer("a", "а", "c", "с", "d", "ԁ", "e", "е", "i", "і", "j", "ј", "o", "о", "p", "р",
		"s", "ѕ", "x", "х", "y", "у", "m", "м", "q", "ԛ", "k", "к", "t", "т").Replace(n)
}

func fullWidth(n string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c <= '~' {
			return c + 0xFEE0
		}
		return c
	}, n)
}

// duplicate makes the members of one name from the right value and another
// right one.
type duplicate struct {
	kind string
	make func(name string, one, two *jsontree.Value) []jsontree.Member
}

var duplicates = []duplicate{
	{"same-value", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, one)}
	}},
	{"other-value", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, two)}
	}},
	{"escaped", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), {Name: n, Raw: jsontree.Quote(n, jsontree.All), Value: two}}
	}},
	{"first-wrong", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, jsontree.NewArray()), jsontree.M(n, one)}
	}},
	{"last-wrong", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, jsontree.NewArray())}
	}},
	{"last-null", func(n string, one, _ *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, jsontree.NewNull())}
	}},
	{"three-times", func(n string, one, two *jsontree.Value) []jsontree.Member {
		return []jsontree.Member{jsontree.M(n, one), jsontree.M(n, two), jsontree.M(n, one)}
	}},
}

var duplicateNames = plan.Mutator{
	Name: "duplicate-names",
	Doc:  "Sends the same member name twice, because parsers disagree which one counts and may check one and store the other (RFC 8259, 4).",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := inJSON(s, required(s))
		for _, d := range duplicates {
			out = append(out, mayRefuse(s, plan.Place{Name: "duplicate"}, d.kind, list, func(g *plan.Gen, p *place) *message.Message {
				m := p.in(g)
				up := p.up.get(m)
				i := slices.IndexFunc(up.Members, func(m jsontree.Member) bool { return m.Name == p.name })
				made := d.make(p.name, up.Members[i].Value, g.BaselineValue(p.schema))
				up.Members = slices.Concat(up.Members[:i], made[:1], up.Members[i+1:], made[1:])
				return m
			})...)
		}
		return out
	},
}
