package checks

import (
	"plantstore/conformance/internal/rule"
)

// echoExact: a success returns the value that was sent, code point for code point.
var echoExact = rule.Rule{
	Name:        "echo-exact",
	Rank:        rule.Advice,
	Role:        rule.RoleEcho,
	Doc:         "In a success the value at To equals the must-accept value sent at From, code point for code point.",
	Explanation: "A successful response returns the value that was sent, code point for code point.",
	Fix:         "Do not normalize text that belongs to the client.",
	Check:       compares(false, same),
}
