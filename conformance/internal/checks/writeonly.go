package checks

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// writeOnly: a member that is writeOnly does not come back.
var writeOnly = rule.Rule{
	Name:        "write-only",
	Rank:        rule.Advice,
	Doc:         "An answer has no member at the Path of Key, which the document makes writeOnly. \"*\" in the path stands for any index or name.",
	Explanation: "The response does not contain this member, which the document makes writeOnly, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Check: func(p *rule.Input) rule.Outcome {
		if !judged(p) || p.Got.Reading.Root() == nil {
			return rule.None
		}
		path := p.Requirement.Args.Key.Path
		if hasMember(p.Got.Reading.Root(), strings.Split(path, "/")[1:]) {
			return rule.Failed("write-only", "no "+path, "the writeOnly "+path+" in "+describe(p))
		}
		return rule.Passed
	},
}

// has reports whether a value has something at a path.
func hasMember(v *jsontree.Value, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if path[0] != "*" {
		name, ok := jsontree.UnescapePointer(path[0])
		below := v.Get(name)
		return ok && below != nil && hasMember(below, path[1:])
	}
	for _, item := range v.Items {
		if hasMember(item, path[1:]) {
			return true
		}
	}
	for _, m := range v.Members {
		if hasMember(m.Value, path[1:]) {
			return true
		}
	}
	return false
}
