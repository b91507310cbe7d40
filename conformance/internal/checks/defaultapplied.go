package checks

import (
	"fmt"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// defaultApplied: what a request leaves out has its default.
var defaultApplied = rule.Rule{
	Name:        "default-applied",
	Rank:        rule.Advice,
	Doc:         "The success of a valid POST that leaves out optional members with a default has the default for each that the answer has. A member that the answer does not have is not judged.",
	Explanation: "A request that leaves out a member is answered as if it had the default of that member.",
	Fix:         "Set the default of the document where the request has no value, not that of the language or the database.",
	Check: func(p *rule.Input) rule.Outcome {
		if p.Op.Method != "POST" || !p.Got.Success() || p.Sent.Body == nil || p.Sent.Body.Kind >= openapi.Invalid {
			return rule.None
		}
		sent, came := p.Sent.Body.Root(), p.Got.Reading.Root()
		if sent == nil || came == nil || sent.Kind != jsontree.Object {
			return rule.None
		}
		out := rule.None
		for _, m := range p.Op.Defaulted() {
			v := came.Get(m.Name)
			if v == nil || sent.Get(m.Name) != nil {
				continue
			}
			if !jsontree.Equal(v, m.Schema.Default) {
				return rule.Failed("no default", fmt.Sprintf("%s = %s, which is its default", m.Path, m.Schema.Default), fmt.Sprintf("%s = %s", m.Path, p.Shorten(v.String(), 200)))
			}
			out = rule.Passed
		}
		return out
	},
}
