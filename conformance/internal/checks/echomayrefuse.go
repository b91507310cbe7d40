package checks

import (
	"plantstore/conformance/internal/rule"
)

// echoMayRefuse: a may-refuse value that is accepted comes back unchanged.
var echoMayRefuse = rule.Rule{
	Name:        "echo-may-refuse",
	Rank:        rule.Advice,
	Doc:         "If a value that some stores refuse is accepted, it comes back unchanged.",
	Explanation: "If the server accepts a value that it may refuse, it returns the value unchanged.",
	Fix:         "Refuse a value that cannot be stored instead of changing it.",
	Check:       compares(true, same),
}
