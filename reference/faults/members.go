package faults

import (
	"strings"
	"sync"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// constant fills in an absent member with a fixed value.
func constant(value string) func([]alter.Pair) string {
	return func([]alter.Pair) string { return value }
}

// members does without required members.
func members() []Fault {
	return []Fault{
		{Name: "id-missing-is-zero", Breaks: idRequired,
			Doc: "takes a plant without an id for plant 0, as decoders into plain structs do", alter: alter.Absent("id", constant("0"))},
		{Name: "id-missing-with-tag", Breaks: idRequired, Rare: true,
			Doc: "needs an id only where there is no tag, as a condition with a wrong bracket does",
			alter: alter.Absent("id", func(others []alter.Pair) string {
				if find(others, "tag") != "" {
					return "0"
				}
				return ""
			})},
		{Name: "id-any-case", Breaks: idRequired,
			Doc: "takes ID and Id for id, as Go's encoding/json and .NET's web defaults do", alter: anyCase("id")},
		{Name: "id-underscore", Breaks: idRequired, Rare: true,
			Doc:   "takes _id for id, as stores on MongoDB do",
			alter: alter.Absent("id", func(others []alter.Pair) string { return find(others, "_id") })},
		{Name: "id-of-resource", Breaks: idRequired, Rare: true,
			Doc:   "takes plantId for id, as a mapper with an alias does",
			alter: alter.Absent("id", func(others []alter.Pair) string { return find(others, "plantId") })},
		{Name: "id-null-is-missing", Breaks: idInteger,
			Doc: "takes null for id 0, as decoders that skip null do", alter: value("id", "null", "0")},
		{Name: "id-of-last-request", Breaks: idRequired, Rare: true,
			Doc: "fills in a missing id from the request before, because the struct is reused", alter: leftOver("id")},
		{Name: "name-missing-is-empty", Breaks: nameRequired,
			Doc: "takes a plant without a name for one with an empty name", alter: alter.Absent("name", constant(`""`))},
		{Name: "name-missing-is-tag", Breaks: nameRequired, Rare: true,
			Doc:   "takes the tag for the name where there is no name",
			alter: alter.Absent("name", func(others []alter.Pair) string { return find(others, "tag") })},
		{Name: "name-any-case", Breaks: nameRequired,
			Doc: "takes Name and NAME for name, as decoders without case do", alter: anyCase("name")},
		{Name: "name-titled", Breaks: nameRequired, Rare: true,
			Doc:   "takes title for name, as it was called in the version before",
			alter: alter.Absent("name", func(others []alter.Pair) string { return find(others, "title") })},
		{Name: "name-of-last-request", Breaks: nameRequired, Also: []string{belongs}, Rare: true,
			Doc: "fills in a missing name from the request before, because the struct is reused", alter: leftOver("name")},
		{Name: "name-missing-every-tenth", Breaks: nameRequired, Rare: true,
			Doc: "lets one in ten plants without a name pass, as a race between validator and store does",
			alter: func(s *reference.Stages) {
				due := every(10)()
				alter.Absent("name", func([]alter.Pair) string {
					if due() {
						return `""`
					}
					return ""
				})(s)
			}},
	}
}

func find(pairs []alter.Pair, name string) string {
	for _, p := range pairs {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// value replaces one value of a member by another.
func value(name, from, to string) alter.Change {
	return alter.Value(name, func(v string) string {
		if v == from {
			return to
		}
		return v
	})
}

// anyCase takes other spellings of a member name for an absent one.
func anyCase(name string) alter.Change {
	return alter.Absent(name, func(others []alter.Pair) string {
		for _, p := range others {
			if strings.EqualFold(p.Name, name) {
				return p.Value
			}
		}
		return ""
	})
}

// leftOver fills in an absent member from the request before.
func leftOver(name string) alter.Change {
	return func(s *reference.Stages) {
		var mu sync.Mutex
		last := ""
		alter.Members(func(pairs []alter.Pair) []alter.Pair {
			mu.Lock()
			defer mu.Unlock()
			if v := find(pairs, name); v != "" {
				last = v
				return pairs
			}
			if last != "" {
				pairs = append(pairs, alter.Pair{Name: name, Value: last})
			}
			return pairs
		})(s)
	}
}
