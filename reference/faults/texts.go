package faults

import (
	"regexp"
	"strings"

	"plantstore/reference/internal/alter"
)

const (
	nameString  = "newplant-name-string"
	tagString   = "newplant-tag-string"
	tagAccepted = "newplant-tag-accepted"
	tagOptional = "newplant-tag-optional"
)

var number = regexp.MustCompile(`^-?[0-9]`)

// kindOf reads the values of a member whose text starts with one of some
// characters as another value.
func kindOf(member, starts string, read func(value string) string) alter.Change {
	return alter.Value(member, func(v string) string {
		for i := range len(starts) {
			if v[0] == starts[i] {
				return read(v)
			}
		}
		return v
	})
}

func numbers(member string) alter.Change { return kindOf(member, "-0123456789", alter.Quote) }

// texts takes names and tags that are not strings, and refuses tags.
func texts() []Fault {
	first := func(v string) string {
		for _, e := range elements(v) {
			if e[0] == '"' {
				return e
			}
		}
		return v
	}
	return []Fault{
		{Name: "name-number", Breaks: nameString,
			Doc: "takes a number for a name, as Jackson and PHP do", alter: numbers("name")},
		{Name: "name-boolean", Breaks: nameString,
			Doc: "takes true and false for names, as str() does", alter: kindOf("name", "tf", alter.Quote)},
		{Name: "name-null", Breaks: nameString,
			Doc: "takes null for an empty name, as Go's decoder does", alter: value("name", "null", `""`)},
		{Name: "name-array", Breaks: nameString,
			Doc: "takes the first string of an array for the name", alter: kindOf("name", "[", first)},
		{Name: "name-object", Breaks: nameString,
			Doc: "takes an object for a name and keeps its text", alter: kindOf("name", "{", alter.Quote)},
		{Name: "name-falsy", Breaks: nameString, Rare: true,
			Doc:   "takes 0 and false for an empty name, because it checks the type only of what is truthy",
			alter: alter.All(value("name", "0", `""`), value("name", "false", `""`))},
		{Name: "tag-number", Breaks: tagString,
			Doc: "takes a number for a tag, as serializers that coerce scalars do", alter: numbers("tag")},
		{Name: "tag-boolean", Breaks: tagString,
			Doc: "takes true and false for tags, as YAML-minded code does", alter: kindOf("tag", "tf", alter.Quote)},
		{Name: "tag-null", Breaks: tagString,
			Doc: "takes null for an absent tag, as nearly every decoder does", alter: value("tag", "null", "")},
		{Name: "tag-array", Breaks: tagString,
			Doc: "takes a list of tags and keeps the first", alter: kindOf("tag", "[", first)},
		{Name: "tag-empty-array", Breaks: tagString, Rare: true,
			Doc: "takes an empty list for an absent tag", alter: value("tag", "[]", "")},
		{Name: "tag-object", Breaks: tagString,
			Doc: "takes an object for a tag and drops it", alter: kindOf("tag", "{", func(string) string { return "" })},
		{Name: "tag-falsy", Breaks: tagString, Rare: true,
			Doc:   "takes 0 and false for an absent tag, because it checks the type only of what is truthy",
			alter: alter.All(value("tag", "0", ""), value("tag", "false", ""))},
		{Name: "tag-large-number", Breaks: tagString, Rare: true,
			Doc: "takes numbers beyond int64 for tags, because its JSON library gives them as strings",
			alter: alter.Value("tag", func(v string) string {
				if number.MatchString(v) && len(v) > 18 {
					return alter.Quote(v)
				}
				return v
			})},
		{Name: "tag-refused", Breaks: tagAccepted, Values: []string{"/tag=Baum"},
			Doc: "refuses every tag, because the validator only knows id and name",
			alter: alter.Decoded(func(p plant) error {
				if p.Tag != nil {
					return alter.Bad("/tag", "is not allowed")
				}
				return nil
			})},
		{Name: "tag-required", Breaks: tagOptional,
			Doc: "refuses a plant without a tag, as frameworks with required arguments do",
			alter: alter.Decoded(func(p plant) error {
				if p.Tag == nil {
					return alter.Bad("/tag", "is required")
				}
				return nil
			})},
		{Name: "name-fraction", Breaks: nameString, Also: []string{tagString}, Rare: true,
			Doc:   "takes fractions for names and tags, because only integers are refused",
			alter: alter.All(fraction("name"), fraction("tag"))},
	}
}

func fraction(member string) alter.Change {
	return alter.Value(member, func(v string) string {
		if number.MatchString(v) && strings.ContainsAny(v, ".eE") {
			return alter.Quote(v)
		}
		return v
	})
}
