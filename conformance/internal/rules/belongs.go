package rules

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
)

// belongs: the answer has no values of another request.
var belongs = rule.Rule{
	Name:        "belongs",
	Rank:        rule.Echo,
	Role:        rule.RoleBelonging,
	Doc:         "In a success no member of the answer has a value that only another request sent in the member of the same name. Values that several requests sent, and its own value cut, trimmed or in another case, are not judged. With Kind own-values or made-values only the answer to a valid request is judged, at members that it sent with a fresh value, and not against requests that may be about the same thing.",
	Explanation: "A successful response contains no value of another request. Only values that a single request sent are compared.",
	Fix:         "Do not keep data of a request in variables that requests share. Check caches, buffers and handlers that are reused before the answer is written.",
	Check: func(p *rule.Input) rule.Outcome {
		if kind := p.Requirement.Args.Kind; kind == requirement.OwnValues || kind == requirement.MadeValues {
			return ownValues(p)
		}
		if !p.Got.Success() || p.Sent.Body == nil || p.Got.Reading.Root() == nil || p.Sent.Reused && !p.Sent.OwnKey {
			return rule.None
		}
		for i, origin := range origins(p) {
			if m := p.Got.Reading.Root().Members[i]; origin == rule.OtherRequest && !changedOnly(p.Sent.Body.Root().Get(m.Name), m.Value) {
				return rule.Failed("belongs", "no value of another request", "the "+m.Name+" of another request")
			}
		}
		return rule.Passed
	},
}

// ownValues judges the answer to a request that makes or changes one thing, where the
// document says no more than what it looks like. Only members that the request itself sent
// with a fresh value are judged.
func ownValues(p *rule.Input) rule.Outcome {
	if !p.Got.Success() || p.Sent.Body == nil || p.Sent.Expectation() != request.Accept || p.Sent.Reused || p.Got.Reading.Root() == nil {
		return rule.None
	}
	sent, out := p.Sent.Body.Root(), rule.None
	thing := unwrapped(p.Got.Reading.Root(), sent)
	if thing == nil {
		return rule.None
	}
	for _, m := range thing.Members {
		own := sent.Get(m.Name)
		if own == nil || own.Kind != jsontree.String || m.Value.Kind != jsontree.String || !generate.IsFresh(own.Text) {
			continue
		}
		path := "/" + jsontree.EscapePointer(m.Name)
		if !changedOnly(own, m.Value) && p.Another(path, m.Value.Text, p.Requirement.Args.Kind == requirement.MadeValues) {
			return rule.Failed("belongs", "no value of another request", "the "+m.Name+" of another request")
		}
		out = rule.Passed
	}
	return out
}

// changedOnly reports whether a value that came back is the one that was sent, cut, trimmed
// or in another case: then it is not from another request that sent it in that form.
func changedOnly(sent, got *jsontree.Value) bool {
	return sent != nil && sent.Kind == jsontree.String &&
		(strings.Contains(sent.Text, got.Text) || strings.EqualFold(strings.TrimSpace(sent.Text), got.Text))
}
