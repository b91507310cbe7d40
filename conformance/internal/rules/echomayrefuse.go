package rules

import (
	"plantstore/conformance/internal/rule"
)

// echoMayRefuse: an edge value that was accepted.
var echoMayRefuse = rule.Rule{
	Name:  "echo-may-refuse",
	Rank:  rule.Advice,
	Doc:   "Where a value that some stores refuse is accepted, it comes back unchanged.",
	Mend:  "refuse what cannot be kept rather than changing it silently",
	Check: compares(true, same),
}
