package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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
				out = append(out, invalid(s, p.where(), r.kind, names(p.name, r.to), func(g *generate.Gen, name string) *message.Message {
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
