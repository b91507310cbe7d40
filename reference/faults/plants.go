package faults

import (
	"fmt"
	"regexp"
	"strings"

	"plantstore/reference/internal/alter"
)

// plants answers accepted plants with JSON of another shape.
func plants() []Fault {
	numeric := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	return []Fault{
		{Name: "plant-in-array", Breaks: plantObject, Doc: "answers with an array of one plant, as queries do",
			alter: says(func(_ plant, b string) string { return "[" + b + "]" })},
		{Name: "plant-in-string", Breaks: plantObject, Doc: "encodes the answer twice",
			alter: says(func(_ plant, b string) string { return alter.Quote(b) })},
		{Name: "plant-null", Breaks: plantObject, Doc: "answers null, as handlers that return nothing do",
			alter: says(func(plant, string) string { return "null" })},
		{Name: "plant-id-alone", Breaks: plantObject, Doc: "answers with the id as a bare number",
			alter: says(func(p plant, _ string) string { return fmt.Sprint(p.ID) })},
		{Name: "plant-empty", Breaks: plantHasName, Doc: "answers {}, as serializers of private members do",
			alter: says(func(plant, string) string { return "{}" })},
		{Name: "plant-id-only", Breaks: plantHasName, Doc: "answers with nothing but the id",
			alter: says(func(p plant, _ string) string { return fmt.Sprintf(`{"id":%d}`, p.ID) })},
		{Name: "plant-in-envelope", Breaks: plantHasName, Doc: "answers with the plant inside data",
			alter: says(func(_ plant, b string) string { return `{"data":` + b + "}" })},
		{Name: "plant-capital-names", Breaks: plantHasName, Doc: "answers with Name and Tag, as untagged Go structs do",
			alter: says(func(_ plant, b string) string {
				return strings.NewReplacer(`{"name":`, `{"Name":`, `,"tag":`, `,"Tag":`).Replace(b)
			})},
		{Name: "plant-name-zero-lost", Breaks: plantHasName, Rare: true, Doc: "leaves the name 0 out, because PHP takes \"0\" for empty",
			alter: says(onlyFor(func(n string) bool { return n == "0" }, func(p plant) string { return withoutName(p) }))},
		{Name: "plant-name-proto-lost", Breaks: plantHasName, Rare: true, Doc: "loses the name __proto__, because names are keys of a JavaScript object",
			alter: says(onlyFor(func(n string) bool { return n == "__proto__" }, func(p plant) string { return withoutName(p) }))},
		{Name: "plant-name-number", Breaks: plantName, Rare: true, Doc: "answers names that look like numbers as numbers, as JSON_NUMERIC_CHECK does",
			alter: says(onlyFor(numeric.MatchString, func(p plant) string {
				_, tag := quoted(p)
				return object(p.Name, tag)
			}))},
		{Name: "plant-name-boolean", Breaks: plantName, Rare: true, Doc: "answers the names true and false as booleans, as YAML does",
			alter: says(onlyFor(func(n string) bool { return n == "true" || n == "false" }, func(p plant) string {
				_, tag := quoted(p)
				return object(p.Name, tag)
			}))},
		{Name: "plant-name-null", Breaks: plantName, Rare: true, Doc: "answers the name null as null, as CSV imports do",
			alter: says(onlyFor(func(n string) bool { return n == "null" }, func(p plant) string {
				_, tag := quoted(p)
				return object("null", tag)
			}))},
		{Name: "plant-name-array", Breaks: plantName, Doc: "answers with the name in an array, as converters from XML and forms do",
			alter: says(func(p plant, _ string) string {
				name, tag := quoted(p)
				return object("["+name+"]", tag)
			})},
		{Name: "plant-tag-null", Breaks: plantTag, Doc: "answers null for an absent tag, as most serializers do",
			alter: says(func(p plant, b string) string {
				if p.Tag == nil {
					return object(alter.Quote(p.Name), "null")
				}
				return b
			})},
		{Name: "plant-tag-false", Breaks: plantTag, Doc: "answers false for an absent tag, as PHP functions do",
			alter: says(func(p plant, b string) string {
				if p.Tag == nil {
					return object(alter.Quote(p.Name), "false")
				}
				return b
			})},
		{Name: "plant-tag-array", Breaks: plantTag, Doc: "answers with the tag in an array",
			alter: says(func(p plant, b string) string {
				if name, tag := quoted(p); tag != "" {
					return object(name, "["+tag+"]")
				}
				return b
			})},
		{Name: "plant-tag-number", Breaks: plantTag, Rare: true, Doc: "answers tags that look like numbers as numbers",
			alter: says(func(p plant, b string) string {
				if p.Tag != nil && numeric.MatchString(*p.Tag) {
					return object(alter.Quote(p.Name), *p.Tag)
				}
				return b
			})},
	}
}

// onlyFor answers plants of some names in another way.
func onlyFor(name func(string) bool, body func(plant) string) func(plant, string) string {
	return func(p plant, usual string) string {
		if name(p.Name) {
			return body(p)
		}
		return usual
	}
}

func withoutName(p plant) string {
	if _, tag := quoted(p); tag != "" {
		return `{"tag":` + tag + "}"
	}
	return "{}"
}
