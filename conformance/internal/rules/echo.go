package rules

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// echo: the answer is about what was sent.
var echo = rule.Rule{
	Name:  "echo",
	Rank:  rule.Echo,
	Role:  rule.RoleEcho,
	Doc:   "In a success the value at To equals the plain value sent at From, at least after Unicode normalisation (NFC).",
	Mend:  "answer with what was stored, unchanged: no trimming, no case folding, no escaping twice, no other character set",
	Check: compares(false, func(sent, got *jsontree.Value) bool { return same(sent, got) || folded(sent, got) }),
}
