package checks

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// echo: a success returns the value that was sent.
var echo = rule.Rule{
	Name:        "echo",
	Rank:        rule.Echo,
	Role:        rule.RoleEcho,
	Doc:         "In a success the value at To equals the must-accept value sent at From, at least after Unicode normalisation (NFC).",
	Explanation: "A successful response returns the value that was sent, at least after Unicode normalization (NFC).",
	Fix:         "Return what was stored, unchanged: do not trim, fold case, escape twice or change the character set.",
	Check:       compares(false, func(sent, got *jsontree.Value) bool { return same(sent, got) || normalized(sent, got) }),
}
