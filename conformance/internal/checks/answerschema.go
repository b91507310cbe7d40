package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// answerSchema: the answer keeps one keyword at one place.
var answerSchema = rule.Rule{
	Name:        "answer-schema",
	Rank:        rule.Schema,
	Doc:         "The body of the answer keeps the keyword of Key at its place, by the exact judge, or with Beyond all others. Members that the schema does not name are allowed. If a pattern cannot be decided, nothing is judged.",
	Explanation: "The response body satisfies this keyword of the documented schema. Additional members are allowed unless the schema forbids them.",
	Fix:         "Write this member with the documented type, and never omit a required one. null is not a string, and a number in quotes is not a number.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) || p.Got.Reading == nil || p.Got.Form == nil || p.Got.Reading.Root() == nil ||
			p.Got.Reading.Kind == openapi.Undecided {
			return rule.None
		}
		key := p.Requirement.Args.Key
		if keys := p.Requirement.Args.Beyond; keys != nil {
			v := p.Got.Reading.Beyond(keys)
			if v == nil {
				return rule.Passed
			}
			return rule.Failed(v.Keyword+" "+v.Path, p.Requirement.Sentence, v.Keyword+" is broken at "+v.Path+" in "+describe(p))
		}
		if !p.Got.Reading.Violates(key) {
			if !hasItem(p.Got.Reading.Root(), key.Path) {
				return rule.None // an empty list keeps everything that is said of its items
			}
			return rule.Passed
		}
		// The signature is the kind of the wrong value: the value itself would make
		// each answer a failure of its own.
		got, way := "missing", "missing"
		for _, v := range p.Got.Reading.Violations {
			if v.Of(key) && key.Keyword != "required" {
				way = p.Got.Reading.Root().At(v.Pointer).Kind.String()
				got = way
				if t := p.Got.Reading.Root().At(v.Pointer); t.Kind == jsontree.Number || t.Kind == jsontree.Bool {
					got = t.String()
				}
			}
		}
		return rule.Failed(key.Keyword+" "+way, p.Requirement.Sentence, got+" in "+describe(p))
	},
}

// hasItem reports whether a value has all the items that a path leads through. "*" stands
// for any item, and for any member that the schema does not name.
func hasItem(v *jsontree.Value, path string) bool {
	before, rest, found := strings.Cut(path, "/*")
	if !found {
		return true
	}
	list := v.At(before)
	if list == nil {
		return false
	}
	for _, item := range list.Items {
		if hasItem(item, rest) {
			return true
		}
	}
	return slices.ContainsFunc(list.Members, func(m jsontree.Member) bool { return hasItem(m.Value, rest) })
}
