package faults

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const (
	bodyRequired = "post-plants-body-required"
	anObject     = "newplant-object"
	idRequired   = "newplant-id-required"
	nameRequired = "newplant-name-required"
)

// other gives the plant that a body of another JSON type is taken for; "" is
// for none.
func other(f func(kind jsontext.Kind, body string) string) alter.Change {
	return alter.Body(func(b []byte) []byte {
		v := jsontext.Value(bytes.TrimSpace(b))
		if !v.IsValid() {
			return b
		}
		if plant := f(v.Kind(), string(v)); plant != "" {
			return []byte(plant)
		}
		return b
	})
}

// shape takes something else than one object for a plant.
func shape() []Fault {
	return []Fault{
		{Name: "empty-body-accepted", Breaks: bodyRequired,
			Doc: "takes an empty body for an empty plant, as frameworks that bind what is there do",
			alter: alter.Body(func(b []byte) []byte {
				if len(b) == 0 {
					return []byte(emptyPlant)
				}
				return b
			})},
		{Name: "empty-body-again", Breaks: belongs, Also: []string{bodyRequired}, Rare: true,
			Doc: "takes an empty body for the one before it, because the buffer is reused", alter: emptyAgain},
		{Name: "null-body", Breaks: anObject,
			Doc:   "takes the body null for an empty plant, as Go's decoder does",
			alter: other(when('n', func(string) string { return emptyPlant }))},
		{Name: "falsy-body", Breaks: anObject, Rare: true,
			Doc: "takes false, 0 and \"\" for an empty plant, as code with \"or {}\" does",
			alter: other(func(_ jsontext.Kind, b string) string {
				if b == "false" || b == "0" || b == `""` {
					return emptyPlant
				}
				return ""
			})},
		{Name: "scalar-body", Breaks: anObject,
			Doc:   "takes a number for a plant of that id, as serializers with a one-argument constructor do",
			alter: other(when('0', func(b string) string { return `{"id":` + b + `,"name":""}` }))},
		{Name: "boolean-body", Breaks: anObject, Rare: true,
			Doc:   "takes the body true for an empty plant, because it is truthy and no member of it is missing",
			alter: other(when('t', func(string) string { return emptyPlant }))},
		{Name: "string-body", Breaks: anObject,
			Doc: "takes a string with JSON inside, as code that decodes twice does",
			alter: other(when('"', func(b string) string {
				inner, _ := alter.String(b)
				return inner
			}))},
		{Name: "text-body", Breaks: anObject, Rare: true,
			Doc:   "takes a string for the name of a plant, as serializers with a string constructor do",
			alter: other(when('"', func(b string) string { return `{"id":0,"name":` + b + "}" }))},
		{Name: "array-unwrapped", Breaks: anObject,
			Doc: "takes an array of one plant for that plant, as Jackson does with UNWRAP_SINGLE_VALUE_ARRAYS",
			alter: other(when('[', func(b string) string {
				if e := elements(b); len(e) == 1 {
					return e[0]
				}
				return ""
			}))},
		{Name: "array-batch", Breaks: anObject,
			Doc: "takes an array of plants and answers with the last one, as bulk interfaces do",
			alter: other(when('[', func(b string) string {
				if e := elements(b); len(e) > 0 && e[len(e)-1][0] == '{' {
					return e[len(e)-1]
				}
				return ""
			}))},
		{Name: "array-empty", Breaks: anObject, Rare: true,
			Doc: "takes an empty array for an empty plant, as PHP does, where {} and [] are the same",
			alter: other(when('[', func(b string) string {
				if len(elements(b)) == 0 {
					return emptyPlant
				}
				return ""
			}))},
		{Name: "array-positional", Breaks: anObject, Rare: true,
			Doc: "takes the values of the members in an array, as Rust's serde does for structs",
			alter: other(when('[', func(b string) string {
				e := elements(b)
				if len(e) < 2 {
					return ""
				}
				return `{"id":` + e[0] + `,"name":` + e[1] + "}"
			}))},
		{Name: "envelope", Breaks: nameRequired, Also: []string{idRequired},
			Doc: "takes a plant inside an object with one member, as Rails and JSON:API do",
			alter: alter.Members(func(pairs []alter.Pair) []alter.Pair {
				if len(pairs) == 1 {
					if inner, ok := alter.Object([]byte(pairs[0].Value)); ok {
						return inner
					}
				}
				return pairs
			})},
		{Name: "empty-object", Breaks: nameRequired, Also: []string{idRequired}, Rare: true,
			Doc: "takes an empty object, because it validates only the members that are there",
			alter: alter.Members(func(pairs []alter.Pair) []alter.Pair {
				if len(pairs) == 0 {
					return []alter.Pair{{Name: "id", Value: "0"}, {Name: "name", Value: `""`}}
				}
				return pairs
			})},
	}
}

func when(kind jsontext.Kind, f func(string) string) func(jsontext.Kind, string) string {
	return func(k jsontext.Kind, body string) string {
		if k != kind {
			return ""
		}
		return f(body)
	}
}

// elements are the texts of the elements of an array.
func elements(array string) (texts []string) {
	d := jsontext.NewDecoder(strings.NewReader(array))
	for _, err := d.ReadToken(); err == nil && d.PeekKind() != ']'; {
		var v jsontext.Value
		if v, err = d.ReadValue(); err == nil {
			texts = append(texts, string(v))
		}
	}
	return texts
}

func emptyAgain(s *reference.Stages) {
	var mu sync.Mutex
	var last []byte
	alter.Body(func(b []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		if len(b) > 0 {
			last = slices.Clone(b)
		}
		return last
	})(s)
}

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
